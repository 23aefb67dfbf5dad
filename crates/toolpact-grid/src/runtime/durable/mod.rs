//! Durable calls of a runtime: it waits at the queues of its tools.

mod attend;
mod execute;
mod take;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt as _;
use tokio_util::sync::CancellationToken;

use super::RuntimeShared;
use super::serve::CalledTool;
use crate::admission::Admission;
use crate::durable::{Operations, consumer_of};
use crate::error::Error;
use crate::reconnects::Reconnects;

/// Most calls of a tool that are fetched at once.
const FETCHED: usize = 16;
/// How long the server keeps a request for calls.
const ASKED_FOR: Duration = Duration::from_secs(5);
/// How long to wait after something went wrong.
const AFTER_ERROR: Duration = Duration::from_millis(250);
/// How soon it is looked again for a free place.
const NO_PLACE: Duration = Duration::from_millis(20);

/// What it has of durable calls now.
#[derive(Default)]
pub(super) struct Held {
    /// The invocations it has, whether they run or wait: the queue may deliver them again.
    here: Mutex<HashSet<Box<str>>>,
    running: AtomicUsize,
}

impl Held {
    /// How many run.
    pub(super) fn count(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    fn enter(&self, invocation: &str) -> bool {
        self.lock().insert(invocation.into())
    }

    fn leave(&self, invocation: &str) {
        self.lock().remove(invocation);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashSet<Box<str>>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The queues it waits at, each until its token is cancelled.
#[derive(Default)]
pub(super) struct Queues(BTreeMap<(Box<str>, Box<str>), CancellationToken>);

impl Queues {
    /// Waits at the queues of the tools that may be called durably, of those that it has.
    pub(super) fn follow(
        &mut self,
        shared: &Arc<RuntimeShared>,
        admission: &Admission,
        tools: &BTreeMap<Box<str>, Box<str>>,
        stop: &CancellationToken,
    ) {
        let durable = admission.durable.iter().filter_map(|name| {
            let digest = tools.get(name)?;
            Some((name.clone(), digest.clone()))
        });
        let durable: BTreeSet<_> = durable.collect();
        self.0.retain(|queue, waiting| {
            let is_kept = durable.contains(queue);
            if !is_kept {
                waiting.cancel();
            }
            is_kept
        });
        for (name, digest) in durable {
            let queue = (name.clone(), digest.clone());
            if self.0.contains_key(&queue) {
                continue;
            }
            let tool = CalledTool { name, digest };
            let waiting = stop.child_token();
            self.0.insert(queue, waiting.clone());
            let (shared, stop) = (Arc::clone(shared), stop.clone());
            tokio::spawn(async move {
                let queue = Box::pin(wait_at(&shared, Arc::new(tool), &stop));
                waiting.run_until_cancelled(queue).await;
            });
        }
    }
}

/// Takes calls of a tool from its queue. What goes wrong is tried again.
async fn wait_at(shared: &Arc<RuntimeShared>, tool: Arc<CalledTool>, stop: &CancellationToken) {
    while !shared.is_draining() {
        let opened = open(shared, &tool).await;
        let result = match opened {
            Ok((consumer, operations)) => {
                take_all(shared, &tool, &consumer, &operations, stop).await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = result {
            tracing::debug!(target: "toolpact::grid", tool = %tool.name, %error, "no durable calls now");
            tokio::time::sleep(AFTER_ERROR).await;
        }
    }
}

async fn open(
    shared: &RuntimeShared,
    tool: &CalledTool,
) -> Result<(PullConsumer, Operations), Error> {
    let (client, subjects) = (&shared.client, &shared.subjects);
    let consumer = consumer_of(client, subjects, &tool.name, &tool.digest).await?;
    Ok((consumer, Operations::existing(client, subjects).await?))
}

/// The next call. There is none any more when the connection is another: the server has forgotten who waits.
async fn next(
    calls: &mut Batch,
    reconnects: &mut Reconnects,
) -> Option<Result<Message, async_nats::Error>> {
    tokio::select! {
        biased;
        message = calls.next() => message,
        () = reconnects.next() => None,
    }
}

/// Ends when it drains, or with an error.
async fn take_all(
    shared: &Arc<RuntimeShared>,
    tool: &Arc<CalledTool>,
    consumer: &PullConsumer,
    operations: &Operations,
    stop: &CancellationToken,
) -> Result<(), Error> {
    while !shared.is_draining() {
        let places = shared.places.available_permits().min(FETCHED);
        if places == 0 {
            tokio::time::sleep(NO_PLACE).await;
            continue;
        }
        let mut reconnects = Reconnects::of(&shared.client);
        let asked = consumer.batch().max_messages(places).expires(ASKED_FOR);
        let mut calls = asked
            .messages()
            .await
            .map_err(Error::nats("ask for calls"))?;
        while let Some(message) = next(&mut calls, &mut reconnects).await {
            let message = message.map_err(Error::nats("take a call"))?;
            let taken = take::TakenCall {
                shared: Arc::clone(shared),
                tool: Arc::clone(tool),
                operations: operations.clone(),
                message,
            };
            let stop = stop.clone();
            let handled = Box::pin(taken.handle());
            tokio::spawn(async move { stop.run_until_cancelled(handled).await });
        }
    }
    Ok(())
}
