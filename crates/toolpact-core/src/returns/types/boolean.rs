use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::Value as Json;

use super::refine;
use super::result_node::ResultNode;
use super::scalar::{Scalar, Value};
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// True or false, or an error.
///
/// ```
/// use toolpact_core::returns::types::BooleanValue;
///
/// let no = BooleanValue::success(false);
/// assert_eq!(serde_json::to_string(&no)?, r#"{"success":true,"value":false}"#);
/// assert_eq!(serde_json::to_string(&BooleanValue::bare(false))?, "false");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BooleanValue(Scalar<bool>);

standard_result!(BooleanValue);

impl BooleanValue {
    /// A success.
    #[must_use]
    pub fn success(value: bool) -> Self {
        Self(Scalar::wrapped(Ok(value)))
    }

    /// A success, written as `true` or `false` alone.
    #[must_use]
    pub fn bare(value: bool) -> Self {
        Self(Scalar::bare(value))
    }

    /// A failure.
    #[must_use]
    pub fn failure(error: StandardError) -> Self {
        Self(Scalar::wrapped(Err(error)))
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<bool, &StandardError> {
        self.0.outcome.as_ref().copied()
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<bool, StandardError> {
        self.0.outcome
    }

    fn wire(&self) -> impl Serialize {
        self.0.wire(|value| value, |value| Value { value })
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        Scalar::read(part, &["value"], ResultNode::flag, |_, value| Ok(value)).map(Self)
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![refine::envelope(generator, &["value"], &["value"])]
    }
}
