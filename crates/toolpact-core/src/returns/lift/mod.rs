//! Lifting: the output of programs and servers that know nothing of return types, as a result of the
//! type that the contract promises.

mod assemble;
mod mapping;
mod natural;
#[cfg(test)]
mod tests;
mod text;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Value, Writer};
use crate::text::shorten;
use crate::violation::rules::value as rules;
use crate::{Pointer, Violations};

use super::failure::is_failure;
use super::level::checked;
use super::{Returns, StandardType};
use assemble::{Move, assemble};
pub use mapping::LiftMapping;

/// How output becomes a result: the field `lift` of a contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lift {
    /// Where there is exactly one way to, and nothing is lost: a list becomes the `data` of a
    /// ListResult.
    #[default]
    Natural,
    /// Not at all: the output is the result.
    Never,
    /// As a mapping says.
    Mapping(LiftMapping),
}

/// What a program or a server gave.
#[derive(Debug, Clone)]
pub enum RawOutput {
    /// JSON.
    Json(Value),
    /// Text that is not JSON, or is not to be read as such.
    Text(String),
}

/// A result made of output, which remembers where its parts are from.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::{Level, Lift, RawOutput, Returns, StandardType};
///
/// let returns = Returns::Standard { standard: StandardType::ListResult, refinement: None };
/// let output = RawOutput::Json(Value::from_json(r#"[{"id": 1}, 2]"#)?);
/// let lifted = Lift::Natural.apply(&returns, &output);
/// assert_eq!(lifted.value().text(), r#"{"success":true,"data":[{"id": 1}, 2]}"#);
///
/// let violations = returns.enforcer(Level::Meaning).check(lifted.value()).unwrap_err();
/// let violations = lifted.explain(violations);
/// assert_eq!(violations.iter().next().unwrap().pointer().to_string(), "/1");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lifted {
    value: Value,
    /// Where the parts are from; `None` if the output is the result.
    moves: Option<Vec<Move>>,
    refusal: Option<Violations>,
}

impl Lift {
    /// Reads what was written without saying what it is: JSON, unless it is that by chance where a
    /// string is promised.
    #[must_use]
    pub fn read(&self, returns: &Returns, written: &str) -> RawOutput {
        let text = || RawOutput::Text(written.to_owned());
        if *returns == Returns::Opaque {
            return text();
        }
        match Value::from_json(written.trim()) {
            Ok(value) if *self != Lift::Never && text::is_plain(&value, returns) => text(),
            Ok(value) => RawOutput::Json(value),
            Err(_) => text(),
        }
    }

    /// The result that the output is, or becomes.
    #[must_use]
    pub fn apply(&self, returns: &Returns, output: &RawOutput) -> Lifted {
        match (output, returns) {
            (RawOutput::Text(text), Returns::Opaque) => Lifted::as_it_is(Value::from(&**text)),
            (RawOutput::Text(text), Returns::Legacy { .. } | Returns::Undeclared) => {
                Lifted::as_it_is(in_object(text))
            }
            (RawOutput::Text(text), _) => self.of_text(returns, text),
            (RawOutput::Json(value), _) => {
                let lifted = self.of_json(returns, value);
                lifted.unwrap_or_else(|| Lifted::as_it_is(value.clone()))
            }
        }
    }

    /// The result that text becomes where more than text is promised.
    fn of_text(&self, returns: &Returns, text: &str) -> Lifted {
        let string = || Value::from(text);
        let lifted = match (self, returns) {
            (Lift::Mapping(mapping), _) => mapping.apply(returns, string().root()),
            (Lift::Natural, Returns::Standard { standard, .. }) => {
                natural::of_text(*standard, text)
            }
            (Lift::Natural, Returns::Custom(schema)) => {
                text::is_allowed(schema).then(|| Lifted::as_it_is(string()))
            }
            (Lift::Never | Lift::Natural, _) => None,
        };
        lifted.unwrap_or_else(|| Lifted {
            refusal: Some(refusal(text)),
            ..Lifted::as_it_is(in_object(text))
        })
    }

    /// `None` if the value is the result. What reports a failure is one, and is never changed.
    fn of_json(&self, returns: &Returns, value: &Value) -> Option<Lifted> {
        let root = value.root();
        if is_failure(root) {
            return None;
        }
        match (self, returns) {
            (Lift::Mapping(mapping), _) => mapping.apply(returns, root),
            (Lift::Natural, Returns::Standard { standard, .. }) => {
                natural::of_json(*standard, root)
            }
            // The text of a value is its JSON.
            (Lift::Natural, Returns::Opaque) if value.kind() != Kind::String => {
                Some(Lifted::as_it_is(Value::from(value.text())))
            }
            (Lift::Never | Lift::Natural, _) => None,
        }
    }
}

impl Lifted {
    fn as_it_is(value: Value) -> Self {
        Self {
            value,
            moves: None,
            refusal: None,
        }
    }

    /// A result of these parts of the output.
    fn of(standard: Option<StandardType>, output: Node<'_>, moves: Vec<Move>) -> Self {
        Self {
            value: assemble(standard, output, &moves),
            moves: Some(moves),
            refusal: None,
        }
    }

    /// The result, which has not been checked.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether the output is the result.
    #[must_use]
    pub fn is_output(&self) -> bool {
        self.moves.is_none() && self.refusal.is_none()
    }

    /// Why the output can be no result, whatever the schema leaves open: structure was promised, and
    /// it is text.
    #[must_use]
    pub fn refusal(&self) -> Option<&Violations> {
        self.refusal.as_ref()
    }

    /// The violations of the result, at the places of the output that it is made of.
    #[must_use]
    pub fn explain(&self, violations: Violations) -> Violations {
        let Some(moves) = &self.moves else {
            return violations;
        };
        let origin = |place: &Pointer| {
            let mut origins = moves.iter().filter_map(|moved| moved.origin(place));
            origins.next().unwrap_or_default()
        };
        violations.moved(origin).without_source()
    }
}

/// `{"text": …}`: what becomes of text where nothing is promised.
fn in_object(text: &str) -> Value {
    let mut writer = Writer::default();
    writer.begin_object().key("text").string(text).end_object();
    Value::trusted(writer)
}

fn refusal(text: &str) -> Violations {
    let found = match text.trim() {
        "" => "nothing".to_owned(),
        text => format!("the text `{}`", shorten(text)),
    };
    let refuse = |node: Node<'_>, report: &mut Report| {
        report.add(&rules::TYPE, Place::Node(node.id()), |finding| {
            finding
                .say(format!(
                    "expected JSON of the promised structure, found {found}"
                ))
                .advise("a tool whose result is text promises `opaque` or `StringValue`");
        });
    };
    let refused = checked(&Value::from(text), refuse);
    refused.err().unwrap_or_default()
}
