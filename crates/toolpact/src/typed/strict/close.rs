//! No keys but those that are named.
//!
//! A schema that describes its value alone is closed with `additionalProperties`. Where several
//! describe one value together, each knows only its own keys: they stay open, and
//! `unevaluatedProperties` closes the whole. (Of an untagged enum that is flattened, values may then
//! have the keys of two variants, which serde would ignore.)

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use crate::typed::walk::{About, definitions, each_part, target};

pub(super) fn close(schema: &mut Json) {
    let open = open(schema);
    for (name, definition) in definitions(schema) {
        put_right(definition, !open.contains(name), &open);
    }
    put_right(schema, true, &open);
}

/// Whether other schemas say something about the same value.
pub(super) fn is_combined(object: &Map<String, Json>) -> bool {
    has(object, &["$ref", "allOf", "anyOf", "oneOf", "if"])
}

/// Definitions that describe a value together with others, so that they cannot be closed.
fn open(schema: &mut Json) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    // What an open definition is made of is open, too, and may have been seen before.
    loop {
        let before = open.len();
        find_open(schema, true, &mut open);
        for (name, definition) in definitions(schema) {
            let whole = !open.contains(name);
            find_open(definition, whole, &mut open);
        }
        if open.len() == before {
            return open;
        }
    }
}

fn find_open(schema: &mut Json, whole: bool, open: &mut BTreeSet<String>) {
    let Json::Object(object) = schema else { return };
    let leaves = whole && leaves_it_to_one(object);
    if !leaves && let Some(name) = target(object) {
        open.insert(name.into_owned());
    }
    each_part(object, &mut |spec, part| {
        find_open(part, spec == About::Inside || leaves, open);
    });
}

fn put_right(schema: &mut Json, whole: bool, open: &BTreeSet<String>) {
    let Json::Object(object) = schema else { return };
    let leaves = whole && leaves_it_to_one(object);
    each_part(object, &mut |spec, part| {
        put_right(part, spec == About::Inside || leaves, open);
    });
    let refers_to_open = target(object).is_some_and(|name| open.contains(&*name));
    if !whole || (leaves && !refers_to_open) || is_closed(object) {
        return;
    }
    if is_combined(object) {
        object.insert("unevaluatedProperties".to_owned(), Json::Bool(false));
    } else if object.contains_key("properties") {
        object.insert("additionalProperties".to_owned(), Json::Bool(false));
    }
}

/// Whether it says nothing about keys itself, but that one other schema is true of the value.
fn leaves_it_to_one(object: &Map<String, Json>) -> bool {
    let others = ["$ref", "anyOf", "oneOf"];
    let others = others.iter().filter(|keyword| has(object, &[*keyword]));
    let says = ["properties", "required", "allOf", "if"];
    others.count() == 1 && !has(object, &says) && !is_closed(object)
}

/// Whether it is said what other keys there may be.
pub(super) fn is_closed(object: &Map<String, Json>) -> bool {
    has(
        object,
        &[
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
        ],
    )
}

fn has(object: &Map<String, Json>, keywords: &[&str]) -> bool {
    keywords.iter().any(|keyword| object.contains_key(*keyword))
}
