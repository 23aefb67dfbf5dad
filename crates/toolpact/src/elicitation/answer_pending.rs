use std::error::Error;
use std::fmt;

use toolpact_core::returns::ErrorKind;

use crate::ToolError;

/// What a [`Responder`](super::Responder) says to a question that it has noted and does not wait for. The tool
/// ends there, whatever it would make of an error, and the call with it: it is
/// [pending](ToolError::is_answer_pending), and has to be made again when there is an answer. Scripts and plans do
/// not call again: for them, whoever answers has to wait.
#[must_use]
pub fn answer_pending() -> ToolError {
    let message = "The tool has asked something, and has to be called again with the answer.";
    ToolError::new(ErrorKind::Cancelled, message).with_source(Later)
}

impl ToolError {
    /// Whether it says no more than that there is a question to be answered first: see
    /// [`answer_pending`](crate::elicitation::answer_pending).
    #[must_use]
    pub fn is_answer_pending(&self) -> bool {
        matches!(self.source(), Some(source) if source.is::<Later>())
    }
}

/// The mark of an error that is none.
#[derive(Debug)]
struct Later;

impl Error for Later {}

impl fmt::Display for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a question was asked")
    }
}
