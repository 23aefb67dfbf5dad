//! Outcomes of calls that came in batches: those for one host that are there at the same time go in one message.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_nats::{Client, Subject};
use bytes::Bytes;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::batch::{self, OutcomeHead};
use crate::remote_tool::HEADROOM;
use crate::wire::Kind;

/// An outcome on its way.
pub(super) struct Outcome {
    /// Where the outcomes of the batch go that the call came in.
    pub(super) batch: Subject,
    pub(super) invocation: Box<str>,
    pub(super) attempt: u32,
    pub(super) is_refused: bool,
    pub(super) error: Option<Box<RawValue>>,
    pub(super) body: Bytes,
}

/// Where they wait to be sent.
pub(super) struct Outcomes {
    sender: mpsc::UnboundedSender<Outcome>,
    unsent: Arc<AtomicUsize>,
}

impl Outcomes {
    /// Starts to send what will be pushed, until this is dropped.
    pub(super) fn start(client: Client) -> Self {
        let (sender, outcomes) = mpsc::unbounded_channel();
        let unsent = Arc::new(AtomicUsize::new(0));
        tokio::spawn(run(client, outcomes, Arc::clone(&unsent)));
        Self { sender, unsent }
    }

    pub(super) fn push(&self, outcome: Outcome) {
        self.unsent.fetch_add(1, Ordering::AcqRel);
        // The task ends after this.
        let _ = self.sender.send(outcome);
    }

    pub(super) fn all_sent(&self) -> bool {
        self.unsent.load(Ordering::Acquire) == 0
    }
}

impl Outcome {
    /// What the reply subjects of its host's batches begin with.
    fn host(&self) -> &str {
        self.batch.rsplit_once('.').map_or("", |(host, _)| host)
    }

    fn size(&self) -> usize {
        128 + self.body.len() + self.error.as_ref().map_or(0, |error| error.get().len())
    }
}

async fn run(
    client: Client,
    mut outcomes: mpsc::UnboundedReceiver<Outcome>,
    unsent: Arc<AtomicUsize>,
) {
    let mut waiting = Vec::new();
    while outcomes.recv_many(&mut waiting, batch::MOST).await > 0 {
        // Calls that are nearly done end first, and their outcomes go in the same message.
        tokio::task::yield_now().await;
        while waiting.len() < batch::MOST
            && let Ok(outcome) = outcomes.try_recv()
        {
            waiting.push(outcome);
        }
        while let Some(first) = waiting.pop() {
            let of_same = |other: &mut Outcome| other.host() == first.host();
            let mut same: Vec<_> = waiting.extract_if(.., of_same).collect();
            same.push(first);
            let count = same.len();
            to_one(&client, same).await;
            unsent.fetch_sub(count, Ordering::AcqRel);
        }
    }
}

/// Sends outcomes to one host.
async fn to_one(client: &Client, outcomes: Vec<Outcome>) {
    let most = batch::BYTES.min(client.max_payload().saturating_sub(HEADROOM));
    let (mut some, mut bytes) = (Vec::new(), 0);
    for outcome in outcomes {
        bytes += outcome.size();
        if bytes > most && !some.is_empty() {
            bytes = outcome.size();
            together(client, std::mem::take(&mut some)).await;
        }
        some.push(outcome);
    }
    together(client, some).await;
}

async fn together(client: &Client, outcomes: Vec<Outcome>) {
    let Some(first) = outcomes.first() else {
        return;
    };
    let heads: Vec<_> = outcomes
        .iter()
        .map(|outcome| OutcomeHead {
            invocation: Cow::Borrowed(&outcome.invocation),
            attempt: outcome.attempt,
            kind: outcome.is_refused.then(|| Kind::Refused.name().into()),
            error: outcome.error.as_deref(),
            length: outcome.body.len(),
        })
        .collect();
    let body = batch::write(&heads, outcomes.iter().map(|outcome| &outcome.body));
    // A host that does not get it hears no beats either.
    let _ = client.publish(first.batch.clone(), body).await;
}
