//! Schemas that tell a model nothing, and promise nothing.

use super::Selection;
use super::subject::Promise;
use crate::json::report::Report;
use crate::json::{Kind, Node};
use crate::text::list;
use crate::violation::rules::lint as rules;

/// Looks at what a tool takes and returns.
pub(super) fn check(promise: &Promise<'_>, selection: &Selection, report: &mut Report) {
    let parameters = promise.parameters();
    if selection.has(&rules::PARAMETER_DESCRIPTION) {
        undescribed(promise, parameters.root(), report);
    }
    if selection.has(&rules::LOOSE_PARAMETERS) {
        loose_parameters(promise, parameters.root(), report);
    }
    if selection.has(&rules::LOOSE_RETURNS)
        && let Some(schema) = promise.returns()
        && let Some(why) = why_loose(schema.root())
    {
        report.add(
            &rules::LOOSE_RETURNS,
            promise.place(&["returns", "schema"]),
            |finding| {
                finding.say(format!("the result may be {why}"));
            },
        );
    }
}

fn undescribed(promise: &Promise<'_>, parameters: Node<'_>, report: &mut Report) {
    let says = |schema: Node<'_>| {
        let text = |key: &str| {
            schema
                .get(key)
                .and_then(Node::as_str)
                .is_some_and(|text| !text.trim().is_empty())
        };
        text("description") || text("title") || schema.get("$ref").is_some()
    };
    let all = properties(parameters).filter(|(_, schema)| !says(*schema));
    let names: Vec<String> = all.map(|(name, _)| name.into_owned()).collect();
    if names.is_empty() {
        return;
    }
    report.add(
        &rules::PARAMETER_DESCRIPTION,
        promise.place(&["parameters", "properties"]),
        |finding| {
            let names = list(names.iter().map(String::as_str));
            finding.say(format!(
                "expected a description of each parameter, found none of {names}"
            ));
        },
    );
}

fn properties(schema: Node<'_>) -> impl Iterator<Item = (std::borrow::Cow<'_, str>, Node<'_>)> {
    schema.get("properties").into_iter().flat_map(Node::members)
}

fn loose_parameters(promise: &Promise<'_>, parameters: Node<'_>, report: &mut Report) {
    if let Some(why) = why_loose(parameters) {
        report.add(
            &rules::LOOSE_PARAMETERS,
            promise.place(&["parameters"]),
            |finding| {
                finding.say(format!("the arguments may be {why}"));
            },
        );
        return;
    }
    let loose = properties(parameters).filter(|(_, schema)| why_loose(*schema).is_some());
    let names: Vec<String> = loose.map(|(name, _)| name.into_owned()).collect();
    if names.is_empty() {
        return;
    }
    report.add(
        &rules::LOOSE_PARAMETERS,
        promise.place(&["parameters", "properties"]),
        |finding| {
            let names = list(names.iter().map(String::as_str));
            finding.say(format!(
                "expected to be told what each parameter may be, found nothing of {names}"
            ));
        },
    );
}

/// Keywords that only describe.
const WORDS: &[&str] = &[
    "description",
    "title",
    "default",
    "example",
    "examples",
    "$comment",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "deprecated",
    "readOnly",
    "writeOnly",
    "nullable",
];

/// What a schema allows that says too little, if it does.
fn why_loose(schema: Node<'_>) -> Option<&'static str> {
    if schema.kind() != Kind::Object {
        return (schema.as_bool() == Some(true)).then_some("anything");
    }
    let conditions = || {
        schema
            .members()
            .filter(|(key, _)| !WORDS.contains(&&**key) && !key.starts_with("x-"))
    };
    if conditions().next().is_none() {
        return Some("anything");
    }
    let only = |allowed: &[&str]| {
        conditions().all(|(key, value)| {
            allowed.contains(&&*key)
                && (key == "type"
                    || value.as_bool() == Some(true)
                    || value.members().next().is_none())
        })
    };
    let kind = schema.get("type").and_then(Node::as_str)?.to_lowercase();
    match kind.as_str() {
        // No arguments are said with empty `properties`.
        "object"
            if schema.get("properties").is_none() && only(&["type", "additionalProperties"]) =>
        {
            Some("an object with any keys")
        }
        "array" if only(&["type", "items"]) => Some("an array of anything"),
        _ => None,
    }
}
