//! Durable calls of a host: put into the queue, waited for, and what came of them.

mod call;
mod operation;
mod told;
mod tool;

use std::sync::Arc;

use async_nats::Client;
use tokio_util::sync::CancellationToken;

pub(crate) use call::{ANY_RUNTIME, NotDurable};
pub use operation::Operation;

use crate::contracts::Manifest;
use crate::durable::{DurableCalls, Operations, Queue};
use crate::error::Error;
use crate::subject::{Id, Subjects};
use told::Told;

/// What a host has for durable calls.
pub(crate) struct DurableHost {
    calls: DurableCalls,
    queue: Queue,
    operations: Operations,
    told: Arc<Told>,
}

impl DurableHost {
    /// `None` if no tool is durable.
    pub(super) async fn open(
        client: &Client,
        subjects: &Subjects,
        id: &Id,
        manifest: &Manifest,
        calls: DurableCalls,
        stop: &CancellationToken,
    ) -> Result<Option<Self>, Error> {
        let declared = manifest
            .tools()
            .map(|tool| tool.contract.effects().durable() == Some(true));
        if !calls.is_needed_for(declared) {
            return Ok(None);
        }
        let told = Arc::new(Told::default());
        told::listen(client, subjects, id, &told, stop).await?;
        Ok(Some(Self {
            queue: Queue::open(client, subjects, &calls).await?,
            operations: Operations::open(client, subjects, &calls).await?,
            told,
            calls,
        }))
    }

    /// Of these tools, those that runtimes take from a queue.
    pub(super) fn queued<'t>(
        &self,
        manifest: &Manifest,
        tools: impl Iterator<Item = &'t str>,
    ) -> Vec<Box<str>> {
        let has_queue = |name: &&str| {
            let tool = manifest.get(name);
            tool.is_some_and(|tool| self.calls.has_queue(&tool.contract))
        };
        tools.filter(has_queue).map(Box::from).collect()
    }
}
