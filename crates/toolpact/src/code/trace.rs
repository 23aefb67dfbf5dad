//! The calls that a script made.

use std::time::Duration;

use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;

/// One call of a tool.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TracedCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: TracedValue,
    /// What the script got; `None` if the run ended before.
    pub outcome: Option<Result<TracedValue, StandardError>>,
    /// How long it took.
    pub took: Duration,
}

/// A value in a trace, as long as the trace has room for it
/// ([`ScriptLimits::trace`](super::ScriptLimits::trace)).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum TracedValue {
    /// The value.
    Whole(Value),
    /// One that was not kept.
    Omitted {
        /// The length of its JSON.
        bytes: usize,
    },
}

/// The calls of a run, in the order in which they were made.
#[derive(Debug)]
pub(super) struct Trace {
    calls: Vec<TracedCall>,
    /// How many bytes of values it still keeps.
    left: usize,
}

impl TracedValue {
    /// The value, if it was kept.
    #[must_use]
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Whole(value) => Some(value),
            Self::Omitted { .. } => None,
        }
    }

    /// The length of its JSON.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Whole(value) => value.text().len(),
            Self::Omitted { bytes } => *bytes,
        }
    }
}

impl Trace {
    pub(super) fn new(most: usize) -> Self {
        Self::resumed(Vec::new(), most)
    }

    /// The trace of a run that was saved.
    pub(super) fn resumed(calls: Vec<TracedCall>, most: usize) -> Self {
        let used: usize = calls.iter().map(used_by).sum();
        let left = most.saturating_sub(used);
        Self { calls, left }
    }

    pub(super) fn len(&self) -> usize {
        self.calls.len()
    }

    pub(super) fn calls(&self) -> &[TracedCall] {
        &self.calls
    }

    pub(super) fn into_calls(self) -> Vec<TracedCall> {
        self.calls
    }

    /// Adds a call, and returns its place.
    pub(super) fn begin(&mut self, tool: &str, args: &Value) -> usize {
        let args = self.keep(args);
        self.calls.push(TracedCall {
            tool: tool.to_owned(),
            args,
            outcome: None,
            took: Duration::ZERO,
        });
        self.calls.len() - 1
    }

    /// Adds what came of a call.
    pub(super) fn end(
        &mut self,
        place: usize,
        result: &Result<Value, StandardError>,
        took: Duration,
    ) {
        let outcome = match result {
            Ok(value) => Ok(self.keep(value)),
            Err(error) => Err(self.keep_error(error)),
        };
        if let Some(call) = self.calls.get_mut(place) {
            call.took = took;
            call.outcome = Some(outcome);
        }
    }

    fn keep(&mut self, value: &Value) -> TracedValue {
        match self.take(value.memory()) {
            true => TracedValue::Whole(value.clone()),
            false => TracedValue::Omitted {
                bytes: value.text().len(),
            },
        }
    }

    /// Of an error, the code is kept always.
    fn keep_error(&mut self, error: &StandardError) -> StandardError {
        let bytes = error.to_json().len();
        match self.take(bytes) {
            true => error.clone(),
            false => {
                let message = format!("The trace has no room for the {bytes} bytes of this error.");
                StandardError::with_code(error.code(), &message)
            }
        }
    }

    fn take(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

fn used_by(call: &TracedCall) -> usize {
    let of = |value: &TracedValue| value.value().map_or(0, Value::memory);
    let outcome = call.outcome.as_ref().map_or(0, |outcome| match outcome {
        Ok(value) => of(value),
        Err(error) => error.to_json().len(),
    });
    of(&call.args) + outcome
}
