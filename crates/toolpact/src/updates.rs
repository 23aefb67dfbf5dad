//! What a tool says before it is done.

use serde::Serialize;
use tokio::sync::mpsc;
use toolpact_core::json::Value;
use toolpact_core::returns::types::{OperationStatus, Progress, Timestamp};

use crate::call::Job;
use crate::{Context, ToolError};

/// What a tool says before it is done.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// How far it is.
    Progress(Box<OperationStatus<Value>>),
    /// An event or a chunk, which keeps the contract.
    Item(Value),
}

/// The way of updates to whoever listens.
pub(crate) struct Updates {
    sender: mpsc::Sender<Update>,
    job: Job,
    started: OperationStatus<Value>,
}

impl Updates {
    /// `None` only if there is no clock.
    pub(crate) fn new(
        sender: mpsc::Sender<Update>,
        job: Job,
        call_id: Option<&str>,
    ) -> Option<Self> {
        let started = OperationStatus::pending(call_id.unwrap_or("call"), now()?).ok()?;
        Some(Self {
            sender,
            job,
            started,
        })
    }

    fn progress(&self, progress: Progress) -> Option<Update> {
        let status = self.started.clone().advance(now()?, progress).ok()?;
        Some(Update::Progress(Box::new(status)))
    }
}

impl Context {
    /// Says how far the tool is. Waits while whoever listens is behind; does nothing if nobody
    /// listens.
    pub async fn progress(&self, progress: Progress) {
        if let Some(updates) = self.updates()
            && let Some(update) = updates.progress(progress)
        {
            self.send(updates, update).await;
        }
    }

    /// Hands out an event or a chunk before the result: what the contract says of a result holds
    /// for each of them, and what becomes of one that breaks it is what becomes of such a result.
    /// Waits while whoever listens is behind.
    pub async fn emit<T: Serialize>(&self, item: &T) -> Result<(), ToolError> {
        let Some(updates) = self.updates() else {
            return Ok(());
        };
        let json = updates.job.item(item)?;
        self.send(updates, Update::Item(Value::from_json(json)?))
            .await;
        Ok(())
    }

    async fn send(&self, updates: &Updates, update: Update) {
        tokio::select! {
            // If nobody listens any more, there is nobody to tell.
            _ = updates.sender.send(update) => {}
            () = self.cancelled() => {}
        }
    }
}

fn now() -> Option<Timestamp> {
    // To the millisecond: finer than that, nobody reads it.
    let now = jiff::Timestamp::now().round(jiff::Unit::Millisecond).ok()?;
    now.to_string().parse().ok()
}
