//! From what serde would take to what a contract promises: an optional argument is absent, never
//! null, and there are no arguments that nobody asked for.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

/// Puts the schema of an input right.
pub(super) fn make_strict(schema: &mut Json) {
    let mut shared = BTreeSet::new();
    let mut collect = |object: &mut Map<String, Json>, _: bool| collect_shared(object, &mut shared);
    each_object(schema, true, &mut collect);
    for definition in definitions(schema) {
        each_object(definition.1, true, &mut collect);
    }
    for (name, definition) in definitions(schema) {
        each_object(definition, !shared.contains(name), &mut put_right);
    }
    if let Json::Object(root) = schema {
        name_nothing(root);
    }
    each_object(schema, true, &mut put_right);
}

fn definitions(schema: &mut Json) -> impl Iterator<Item = (&String, &mut Json)> {
    let definitions = schema.get_mut("$defs").and_then(Json::as_object_mut);
    definitions.into_iter().flatten()
}

fn put_right(object: &mut Map<String, Json>, whole: bool) {
    forbid_null(object);
    if whole && !is_combined(object) {
        close(object);
    }
}

/// A tool that takes nothing has no properties, and that should mean: none.
fn name_nothing(root: &mut Map<String, Json>) {
    let is_object = root.get("type").and_then(Json::as_str) == Some("object");
    let says_more = |keyword: &str| root.contains_key(keyword);
    if is_object
        && !says_more("additionalProperties")
        && !says_more("properties")
        && !is_combined(root)
    {
        root.insert("properties".to_owned(), Json::Object(Map::new()));
    }
}

/// Visits the schemas that say something about one value or a part of it, with whether a schema
/// describes its value alone. Definitions are left out.
fn each_object(
    schema: &mut Json,
    whole: bool,
    visit: &mut impl FnMut(&mut Map<String, Json>, bool),
) {
    let Json::Object(object) = schema else { return };
    visit(object, whole);
    // Alternatives describe the whole value only if nothing else is said beside them.
    let alone = whole && !object.contains_key("properties") && !object.contains_key("$ref");
    for (keyword, value) in object.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties", Json::Object(parts)) => parts
                .values_mut()
                .for_each(|part| each_object(part, true, visit)),
            ("items" | "additionalProperties" | "contains", part) => each_object(part, true, visit),
            ("prefixItems", Json::Array(parts)) => parts
                .iter_mut()
                .for_each(|part| each_object(part, true, visit)),
            ("anyOf" | "oneOf", Json::Array(parts)) => parts
                .iter_mut()
                .for_each(|part| each_object(part, alone, visit)),
            ("allOf", Json::Array(parts)) => parts
                .iter_mut()
                .for_each(|part| each_object(part, false, visit)),
            _ => {}
        }
    }
}

/// Definitions that are one part of a description: the other part may have properties of its own.
fn collect_shared(object: &Map<String, Json>, shared: &mut BTreeSet<String>) {
    if object.contains_key("properties") || object.contains_key("required") {
        shared.extend(target(object));
    }
    for part in object
        .get("allOf")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
    {
        shared.extend(part.as_object().and_then(target));
    }
}

/// The name of the definition that is referred to.
fn target(object: &Map<String, Json>) -> Option<String> {
    let reference = object.get("$ref")?.as_str()?;
    reference.strip_prefix("#/$defs/").map(str::to_owned)
}

fn is_combined(object: &Map<String, Json>) -> bool {
    [
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "unevaluatedProperties",
    ]
    .iter()
    .any(|keyword| object.contains_key(*keyword))
}

/// No keys but those that are named.
fn close(object: &mut Map<String, Json>) {
    if object.contains_key("properties") && !object.contains_key("patternProperties") {
        object
            .entry("additionalProperties")
            .or_insert(Json::Bool(false));
    }
}

/// What is not required may be left out; null is something else.
fn forbid_null(object: &mut Map<String, Json>) {
    let required: Vec<String> = (object.get("required").and_then(Json::as_array))
        .map(|names| {
            names
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect()
        })
        .unwrap_or_default();
    let Some(Json::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    for (name, property) in properties {
        if let Json::Object(property) = property
            && !required.contains(name)
        {
            drop_null(property);
        }
    }
}

fn drop_null(property: &mut Map<String, Json>) {
    if property.get("default") == Some(&Json::Null) {
        property.remove("default");
    }
    if let Some(Json::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(types) = property.get_mut("type") {
        drop_null_type(types);
    }
    if let Some(Json::Array(parts)) = property.get_mut("anyOf") {
        parts.retain(|part| part.get("type").and_then(Json::as_str) != Some("null"));
        if let [Json::Object(only)] = &mut parts[..] {
            let only = std::mem::take(only);
            property.remove("anyOf");
            for (keyword, value) in only {
                property.entry(keyword).or_insert(value);
            }
        }
    }
}

fn drop_null_type(types: &mut Json) {
    let Json::Array(names) = types else { return };
    names.retain(|name| name.as_str() != Some("null"));
    if let [only] = &mut names[..] {
        *types = only.take();
    }
}
