use std::fmt;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, Writer};
use crate::model::describe;
use crate::violation::rules::structure as rules;

/// The identifier that links a result to its call, exactly as the caller wrote it.
///
/// Providers use strings. MCP also allows numbers, and `7`, `7.0` and `"7"` are three different
/// identifiers, so a number keeps its text.
///
/// ```
/// use toolpact_core::dialect::{CallId, Dialect};
/// use toolpact_core::json::Value;
///
/// let request = r#"{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"ping"}}"#;
/// let call = Dialect::Mcp.read_call(&Value::from_json(request)?, None)?;
/// assert_eq!(call.id, Some(CallId::from(9_007_199_254_740_993)));
/// assert_ne!(call.id, Some(CallId::from("9007199254740993")));
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    text: Box<str>,
    is_number: bool,
}

impl CallId {
    /// The string, or the digits of the number.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// Reads the identifier from the member `key`. Null counts as absent.
    pub(super) fn read(node: Option<Node<'_>>, key: &str, report: &mut Report) -> Option<Self> {
        let node = node?;
        match node.kind() {
            Kind::Null => None,
            Kind::String => Some(node.as_str()?.as_ref().into()),
            Kind::Number => Some(Self {
                text: node.text().into(),
                is_number: true,
            }),
            _ => {
                report.add(&rules::WRONG_TYPE, Place::Node(node.id()), |finding| {
                    finding.say(format!(
                        "expected `{key}` to be a string, found {}",
                        describe(node)
                    ));
                });
                None
            }
        }
    }

    /// Writes it as it was, for dialects that allow both types.
    pub(super) fn write(&self, writer: &mut Writer) {
        match self.is_number {
            true => drop(writer.raw(&self.text)),
            false => drop(writer.string(&self.text)),
        }
    }
}

impl From<&str> for CallId {
    fn from(text: &str) -> Self {
        Self {
            text: text.into(),
            is_number: false,
        }
    }
}

impl From<String> for CallId {
    fn from(text: String) -> Self {
        Self {
            text: text.into(),
            is_number: false,
        }
    }
}

impl From<i64> for CallId {
    fn from(number: i64) -> Self {
        Self {
            text: number.to_string().into(),
            is_number: true,
        }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
