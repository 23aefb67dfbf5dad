//! The formats that are only annotations in the schemas. The `jsonschema` crate checks them.

use std::sync::LazyLock;

use crate::check::Checker;
use crate::json::report::{Place, Report};
use crate::json::{Node, Value};
use crate::model::describe;
use crate::schema::JsonSchema;
use crate::violation::rules::meaning as rules;

/// A format, and what it is in words.
pub(crate) struct Format {
    checker: LazyLock<Checker>,
    expected: &'static str,
}

pub(crate) static DATE_TIME: Format = Format {
    checker: LazyLock::new(|| checker(r#"{"format": "date-time"}"#)),
    expected: "a date and time of RFC 3339, such as `2026-02-15T10:30:00Z`",
};

pub(crate) static URI: Format = Format {
    checker: LazyLock::new(|| checker(r#"{"format": "uri"}"#)),
    expected: "a whole URI of RFC 3986, such as `https://example.com/a.png`",
};

impl Format {
    /// Whether a text is of this format.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        self.accepts_node(Value::from(text).root())
    }

    /// Values other than strings are accepted.
    pub(super) fn accepts_node(&self, node: Node<'_>) -> bool {
        // Only the verdict is needed, so no findings are kept.
        self.checker.check_node(node, &mut Report::new(0))
    }

    pub(super) fn check(&self, node: Node<'_>, report: &mut Report) {
        if !self.accepts_node(node) {
            report.add(&rules::FORMAT, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected {}, found {}",
                    self.expected,
                    describe(node)
                ));
            });
        }
    }
}

fn checker(schema: &str) -> Checker {
    JsonSchema::trusted(Value::embedded(schema)).checker()
}
