//! What a host does beside calls: hears runtimes, admits them, tells them to stop.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv;
use async_nats::{Message, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolpact::ToolError;

use super::{HostShared, development, report};
use crate::admission::Admission;
use crate::contracts::Manifest;
use crate::error::Error;
use crate::headers;
use crate::presence::{BELIEVED, PROBE, Presence};
use crate::reconnects::Reconnects;
use crate::subject::Id;
use crate::wire;

/// How often it is looked for calls that are lost, and for runtimes that are silent.
const TICK: Duration = Duration::from_millis(100);

/// A watch of runtimes that says nothing for this long is perhaps none any more: each says every two seconds that it is there.
const SILENT: Duration = Duration::from_secs(3);
/// How long it may take to watch anew, …
const WATCHING: Duration = Duration::from_secs(2);
/// … and how long to wait before it is tried again.
const WATCH_AGAIN: Duration = Duration::from_millis(200);

/// Something to tell a runtime.
pub(crate) enum Control {
    /// Nobody waits for the result of this invocation.
    Cancel(Id, Box<str>),
    /// Messages of this invocation were taken up to this number.
    Credit(Id, Box<str>, u64),
    /// What the caller answers to a question of this invocation, by its number.
    Answer(Id, Box<str>, u64, Result<Bytes, ToolError>),
    Drain(Id),
    /// It is to show that it can answer.
    Probe(Id),
}

/// Where runtimes and hosts say that they are there.
pub(super) struct Buckets {
    pub(super) runtimes: kv::Store,
    pub(super) hosts: kv::Store,
}

/// Subscribes, and starts the tasks, which run until they are stopped.
pub(super) async fn start(
    shared: &Arc<HostShared>,
    manifest: &Arc<Manifest>,
    buckets: Buckets,
    orders: mpsc::UnboundedReceiver<Control>,
    stop: &CancellationToken,
) -> Result<(), Error> {
    let client = &shared.client;
    let replies = format!("{}.>", shared.replies);
    let replies = client
        .subscribe(replies)
        .await
        .map_err(Error::nats("subscribe"))?;
    let subject = shared.subjects.announce();
    // One host of each manifest answers, and each that takes contracts: those it has are its own.
    let group = match shared.development {
        Some(_) => format!("{}.{}", manifest.digest(), shared.id),
        None => manifest.digest().to_owned(),
    };
    let offers = client.queue_subscribe(subject, group).await;
    let offers = offers.map_err(Error::nats("subscribe"))?;
    let asked = client.subscribe(shared.subjects.status(&shared.id)).await;
    let asked = asked.map_err(Error::nats("subscribe"))?;
    let registering = client.subscribe(shared.subjects.register(shared.id.as_str()));
    let registering = registering.await.map_err(Error::nats("subscribe"))?;
    let present = buckets.runtimes;
    let watch = present.watch_with_history(">").await;
    let watch = watch.map_err(Error::nats("watch the runtimes"))?;
    spawn(stop, read_replies(Arc::clone(shared), replies));
    spawn(
        stop,
        admit(Arc::clone(shared), Arc::clone(manifest), offers),
    );
    spawn(
        stop,
        hear(Arc::clone(shared), Arc::clone(manifest), present, watch),
    );
    spawn(stop, tick(Arc::clone(shared)));
    spawn(
        stop,
        development::answer(Arc::clone(shared), Arc::clone(manifest), registering),
    );
    spawn(stop, tell(Arc::clone(shared), orders));
    spawn(
        stop,
        report::say(Arc::clone(shared), Arc::clone(manifest), buckets.hosts),
    );
    spawn(
        stop,
        report::answer(Arc::clone(shared), Arc::clone(manifest), asked),
    );
    let (subject, digest) = (shared.subjects.manifest(), manifest.digest().to_owned());
    client
        .publish(subject, digest.into())
        .await
        .map_err(Error::nats("publish"))?;
    client.flush().await.map_err(Error::nats("publish"))
}

pub(super) fn spawn(stop: &CancellationToken, task: impl Future<Output = ()> + Send + 'static) {
    let stop = stop.clone();
    tokio::spawn(async move {
        stop.run_until_cancelled(task).await;
    });
}

async fn read_replies(shared: Arc<HostShared>, mut replies: Subscriber) {
    let before = shared.replies.len() + 1;
    while let Some(message) = replies.next().await {
        let subject = message.subject.clone();
        let Some(key) = subject.get(before..) else {
            continue;
        };
        match key
            .strip_prefix(PROBE)
            .and_then(|rest| rest.strip_prefix('.'))
        {
            // The server says of one that has left that nobody listens.
            Some(runtime) if message.status.is_none() => shared.runtimes.answered(runtime),
            Some(_) => {}
            None => shared.in_flight.deliver(key, message),
        }
    }
}

async fn admit(shared: Arc<HostShared>, manifest: Arc<Manifest>, mut offers: Subscriber) {
    while let Some(offer) = offers.next().await {
        if let Some(answer) = answer(&shared, &manifest, &offer)
            && let Some(reply) = offer.reply
        {
            // A runtime that is not answered asks again.
            let _ = shared.client.publish(reply, answer).await;
        }
    }
}

fn answer(shared: &HostShared, manifest: &Manifest, offer: &Message) -> Option<Bytes> {
    let offer: Presence = serde_json::from_slice(&offer.payload).ok()?;
    let mut admission = Admission::decide(shared.id.as_str(), manifest, &offer);
    admission.mode = shared.mode();
    if let Some(durable) = &shared.durable {
        admission.durable = durable.queued(manifest, admission.accepted.iter().map(|name| &**name));
    }
    for refused in &admission.refused {
        let (runtime, tool, why) = (&offer.runtime, &refused.name, &refused.message);
        tracing::warn!(target: "toolpact::grid", %runtime, %tool, %why, "a tool is not taken from a runtime");
    }
    serde_json::to_vec(&admission).ok().map(Bytes::from)
}

async fn hear(
    shared: Arc<HostShared>,
    manifest: Arc<Manifest>,
    present: kv::Store,
    mut watch: kv::Watch,
) {
    let mut reconnects = Reconnects::of(&shared.client);
    loop {
        while let Some(Ok(entry)) = next_presence(&mut watch, &mut reconnects).await {
            match entry.operation {
                kv::Operation::Put => {
                    // What a lying runtime says about another: its key is its own.
                    let read = serde_json::from_slice::<Presence>(&entry.value);
                    if let Ok(said) = read
                        && *said.runtime == *entry.key
                    {
                        let runtime = Id::new(&said.runtime).ok();
                        let is_to_show = shared.runtimes.hear(said, shared.callable(&manifest));
                        if let Some(runtime) = runtime.filter(|_| is_to_show) {
                            // The task that sends it ends with the host.
                            let _ = shared.control.send(Control::Probe(runtime));
                        }
                    }
                }
                _ => {
                    shared.runtimes.forget(&entry.key);
                    if let Some(development) = &shared.development {
                        development.forget(&entry.key);
                    }
                }
            }
        }
        // The connection was lost, or the bucket, or the server that watched it for us.
        match tokio::time::timeout(WATCHING, present.watch_with_history(">")).await {
            Ok(Ok(again)) => watch = again,
            _ => tokio::time::sleep(WATCH_AGAIN).await,
        }
    }
}

/// What a runtime says next; `None` if it is to be asked anew.
async fn next_presence(
    watch: &mut kv::Watch,
    reconnects: &mut Reconnects,
) -> Option<Result<kv::Entry, kv::WatcherError>> {
    tokio::select! {
        biased;
        entry = watch.next() => entry,
        () = reconnects.next() => None,
        () = tokio::time::sleep(SILENT) => None,
    }
}

async fn tick(shared: Arc<HostShared>) {
    let mut ticks = tokio::time::interval(TICK);
    let mut since = Duration::ZERO;
    loop {
        ticks.tick().await;
        let is_connected = shared.is_connected();
        shared.in_flight.end_silent(is_connected);
        if let Some(echo) = shared.in_flight.echo().filter(|_| is_connected) {
            let subject = shared.subjects.control(&shared.id);
            let reply = format!("{}.{echo}", shared.replies);
            let client = &shared.client;
            // The next one is sent soon.
            let _ = client
                .publish_with_reply(subject, reply, Bytes::new())
                .await;
        }
        since += TICK;
        if since * 4 >= BELIEVED {
            since = Duration::ZERO;
            shared.runtimes.forget_silent();
            if let Some(development) = &shared.development {
                development.forget_all_but(|id| shared.runtimes.knows(id));
            }
        }
    }
}

async fn tell(shared: Arc<HostShared>, mut orders: mpsc::UnboundedReceiver<Control>) {
    while let Some(order) = orders.recv().await {
        let mut body = Bytes::new();
        let (runtime, mut map, invocation) = match order {
            Control::Cancel(runtime, invocation) => {
                (runtime, headers::of_kind("cancel"), Some(invocation))
            }
            Control::Credit(runtime, invocation, number) => {
                let mut map = headers::of_kind("credit");
                map.insert(headers::CREDIT, number.to_string());
                (runtime, map, Some(invocation))
            }
            Control::Answer(runtime, invocation, number, answer) => {
                let mut map = headers::of_kind("answer");
                map.insert(headers::SEQ, number.to_string());
                match answer {
                    Ok(answer) => body = answer,
                    Err(error) => wire::add_error(&mut map, &error.to_standard().to_json()),
                }
                (runtime, map, Some(invocation))
            }
            Control::Drain(runtime) => (runtime, headers::of_kind("drain"), None),
            Control::Probe(runtime) => (runtime, headers::of_kind("probe"), None),
        };
        if let Some(invocation) = invocation {
            map.insert(headers::INVOCATION, &*invocation);
        }
        let subject = shared.subjects.control(&runtime);
        let reply = format!("{}.{PROBE}.{runtime}", shared.replies);
        // A runtime that is not told goes on until the deadline.
        let _ = shared
            .client
            .publish_with_reply_and_headers(subject, reply, map, body)
            .await;
    }
}
