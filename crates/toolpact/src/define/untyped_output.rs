use serde::Serialize;
use toolpact_core::json::{Kind, Value};
use toolpact_core::returns::Returns;

/// What a tool without Rust types returns: a value, details, a text, or several of them.
///
/// The result is the typed value if there is one, else the details if they are an object, else the
/// text as `{"text": …}`, or as it is where the contract promises no more than text.
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

    /// Whether there is nothing but text.
    pub(crate) fn is_only_text(&self) -> bool {
        self.typed.is_none() && self.details.is_none()
    }

    /// The result, and the text that came with it.
    pub(crate) fn resolve(self, returns: &Returns) -> (Value, Option<String>) {
        let details = self
            .details
            .filter(|details| details.kind() == Kind::Object);
        match self.typed.or(details) {
            // A text that says nothing is none: the text is then made of the value.
            Some(value) => (value, self.text.filter(|text| !text.trim().is_empty())),
            None => {
                let text = self.text.as_deref().unwrap_or_default();
                let value = match returns {
                    Returns::Opaque => Value::from(text),
                    _ => of_text(text),
                };
                (value, self.text)
            }
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

fn of_text(text: &str) -> Value {
    #[derive(Serialize)]
    struct Text<'a> {
        text: &'a str,
    }
    let json = serde_json::to_string(&Text { text }).unwrap_or_default();
    Value::from_json(json).unwrap_or_else(|_| Value::from(text))
}
