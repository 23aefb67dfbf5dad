//! The formats that the schemas only note. The verdict is the `jsonschema` crate's.

use std::sync::LazyLock;

use crate::check::Checker;
use crate::json::{Node, Value};
use crate::model::describe;
use crate::schema::JsonSchema;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

static DATE_TIME: LazyLock<Checker> = LazyLock::new(|| checker(r#"{"format": "date-time"}"#));
static URI: LazyLock<Checker> = LazyLock::new(|| checker(r#"{"format": "uri"}"#));

/// The member `key` must be a date and time of RFC 3339. Returns it if it is one.
pub(super) fn date_time<'a>(
    object: Node<'a>,
    key: &'static str,
    report: &mut Report,
) -> Option<Node<'a>> {
    let what = "a date and time of RFC 3339, such as `2026-02-15T10:30:00Z`";
    hold(object.get(key)?, &DATE_TIME, what, report)
}

/// The member `key` must be an absolute URI of RFC 3986.
pub(super) fn uri(object: Node<'_>, key: &'static str, report: &mut Report) {
    if let Some(node) = object.get(key) {
        let what = "a whole URI of RFC 3986, such as `https://example.com/a.png`";
        hold(node, &URI, what, report);
    }
}

fn hold<'a>(node: Node<'a>, format: &Checker, what: &str, report: &mut Report) -> Option<Node<'a>> {
    node.as_str()?;
    // The words of the verdict are not needed, so that none are made.
    if format.check_node(node, &mut Report::new(0)) {
        return Some(node);
    }
    report.add(&rules::FORMAT, Place::Node(node.id()), |finding| {
        finding.say(format!("expected {what}, found {}", describe(node)));
    });
    None
}

fn checker(schema: &str) -> Checker {
    JsonSchema::trusted(Value::embedded(schema)).checker()
}
