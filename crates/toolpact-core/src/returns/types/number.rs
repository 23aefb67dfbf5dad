use schemars::SchemaGenerator;
use serde::Serialize;
use serde_json::{Number, Value as Json};

use super::refine;
use super::result_node::ResultNode;
use super::scalar::Scalar;
use super::wire::standard_result;
use crate::Error;
use crate::returns::StandardError;

/// A number, with its unit if it has one, or an error.
///
/// ```
/// use toolpact_core::returns::types::NumberValue;
///
/// let fever = NumberValue::float(98.6)?.with_unit("fahrenheit");
/// assert_eq!(serde_json::to_string(&fever)?, r#"{"success":true,"value":98.6,"unit":"fahrenheit"}"#);
/// assert_eq!(serde_json::to_string(&NumberValue::bare(42))?, "42");
/// assert!(NumberValue::float(f64::NAN).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NumberValue(Scalar<Measure>);

standard_result!(NumberValue);

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Measure {
    value: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<Box<str>>,
}

impl NumberValue {
    /// A success with any integer, or a number of serde_json.
    #[must_use]
    pub fn success(value: impl Into<Number>) -> Self {
        Self(Scalar::wrapped(Ok(Measure::new(value.into()))))
    }

    /// A success with a float, which must be finite.
    pub fn float(value: f64) -> Result<Self, Error> {
        let number = Number::from_f64(value).map(Self::success);
        number.ok_or_else(|| Error::at("value", format!("expected a finite number, found {value}")))
    }

    /// A success, written as the number alone.
    #[must_use]
    pub fn bare(value: impl Into<Number>) -> Self {
        Self(Scalar::bare(Measure::new(value.into())))
    }

    /// A failure.
    #[must_use]
    pub fn failure(error: StandardError) -> Self {
        Self(Scalar::wrapped(Err(error)))
    }

    /// Adds a unit. A failure has none, and stays as it is.
    #[must_use]
    pub fn with_unit(self, unit: &str) -> Self {
        let outcome = self.0.outcome.map(|measure| Measure {
            unit: Some(unit.into()),
            ..measure
        });
        // A bare number has no place for it.
        Self(Scalar::wrapped(outcome))
    }

    /// The payload of a success, or the error.
    pub fn as_result(&self) -> Result<&Number, &StandardError> {
        self.0.outcome.as_ref().map(|measure| &measure.value)
    }

    /// The payload of a success, or the error.
    pub fn into_result(self) -> Result<Number, StandardError> {
        self.0.outcome.map(|measure| measure.value)
    }

    /// The unit.
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        self.0.outcome.as_ref().ok()?.unit.as_deref()
    }

    fn wire(&self) -> impl Serialize {
        self.0.wire(|measure| &measure.value, |measure| measure)
    }

    fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let value = |part: &ResultNode<'_>| part.number().map(Measure::new);
        let in_envelope = |part: &ResultNode<'_>, measure| {
            let unit = part.optional("unit", ResultNode::text)?;
            Ok(Measure { unit, ..measure })
        };
        Scalar::read(part, &["value", "unit"], value, in_envelope).map(Self)
    }

    fn refinements(generator: &mut SchemaGenerator) -> Vec<Json> {
        vec![refine::envelope(generator, &["value"], &["value", "unit"])]
    }
}

impl Measure {
    fn new(value: Number) -> Self {
        Self { value, unit: None }
    }
}
