//! What a call is answered with.

use rmcp::model::{CallToolResponse, InputRequiredResult};

use super::answer::Answer;

/// The end of a call, or what has to be answered first.
pub(crate) enum Reply {
    Complete(Answer),
    Asks(Box<InputRequiredResult>),
}

impl Reply {
    /// As the library takes it.
    pub(super) fn into_response(self) -> CallToolResponse {
        match self {
            Self::Complete(answer) => CallToolResponse::Complete(answer.into_result()),
            Self::Asks(questions) => CallToolResponse::InputRequired(*questions),
        }
    }

    /// As JSON. Only the last version says what kind of a result it is, and only there are questions.
    pub(crate) fn write(&self, into: &mut Vec<u8>, says_type: bool) -> serde_json::Result<()> {
        match self {
            Self::Complete(answer) => answer.write(into, says_type),
            Self::Asks(questions) => serde_json::to_writer(into, questions),
        }
    }
}
