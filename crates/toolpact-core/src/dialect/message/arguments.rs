//! Arguments: an object, or the JSON text of one.

use crate::json::report::{Place, Report};
use crate::json::{Document, Kind, Limits, Node, Value, paths};
use crate::model::{describe, expect};
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

/// Reads the arguments from the member `key`. `None` after reporting that they are invalid;
/// violations inside JSON text are returned as the error.
pub(super) fn read(
    node: Option<Node<'_>>,
    key: &str,
    report: &mut Report,
) -> Result<Option<Value>, Violations> {
    let Some(node) = node else {
        return Ok(Some(none()));
    };
    match (node.kind(), node.as_str()) {
        (Kind::Null, _) => Ok(Some(none())),
        (Kind::Object, _) => Ok(Some(node.to_value())),
        (_, Some(text)) if text.trim_ascii().is_empty() => Ok(Some(none())),
        (_, Some(text)) => match read_text(&text, key) {
            Ok(args) => Ok(Some(args)),
            Err(violations) => {
                let place = paths(node.index(), &[node.id()], &Pointer::root()).pop();
                let place = place.unwrap_or_default();
                Err(violations.moved(|pointer| pointer.moved(0, &place)))
            }
        },
        _ => {
            report.add(&rules::WRONG_TYPE, Place::Node(node.id()), |finding| {
                finding.say(format!(
                    "expected `{key}` to be an object or the JSON text of one, found {}",
                    describe(node)
                ));
            });
            Ok(None)
        }
    }
}

fn none() -> Value {
    Value::embedded("{}")
}

fn read_text(text: &str, key: &str) -> Result<Value, Violations> {
    let document = Document::json(text.as_bytes(), &Limits::default());
    let unread = document.root().is_none();
    let checked =
        document.check(|root, report| Some(expect(root, Kind::Object, key, report)?.to_value()));
    checked.into_result().map_err(|mut violations| {
        // Locations in the JSON text are not locations in the message: no fix applies there.
        for violation in &mut violations.list {
            let location = violation.location.take();
            if let Some(location) = location.filter(|_| unread) {
                let (line, column) = (location.line, location.column);
                violation.message += &format!(" (line {line}, column {column} of the text)");
            }
            if let Some(suggestion) = &mut violation.suggestion {
                suggestion.fix = None;
            }
        }
        violations
    })
}
