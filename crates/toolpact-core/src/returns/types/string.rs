use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::Value as Json;

use super::refine;
use super::result_node::ResultNode;
use super::scalar::{Scalar, Value};
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// Text, or an error.
///
/// ```
/// use toolpact_core::returns::types::StringValue;
///
/// let text = StringValue::success("Hello");
/// assert_eq!(serde_json::to_string(&text)?, r#"{"success":true,"value":"Hello"}"#);
/// assert_eq!(serde_json::to_string(&StringValue::bare("Hello"))?, r#""Hello""#);
///
/// let read: StringValue = serde_json::from_str(r#""Hello""#)?;
/// assert_eq!(read.as_result(), Ok("Hello"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StringValue(Scalar<Box<str>>);

standard_result!(StringValue);

impl StringValue {
    /// A success.
    #[must_use]
    pub fn success(value: impl Into<Box<str>>) -> Self {
        Self(Scalar::wrapped(Ok(value.into())))
    }

    /// A success, written as the string alone.
    #[must_use]
    pub fn bare(value: impl Into<Box<str>>) -> Self {
        Self(Scalar::bare(value.into()))
    }

    /// A failure.
    #[must_use]
    pub fn failure(error: StandardError) -> Self {
        Self(Scalar::wrapped(Err(error)))
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<&str, &StandardError> {
        self.0.outcome.as_deref()
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<Box<str>, StandardError> {
        self.0.outcome
    }

    fn wire(&self) -> impl Serialize {
        self.0.wire(|value| value, |value| Value { value })
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        Scalar::read(part, &["value"], ResultNode::text, |_, value| Ok(value)).map(Self)
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![refine::envelope(generator, &["value"], &["value"])]
    }
}
