use std::error::Error;
use std::fmt;

use toolpact_core::returns::ErrorKind;

use crate::ToolError;

/// What a [`Responder`](super::Responder) returns for a question that it has passed on and does not wait
/// for. The tool is dropped there, and the call ends with an error that
/// [is pending](ToolError::is_answer_pending); it has to be repeated when there is an answer. Scripts and
/// plans do not repeat calls: for them, the responder has to wait.
#[must_use]
pub fn answer_pending() -> ToolError {
    let message = "The tool has asked something, and has to be called again with the answer.";
    ToolError::new(ErrorKind::Cancelled, message).with_source(AnswerPending)
}

impl ToolError {
    /// Whether the call only waits for an answer, and has to be repeated with it: see
    /// [`answer_pending`](crate::elicitation::answer_pending).
    #[must_use]
    pub fn is_answer_pending(&self) -> bool {
        matches!(self.source(), Some(source) if source.is::<AnswerPending>())
    }
}

/// Marks the error of a call that waits for an answer.
#[derive(Debug)]
struct AnswerPending;

impl Error for AnswerPending {}

impl fmt::Display for AnswerPending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a question was asked")
    }
}
