//! The queue of durable calls: a stream from which a call goes when it has its outcome.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, HeaderMap};
use bytes::Bytes;

use super::DurableCalls;
use crate::error::Error;
use crate::replicas;
use crate::subject::Subjects;

/// A call about which a runtime says nothing for this long is given to another.
const ACK_WAIT: Duration = Duration::from_secs(2);
/// How long an answer of NATS may take before it is asked again.
const ANSWER: Duration = Duration::from_secs(2);
/// How many runtimes may wait for calls of one tool.
const MOST_WAITING: i64 = 10_000;

/// The queue, for hosts.
pub(crate) struct Queue {
    jetstream: Context,
    subjects: Subjects,
}

/// Why a call is not in the queue.
pub(crate) enum NotQueued {
    Full,
    /// NATS did not confirm it: perhaps it is.
    NotConfirmed(Box<dyn std::error::Error + Send + Sync>),
}

impl Queue {
    /// Opens the stream, which is made if it is not there.
    pub(crate) async fn open(
        client: &Client,
        subjects: &Subjects,
        calls: &DurableCalls,
    ) -> Result<Self, Error> {
        let jetstream = context(client);
        let name = subjects.bucket("calls");
        let config = Config {
            name: name.clone(),
            description: Some("The durable calls of a toolpact grid that have no outcome.".into()),
            subjects: vec![subjects.queue("*", "*")],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: calls.most_queued,
            max_age: calls.time_kept(),
            num_replicas: replicas::for_new(client),
            allow_direct: true,
            ..Config::default()
        };
        if jetstream.get_stream(&name).await.is_err() {
            // Another may make it at the same time.
            let made = jetstream.get_or_create_stream(config).await;
            made.map_err(Error::nats("open the queue of durable calls"))?;
        }
        Ok(Self {
            jetstream,
            subjects: subjects.clone(),
        })
    }

    /// Puts a call into the queue, once whatever number of times it is put.
    pub(crate) async fn put(
        &self,
        tool: &str,
        digest: &str,
        invocation: &str,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> Result<(), NotQueued> {
        use async_nats::jetstream::context::PublishErrorKind as E;
        headers.insert(async_nats::header::NATS_MESSAGE_ID, invocation);
        let subject = self.subjects.queue(tool, digest);
        let sent = self
            .jetstream
            .publish_with_headers(subject, headers, body)
            .await;
        let acknowledged = match sent {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        match acknowledged {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == E::Other && is_full(&error) => Err(NotQueued::Full),
            Err(error) => Err(NotQueued::NotConfirmed(error.into())),
        }
    }
}

/// The server says `maximum messages exceeded`.
fn is_full(error: &async_nats::jetstream::context::PublishError) -> bool {
    error.to_string().contains("maximum messages exceeded")
}

/// Where runtimes take the calls of a tool.
pub(crate) async fn consumer_of(
    client: &Client,
    subjects: &Subjects,
    tool: &str,
    digest: &str,
) -> Result<PullConsumer, Error> {
    let jetstream = context(client);
    let stream = jetstream.get_stream(subjects.bucket("calls")).await;
    let stream = stream.map_err(Error::nats("open the queue of durable calls"))?;
    let name = format!("{tool}_{digest}");
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: subjects.queue(tool, digest),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_deliver: -1,
        max_ack_pending: 10_000,
        max_waiting: MOST_WAITING,
        ..pull::Config::default()
    };
    let consumer = stream.get_or_create_consumer(&name, config).await;
    consumer.map_err(Error::nats("wait at the queue of a tool"))
}

fn context(client: &Client) -> Context {
    jetstream::ContextBuilder::new()
        .timeout(ANSWER)
        .build(client.clone())
}
