use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::Value as Json;

use super::envelope;
use super::refine;
use super::result_node::ResultNode;
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// No value, only whether the call succeeded.
///
/// ```
/// use toolpact_core::returns::types::VoidResult;
///
/// let done = VoidResult::success().with_message("Deleted");
/// assert_eq!(serde_json::to_string(&done)?, r#"{"success":true,"message":"Deleted"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VoidResult {
    outcome: Result<(), StandardError>,
    message: Option<Box<str>>,
}

standard_result!(VoidResult);

#[derive(Serialize)]
struct Wire<'a, P> {
    #[serde(flatten)]
    envelope: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct Nothing {}

impl VoidResult {
    /// A success.
    #[must_use]
    pub fn success() -> Self {
        Self {
            outcome: Ok(()),
            message: None,
        }
    }

    /// A failure.
    #[must_use]
    pub fn failure(error: StandardError) -> Self {
        Self {
            outcome: Err(error),
            message: None,
        }
    }

    /// Adds a message.
    #[must_use]
    pub fn with_message(mut self, message: &str) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<(), &StandardError> {
        self.outcome.as_ref().copied()
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<(), StandardError> {
        self.outcome
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    fn wire(&self) -> impl Serialize {
        Wire {
            envelope: envelope::wire(&self.outcome, |()| Nothing {}),
            message: self.message(),
        }
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let outcome = envelope::read(part, &[], |_| Ok(()))?;
        let message = part.optional("message", ResultNode::text)?;
        Ok(Self { outcome, message })
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![refine::envelope(generator, &[], &[])]
    }
}

impl From<Result<(), StandardError>> for VoidResult {
    fn from(outcome: Result<(), StandardError>) -> Self {
        Self {
            outcome,
            message: None,
        }
    }
}
