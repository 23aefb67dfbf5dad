//! Reads errors: strictly, or as far as they can be understood.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::report::{Place, Report};
use crate::json::{Kind, Limits, Node, Value};
use crate::model::{describe, expect, string};
use crate::violation::rules::{result, structure};
use crate::{Pointer, Violations};

use super::super::members::Members;
use super::{ErrorKind, StandardError};

pub(super) fn strict(value: &Value) -> Result<StandardError, Violations> {
    let mut report = Report::new(Limits::default().violations);
    read(value.root(), &mut report)
        .filter(|_| report.errors() == 0)
        .ok_or_else(|| report.finish_value(value, &Pointer::root()))
}

pub(super) fn failure(value: Node<'_>) -> Option<StandardError> {
    let failed = value.get("success").and_then(Node::as_bool) == Some(false);
    let error = value.get("error").filter(|e| e.kind() == Kind::Object)?;
    failed.then(|| lenient(error))
}

fn read(node: Node<'_>, report: &mut Report) -> Option<StandardError> {
    if node.kind() != Kind::Object {
        report.add(&structure::WRONG_TYPE, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected an error, which is an object, found {}",
                describe(node)
            ));
        });
        return None;
    }
    let code = required(node, "code", report);
    let message = required(node, "message", report).filter(|m| says_something(node, m, report));
    let details = node.get("details");
    let details = details.and_then(|d| expect(d, Kind::Object, "details", report));
    let stack_trace = node.get("stack_trace");
    let stack_trace = stack_trace.and_then(|s| string(s, "stack_trace", report));
    Some(StandardError {
        code: code?.into(),
        message: message?.into(),
        details: details.map(Members::of),
        stack_trace: stack_trace.map(Into::into),
    })
}

fn required<'a>(node: Node<'a>, name: &str, report: &mut Report) -> Option<Cow<'a, str>> {
    if let Some(field) = node.get(name) {
        return string(field, name, report);
    }
    let place = Place::Node(node.id());
    report.add(&structure::MISSING_FIELD, place, |finding| {
        finding.say(format!(
            "expected the field `{name}` in an error, found none"
        ));
    });
    None
}

fn says_something(node: Node<'_>, message: &str, report: &mut Report) -> bool {
    let blank = message.trim().is_empty();
    if blank {
        let place = node.get("message").unwrap_or(node);
        report.add(&result::MESSAGE_BLANK, Place::Node(place.id()), |finding| {
            finding.say("expected `message` to say something, found only white space or nothing");
        });
    }
    !blank
}

/// Skips what is malformed: a tool that reports its failure badly has still failed.
fn lenient(error: Node<'_>) -> StandardError {
    let text = |key| error.get(key).and_then(Node::as_str);
    let code = text("code").filter(|code| !code.trim().is_empty());
    let code = code.as_deref().unwrap_or(ErrorKind::Internal.code());
    let details = error.get("details").filter(|d| d.kind() == Kind::Object);
    StandardError {
        details: details.map(Members::of),
        stack_trace: text("stack_trace").map(Into::into),
        ..StandardError::with_code(code, &text("message").unwrap_or_default())
    }
}

/// Without the stack trace.
impl Serialize for StandardError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::embedded(&self.to_json()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StandardError {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let value = <Value as Deserialize>::deserialize(input)?;
        Self::from_value(&value).map_err(serde::de::Error::custom)
    }
}
