//! Calls on their way to runtimes. Those for one runtime that are there at the same time go in one message, if it
//! takes batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use tokio::sync::mpsc;

use super::HostShared;
use super::in_flight::{Heard, Key};
use super::runtimes::KnownRuntime;
use crate::batch::{self, CallHead};
use crate::headers::CallHeaders;
use crate::remote_tool::HEADROOM;

/// The number of the next batch.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// A call to be sent.
pub(crate) struct Outgoing {
    pub(crate) key: Key,
    pub(crate) runtime: Arc<KnownRuntime>,
    pub(crate) tool: Arc<str>,
    pub(crate) headers: CallHeaders,
    pub(crate) body: Bytes,
}

/// Sends what is to be sent, until the host is gone.
pub(super) async fn run(shared: Arc<HostShared>, mut calls: mpsc::UnboundedReceiver<Outgoing>) {
    let mut waiting = Vec::new();
    while calls.recv_many(&mut waiting, batch::MOST).await > 0 {
        // Tasks that are ready to call something do so first, and their calls go in the same message.
        tokio::task::yield_now().await;
        while waiting.len() < batch::MOST
            && let Ok(call) = calls.try_recv()
        {
            waiting.push(call);
        }
        while let Some(first) = waiting.pop() {
            let of_same = |call: &mut Outgoing| Arc::ptr_eq(&call.runtime, &first.runtime);
            let mut same: Vec<_> = waiting.extract_if(.., of_same).collect();
            same.push(first);
            to_one(&shared, same).await;
        }
    }
}

/// Sends calls of one runtime.
async fn to_one(shared: &HostShared, calls: Vec<Outgoing>) {
    let most = batch::BYTES.min(shared.client.max_payload().saturating_sub(HEADROOM));
    let (mut some, mut bytes) = (Vec::new(), 0);
    for call in calls {
        if !call.runtime.takes_batches() || call.body.len() > batch::SMALL {
            alone(shared, call).await;
            continue;
        }
        bytes += call.body.len() + call.headers.size();
        if bytes > most && !some.is_empty() {
            bytes = call.body.len() + call.headers.size();
            together(shared, std::mem::take(&mut some)).await;
        }
        some.push(call);
    }
    together(shared, some).await;
}

async fn together(shared: &HostShared, mut calls: Vec<Outgoing>) {
    if calls.len() <= 1 {
        if let Some(call) = calls.pop() {
            alone(shared, call).await;
        }
        return;
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let heads: Vec<_> = calls
        .iter()
        .map(|call| CallHead::of(&call.headers, &call.body))
        .collect();
    let body = batch::write(&heads, calls.iter().map(|call| &call.body));
    for call in &calls {
        shared.in_flight.sent_in(call.key, number);
    }
    let Some(first) = calls.first() else { return };
    let subject = shared.subjects.batch(&first.runtime.id);
    let reply = format!("{}.batch.{number}", shared.replies);
    if shared
        .client
        .publish_with_reply(subject, reply, body)
        .await
        .is_err()
    {
        for call in calls {
            shared.in_flight.tell(call.key, Some(Heard::NotSent));
        }
    }
}

async fn alone(shared: &HostShared, call: Outgoing) {
    let headers = &call.headers;
    let subject = shared
        .subjects
        .call(&call.runtime.id, &call.tool, &headers.digest);
    let reply = format!(
        "{}.{}.{}",
        shared.replies, headers.invocation, headers.attempt
    );
    let sent =
        shared
            .client
            .publish_with_reply_and_headers(subject, reply, headers.write(), call.body);
    if sent.await.is_err() {
        shared.in_flight.tell(call.key, Some(Heard::NotSent));
    }
}
