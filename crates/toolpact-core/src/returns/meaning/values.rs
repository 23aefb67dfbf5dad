//! Rules about single values: explained here, and as a schema for the fast path.

use serde_json::{Value as Json, json};

use super::formats;
use crate::json::report::{Place, Report};
use crate::json::{Kind, Node};
use crate::model::describe;
use crate::violation::Rule;
use crate::violation::rules::meaning as rules;

/// What is required of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ValueRule {
    /// A number of at least 0.
    NotNegative,
    /// A `date-time` of RFC 3339.
    DateTime,
    /// An absolute `uri` of RFC 3986.
    Uri,
    /// One object with `id` and `type`, or an array of them.
    Entities,
}

/// The keys that lead to a value, with `*` for each element or member, and what is required of it.
pub(crate) type ValueRules = &'static [(&'static [&'static str], ValueRule)];

pub(super) fn check(all: ValueRules, value: Node<'_>, report: &mut Report) {
    for (path, rule) in all {
        each(value, path, &mut |key, node| match rule {
            ValueRule::NotNegative => not_negative(key, node, report),
            ValueRule::DateTime => formats::DATE_TIME.check(node, report),
            ValueRule::Uri => formats::URI.check(node, report),
            ValueRule::Entities => entities(node, report),
        });
    }
}

/// The same as a schema, in which formats are asserted; `None` if there are no rules.
pub(crate) fn supplement(all: ValueRules) -> Option<Json> {
    let schemas = all.iter().map(|(path, rule)| {
        path.iter()
            .rev()
            .fold(rule.schema(), |inner, key| match *key {
                "*" => json!({"items": inner, "additionalProperties": inner}),
                key => json!({"properties": {key: inner}}),
            })
    });
    (!all.is_empty()).then(|| json!({"allOf": schemas.collect::<Vec<_>>()}))
}

impl ValueRule {
    pub(super) fn rule(self) -> &'static Rule {
        match self {
            ValueRule::NotNegative => &rules::NEGATIVE,
            ValueRule::DateTime | ValueRule::Uri => &rules::FORMAT,
            ValueRule::Entities => &rules::RELATIONSHIP,
        }
    }

    fn schema(self) -> Json {
        match self {
            ValueRule::NotNegative => json!({"minimum": 0}),
            ValueRule::DateTime => json!({"format": "date-time"}),
            ValueRule::Uri => json!({"format": "uri"}),
            ValueRule::Entities => json!({
                "properties": {"id": {"type": "string"}, "type": {"type": "string"}},
                "required": ["id", "type"],
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "type": {"type": "string"}},
                    "required": ["id", "type"],
                },
            }),
        }
    }
}

/// Calls `found` for each value at the end of a path, with the last key.
fn each<'a>(node: Node<'a>, path: &[&'static str], found: &mut dyn FnMut(&'static str, Node<'a>)) {
    let Some((key, rest)) = path.split_first() else {
        return;
    };
    let mut next = |node: Node<'a>| match rest {
        [] => found(key, node),
        rest => each(node, rest, found),
    };
    match *key {
        "*" => {
            node.items().for_each(&mut next);
            node.entries().for_each(|(_, member)| next(member));
        }
        key => {
            if let Some(member) = node.get(key) {
                next(member);
            }
        }
    }
}

fn not_negative(key: &str, node: Node<'_>, report: &mut Report) {
    if node.as_number().is_some_and(|n| n.as_f64() < 0.0) {
        report.add(&rules::NEGATIVE, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected `{key}` to be at least 0, found {}",
                describe(node)
            ));
        });
    }
}

fn entities(data: Node<'_>, report: &mut Report) {
    match data.kind() {
        Kind::Object => entity(data, report),
        Kind::Array => data.items().for_each(|item| entity(item, report)),
        _ => {}
    }
}

fn entity(node: Node<'_>, report: &mut Report) {
    let mut complain = |at: Node<'_>, expected: &str, found: String| {
        report.add(&rules::RELATIONSHIP, Place::Node(at.id()), |finding| {
            finding.say(format!("expected {expected}, found {found}"));
        });
    };
    if node.kind() != Kind::Object {
        return complain(node, "an object with `id` and `type`", describe(node));
    }
    for key in ["id", "type"] {
        let member = node.get(key);
        if member.is_none_or(|member| member.kind() != Kind::String) {
            let found = member.map_or("none".to_owned(), describe);
            let expected = format!("`{key}` to be a string");
            complain(member.unwrap_or(node), &expected, found);
        }
    }
}
