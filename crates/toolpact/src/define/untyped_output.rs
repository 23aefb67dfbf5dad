use toolpact_core::contract::Contract;
use toolpact_core::json::{Kind, Value};
use toolpact_core::returns::{RawOutput, Returns, StandardError};

/// What a tool without Rust types returns: a value, details, a text, or several of them.
///
/// The result is the typed value if there is one, else the details if they are an object, else the
/// text. It is [lifted](toolpact_core::returns::Lift) into the type that the contract promises, as the
/// contract says. Text is a result where text is promised; where nothing is, it is `{"text": …}`; where
/// structure is promised, it is never a result.
///
/// ```
/// use toolpact::define::UntypedOutput;
/// use toolpact::core::json::Value;
///
/// let output = UntypedOutput::from(Value::from(5)).with_text("Five.");
/// let output = UntypedOutput::text("Five.");
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct UntypedOutput {
    typed: Option<Value>,
    details: Option<Value>,
    text: Option<String>,
}

impl UntypedOutput {
    /// Text, with no structure.
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().with_text(text)
    }

    /// The same with the text that a model reads.
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// The same with details, which stand in for a typed value.
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// What was written without saying what it is: JSON or text, whichever the contract promises.
    pub fn written(text: &str, contract: &Contract) -> Self {
        match contract.lift().read(contract.returns(), text) {
            RawOutput::Json(value) => value.into(),
            RawOutput::Text(text) => Self::text(text),
        }
    }

    /// The value that is the result, and the text that came with it.
    pub(crate) fn into_finished(self) -> (Value, Option<String>) {
        let text = || Value::from(self.text.as_deref().unwrap_or_default());
        match self.typed.or(self.details) {
            Some(value) => (value, self.text),
            None => (text(), None),
        }
    }

    /// The output of which the result is made, and the text that came with it.
    pub(crate) fn into_raw(self, returns: &Returns) -> (RawOutput, Option<String>) {
        let details = self
            .details
            .filter(|details| details.kind() == Kind::Object);
        let value = self.typed.or(details);
        let is_failure = |value: &Value| StandardError::of_failure(value.root()).is_some();
        // Beside a value, a text that says nothing is none: the text is then made of the value.
        let text = self
            .text
            .filter(|text| value.is_none() || !text.trim().is_empty());
        match (value, text) {
            // Where text is promised, a text says it better than the JSON beside it.
            (Some(value), Some(text)) if *returns == Returns::Opaque && !is_failure(&value) => {
                (RawOutput::Text(text), None)
            }
            (Some(value), text) => (RawOutput::Json(value), text),
            (None, text) => (RawOutput::Text(text.unwrap_or_default()), None),
        }
    }
}

impl From<Value> for UntypedOutput {
    fn from(typed: Value) -> Self {
        Self {
            typed: Some(typed),
            ..Self::default()
        }
    }
}
