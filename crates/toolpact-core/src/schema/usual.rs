//! The mistakes that people and generators make in schemas, in plain words.

use std::collections::HashSet;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, NodeId};
use crate::model::describe;
use crate::text::shorten;
use crate::violation::rules::json_schema as rules;

use super::walk::subschemas;

/// The types of JSON Schema.
pub(crate) const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "object", "array", "null",
];

/// The JSON type that a word of another language means.
pub(crate) fn meant_type(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "str" | "text" | "date" | "datetime" | "file" | "url" | "uuid" | "email" => Some("string"),
        "float" | "double" | "decimal" => Some("number"),
        "int" | "long" => Some("integer"),
        "bool" => Some("boolean"),
        "list" | "tuple" | "set" => Some("array"),
        "dict" | "map" | "json" => Some("object"),
        "none" => Some("null"),
        lower => TYPES.into_iter().find(|known| *known == lower),
    }
}

/// Reports them, and returns the nodes that were reported.
pub(super) fn mistakes(schema: Node<'_>, report: &mut Report) -> HashSet<NodeId> {
    let mut told = HashSet::new();
    for schema in subschemas(schema) {
        let types = schema.get("type");
        let words = types.filter(|types| types.kind() == Kind::String);
        let many = types.into_iter().flat_map(Node::items);
        for word in words.into_iter().chain(many) {
            if wrong_type(word, report) {
                told.insert(word.id());
                // The meta-schema blames the list.
                told.extend(types.map(Node::id));
            }
        }
        if let Some(required) = schema.get("required").filter(|r| repeated(*r, report)) {
            told.insert(required.id());
        }
    }
    told
}

fn wrong_type(node: Node<'_>, report: &mut Report) -> bool {
    let Some(word) = node.as_str().filter(|word| !TYPES.contains(&&**word)) else {
        return false;
    };
    report.add(&rules::INVALID, Place::Node(node.id()), |finding| {
        let found = match &*word {
            "" => describe(node),
            word => format!("`{}`", shorten(word)),
        };
        finding.say(format!(
            "expected a type of JSON Schema, which are {}, found {found}",
            crate::text::list(TYPES.into_iter())
        ));
        match meant_type(&word) {
            Some(meant) => finding.did_you_mean(Some(meant)),
            None => finding.did_you_mean_one_of(&word, TYPES),
        };
    });
    true
}

/// Reports the first name that `required` repeats.
fn repeated(required: Node<'_>, report: &mut Report) -> bool {
    let mut seen = HashSet::new();
    let again = required.items().find(|item| {
        let name = item.as_str();
        name.is_some_and(|name| !seen.insert(name))
    });
    let Some(again) = again else { return false };
    report.add(&rules::INVALID, Place::Node(again.id()), |finding| {
        let name = again.as_str().unwrap_or_default();
        finding.say(format!(
            "expected each name once in `required`, found `{}` again",
            shorten(&name)
        ));
    });
    true
}
