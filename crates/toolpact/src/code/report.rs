//! Options of a run, and the report of what came of it.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolpact_core::json::Value;

use super::{ScriptLimits, Snapshot, TracedCall, UsedSnapshots};
use crate::Error;

/// How a script is run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunOptions {
    /// How much it may use.
    pub limits: ScriptLimits,
    /// The name of the script in tracebacks.
    pub file: String,
    /// Stops the run at its next call of a tool, with a snapshot.
    pub stop: CancellationToken,
    /// Stops the run at the call of this number, from 1, before it is made.
    pub stop_at_call: Option<usize>,
    /// Hears of each call when it begins: the name of the tool.
    pub calls: Option<mpsc::UnboundedSender<String>>,
    /// Refuses to resume a snapshot that was resumed before. Without it, a snapshot can be resumed any number
    /// of times, and makes its calls each time.
    pub once: Option<UsedSnapshots>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            limits: ScriptLimits::default(),
            file: "script.py".to_owned(),
            stop: CancellationToken::new(),
            stop_at_call: None,
            calls: None,
            once: None,
        }
    }
}

impl RunOptions {
    /// The same with other limits.
    #[must_use]
    pub fn limits(mut self, limits: ScriptLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with another name of the script.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }

    /// The same, to be stopped by this token.
    #[must_use]
    pub fn stop(mut self, stop: &CancellationToken) -> Self {
        self.stop = stop.clone();
        self
    }

    /// The same, with a channel that hears of each call when it begins.
    #[must_use]
    pub fn calls(mut self, calls: mpsc::UnboundedSender<String>) -> Self {
        self.calls = Some(calls);
        self
    }

    /// The same, resuming each snapshot once.
    #[must_use]
    pub fn once(mut self, used: UsedSnapshots) -> Self {
        self.once = Some(used);
        self
    }

    /// The same, to be stopped at the call of this number, from 1.
    #[must_use]
    pub fn stop_at_call(mut self, number: usize) -> Self {
        self.stop_at_call = Some(number);
        self
    }
}

/// The report of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct RunReport {
    /// The value, a snapshot, or why it failed.
    pub end: Result<RunEnd, Error>,
    /// What it printed.
    pub printed: String,
    /// The calls it made, in the order it made them.
    pub trace: Vec<TracedCall>,
    /// Whether comments such as `# type: ignore` silenced the type checker.
    pub ignores: bool,
}

/// The end of a run that did not fail.
#[derive(Debug)]
pub enum RunEnd {
    /// With the value of the last expression.
    Value(Value),
    /// It was stopped, and can be resumed.
    Stopped(Snapshot),
}

impl RunReport {
    /// The value of the script. If it was stopped, there is none yet, which is `null`.
    pub fn value(self) -> Result<Value, Error> {
        self.end.map(|end| match end {
            RunEnd::Value(value) => value,
            RunEnd::Stopped(_) => Value::from(()),
        })
    }
}
