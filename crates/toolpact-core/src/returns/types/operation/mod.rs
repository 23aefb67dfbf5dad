mod wire;

use super::{Progress, Timestamp};
use crate::Error;
use crate::returns::StandardError;

/// The state of a long-running operation. `R`, its result, is written as an object.
///
/// It starts as pending. Its times never go back, and a final state never changes.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolpact_core::returns::types::{OperationStatus, Progress};
///
/// let status = OperationStatus::new("op_1", "2026-02-15T10:00:00Z".parse()?)?
///     .advance("2026-02-15T10:05:30Z".parse()?, Progress::default().with_percent(65)?)?;
/// let status = status.complete("2026-02-15T10:09:00Z".parse()?, BTreeMap::from([("rows", 12)]))?;
/// assert!(status.clone().cancel("2026-02-15T10:10:00Z".parse()?).is_err());
/// assert_eq!(
///     serde_json::to_string(&status)?,
///     r#"{"operation_id":"op_1","status":"completed","result":{"rows":12},"created_at":"2026-02-15T10:00:00Z","updated_at":"2026-02-15T10:09:00Z","completed_at":"2026-02-15T10:09:00Z"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct OperationStatus<R> {
    operation_id: Box<str>,
    state: OperationState<R>,
    progress: Option<Progress>,
    created_at: Timestamp,
    updated_at: Option<Timestamp>,
    completed_at: Option<Timestamp>,
}

/// The state of an operation: pending, running, or how it ended.
#[derive(Debug, Clone, PartialEq)]
pub enum OperationState<R> {
    /// It has not begun.
    Pending,
    /// It has begun.
    Running,
    /// A success.
    Completed(R),
    /// A failure.
    Failed(StandardError),
    /// Cancelled before it ended.
    Cancelled,
}

impl<R> OperationStatus<R> {
    /// An operation that has not begun. Its identifier must not be empty.
    pub fn new(operation_id: &str, created_at: Timestamp) -> Result<Self, Error> {
        if operation_id.is_empty() {
            let message = "expected an identifier that is not empty";
            return Err(Error::at("operation_id", message));
        }
        Ok(Self {
            operation_id: operation_id.into(),
            state: OperationState::Pending,
            progress: None,
            created_at,
            updated_at: None,
            completed_at: None,
        })
    }

    /// Marks it as running.
    pub fn start(self, at: Timestamp) -> Result<Self, Error> {
        self.become_at(at, OperationState::Running)
    }

    /// Marks it as running, with this progress.
    pub fn advance(self, at: Timestamp, progress: Progress) -> Result<Self, Error> {
        let mut running = self.start(at)?;
        running.progress = Some(progress);
        Ok(running)
    }

    /// Marks it as completed.
    pub fn complete(self, at: Timestamp, result: R) -> Result<Self, Error> {
        let mut completed = self.become_at(at, OperationState::Completed(result))?;
        // A completed operation has no progress.
        completed.progress = None;
        Ok(completed)
    }

    /// Marks it as failed.
    pub fn fail(self, at: Timestamp, error: StandardError) -> Result<Self, Error> {
        self.become_at(at, OperationState::Failed(error))
    }

    /// Marks it as cancelled.
    pub fn cancel(self, at: Timestamp) -> Result<Self, Error> {
        self.become_at(at, OperationState::Cancelled)
    }

    /// The identifier of the operation.
    #[must_use]
    pub fn operation_id(&self) -> &str {
        &self.operation_id
    }

    /// The state: pending, running, or how it ended.
    #[must_use]
    pub fn state(&self) -> &OperationState<R> {
        &self.state
    }

    /// The state, consuming the status.
    #[must_use]
    pub fn into_state(self) -> OperationState<R> {
        self.state
    }

    /// The progress.
    #[must_use]
    pub fn progress(&self) -> Option<&Progress> {
        self.progress.as_ref()
    }

    /// When it was created.
    #[must_use]
    pub fn created_at(&self) -> &Timestamp {
        &self.created_at
    }

    /// When it was last updated.
    #[must_use]
    pub fn updated_at(&self) -> Option<&Timestamp> {
        self.updated_at.as_ref()
    }

    /// When it completed, failed or was cancelled.
    #[must_use]
    pub fn completed_at(&self) -> Option<&Timestamp> {
        self.completed_at.as_ref()
    }

    fn become_at(mut self, at: Timestamp, state: OperationState<R>) -> Result<Self, Error> {
        if self.state.is_final() {
            let message = format!(
                "expected an operation that goes on, found it {}",
                self.state.name()
            );
            return Err(Error::at("status", message));
        }
        let last = self.updated_at.as_ref().unwrap_or(&self.created_at);
        if at < *last {
            let message = format!("expected no time before {last}, found {at}");
            return Err(Error::at("updated_at", message));
        }
        self.completed_at = state.is_final().then(|| at.clone());
        self.updated_at = Some(at);
        self.state = state;
        Ok(self)
    }
}

impl<R> OperationState<R> {
    /// As it is written: `running`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Completed(_) => "completed",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether it has ended: completed, failed or cancelled.
    #[must_use]
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }
}
