//! What a tool says before it is done.

use serde::Serialize;
use tokio::sync::mpsc;
use toolpact_core::json::Value;
use toolpact_core::returns::types::{OperationStatus, Progress, Timestamp};

use crate::call::ResultChecker;
use crate::{Context, ToolError};

/// What a tool says before it is done.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// How far it is.
    Progress(Box<OperationStatus<Value>>),
    /// An event or a chunk, which keeps the contract.
    Item(Value),
    /// Something that whoever follows the call may want to read.
    LogLine(LogLine),
}

/// A line of what a tool tells those who follow it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogLine {
    /// How much it matters.
    pub level: LogLevel,
    /// A text, or anything with more to it.
    pub message: Value,
}

/// How much a line of a log matters, from the least to the most, as syslog has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there have been eight for forty years"
)]
pub enum LogLevel {
    /// For those who look for a mistake.
    Debug,
    /// All goes its way.
    Info,
    /// All goes its way, and it is worth noting.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part of the system does not work.
    Critical,
    /// Someone has to act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// All of them, in their order.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Its name: `warning`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// The way of updates to whoever listens.
pub(crate) struct Updates {
    sender: mpsc::Sender<Update>,
    checker: ResultChecker,
    started: OperationStatus<Value>,
}

impl Updates {
    /// `None` only if there is no clock.
    pub(crate) fn new(
        sender: mpsc::Sender<Update>,
        checker: ResultChecker,
        call_id: Option<&str>,
    ) -> Option<Self> {
        let started = OperationStatus::pending(call_id.unwrap_or("call"), now()?).ok()?;
        Some(Self {
            sender,
            checker,
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

    /// Tells those who follow the call something, such as its client. It is not for the operators of a
    /// server, who read what `tracing` is told. Waits while whoever listens is behind; does nothing if
    /// nobody listens.
    pub async fn log(&self, level: LogLevel, message: impl Into<Value>) {
        if let Some(updates) = self.updates() {
            let message = message.into();
            self.send(updates, Update::LogLine(LogLine { level, message }))
                .await;
        }
    }

    /// Hands out an event or a chunk before the result: what the contract says of a result holds
    /// for each of them, and what becomes of one that breaks it is what becomes of such a result.
    /// Waits while whoever listens is behind.
    pub async fn emit<T: Serialize>(&self, item: &T) -> Result<(), ToolError> {
        let Some(updates) = self.updates() else {
            return Ok(());
        };
        let json = updates.checker.item(item)?;
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
