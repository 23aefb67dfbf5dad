//! Updates that a tool sends before it is done.

use serde::Serialize;
use tokio::sync::mpsc;
use toolpact_core::json::Value;
use toolpact_core::returns::types::{OperationStatus, Progress, Timestamp};

use crate::call::ResultChecker;
use crate::observe::{Heard, HeardItems};
use crate::registry::results_are_spent;
use crate::unread_updates::{Unread, UnreadBytes};
use crate::{Context, ToolError};

/// Something that a tool sends before it is done.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// How far it is.
    Progress(Box<OperationStatus<Value>>),
    /// An event or a chunk, checked against the contract.
    Item(Value),
    /// A line of log for those who follow the call.
    Log(LogLine),
}

/// A line of log that a tool sends to those who follow its call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LogLine {
    /// Its severity.
    pub level: LogLevel,
    /// A text, or anything with more to it.
    pub message: Value,
}

/// The severity of a line of log, from the least to the most, as in syslog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there have been eight for forty years"
)]
pub enum LogLevel {
    /// For debugging.
    Debug,
    /// Normal operation.
    Info,
    /// Normal, but worth noting.
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

/// Sends updates to the listener of a call.
pub(crate) struct Updates {
    sender: mpsc::Sender<Unread>,
    checker: ResultChecker,
    call_id: Option<Box<str>>,
    /// Written only where a tool reports progress.
    started: jiff::Timestamp,
    unread: UnreadBytes,
    /// For a log that wants the items.
    heard: Option<Heard>,
}

impl Updates {
    /// `None` never: see [`UnreadBytes::new`].
    pub(crate) fn new(
        sender: mpsc::Sender<Unread>,
        checker: ResultChecker,
        call_id: Option<&str>,
        keeps_items: bool,
    ) -> Option<Self> {
        let heard = keeps_items.then(|| Heard::new(checker.entry.memory()));
        let unread = UnreadBytes::new(checker.entry.memory())?;
        Some(Self {
            sender,
            checker,
            call_id: call_id.map(Box::from),
            started: jiff::Timestamp::now(),
            unread,
            heard,
        })
    }

    /// What the listener was sent so far.
    pub(crate) fn take_items(&self) -> HeardItems {
        self.heard.as_ref().map(Heard::take).unwrap_or_default()
    }

    fn progress(&self, progress: Progress) -> Option<Update> {
        let call_id = self.call_id.as_deref().unwrap_or("call");
        let status = OperationStatus::new(call_id, written(self.started)?).ok()?;
        let status = status
            .advance(written(jiff::Timestamp::now())?, progress)
            .ok()?;
        Some(Update::Progress(Box::new(status)))
    }
}

impl Context {
    /// Reports progress. Waits for a listener that is behind; does nothing if nobody listens, or if there is no
    /// memory for it.
    pub async fn progress(&self, progress: Progress) {
        if let Some(updates) = self.updates()
            && let Some(update) = updates.progress(progress)
        {
            self.offer(updates, update).await;
        }
    }

    /// Sends a line of log to those who follow the call, such as an MCP client. Operators read `tracing`
    /// instead. Waits for a listener that is behind; does nothing if nobody listens, or if there is no memory
    /// for it.
    pub async fn log(&self, level: LogLevel, message: impl Into<Value>) {
        if let Some(updates) = self.updates() {
            let message = message.into();
            self.offer(updates, Update::Log(LogLine { level, message }))
                .await;
        }
    }

    /// Sends an event or a chunk before the result. Each is checked against the contract and enforced
    /// as the result is. Waits for a listener that is behind. What is not read takes its part of the memory for
    /// results ([`RegistryBuilder::result_memory`](crate::registry::RegistryBuilder::result_memory)); if others take
    /// all of it, this fails.
    pub async fn emit<T: Serialize>(&self, item: &T) -> Result<(), ToolError> {
        let Some(updates) = self.updates() else {
            return Ok(());
        };
        let item = updates.checker.check_item(item)?;
        self.send_item(updates, item).await
    }

    /// The same with JSON as it is: it is checked, and not written again.
    pub async fn emit_json(&self, item: Value) -> Result<(), ToolError> {
        let Some(updates) = self.updates() else {
            return Ok(());
        };
        let item = updates.checker.check_value(item)?;
        self.send_item(updates, item).await
    }

    async fn send_item(&self, updates: &Updates, item: Value) -> Result<(), ToolError> {
        if let Some(heard) = &updates.heard {
            heard.add(&item);
        }
        match self.send(updates, Update::Item(item)).await {
            true => Ok(()),
            false => Err(results_are_spent()),
        }
    }

    /// Sends what may be missed.
    async fn offer(&self, updates: &Updates, update: Update) {
        if !self.send(updates, update).await {
            tracing::debug!(target: "toolpact", "an update is left out: there is no memory for it");
        }
    }

    /// `false` if there is no memory for it.
    async fn send(&self, updates: &Updates, update: Update) -> bool {
        let sent = async {
            let Some(update) = updates.unread.take(update).await else {
                return false;
            };
            // An error means that the listener is gone.
            let _ = updates.sender.send(update).await;
            true
        };
        tokio::select! {
            is_sent = sent => is_sent,
            () = self.cancelled() => true,
        }
    }
}

fn written(time: jiff::Timestamp) -> Option<Timestamp> {
    // Milliseconds are enough for readers.
    let time = time.round(jiff::Unit::Millisecond).ok()?;
    time.to_string().parse().ok()
}
