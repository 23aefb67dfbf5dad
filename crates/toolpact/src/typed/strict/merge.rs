//! A reference with keys beside it, as enums with a tag have it, becomes one object: that can be
//! closed, and those who read schemas understand it best.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value as Json};

use super::close::is_combined;
use crate::typed::walk::{each_object, target};

/// How deep merged objects may be in each other. What is deeper stays as it is, which is right too.
const DEEPEST: usize = 4;

pub(super) fn merge(schema: &mut Json) {
    let mut merged = false;
    for _ in 0..DEEPEST {
        let definitions = schema.get("$defs").and_then(Json::as_object).cloned();
        let Some(definitions) = definitions else {
            return;
        };
        let mut again = false;
        each_object(schema, &mut |object| {
            again |= merge_one(object, &definitions);
        });
        merged |= again;
        if !again {
            break;
        }
    }
    if merged {
        drop_unused(schema);
    }
}

fn merge_one(object: &mut Map<String, Json>, definitions: &Map<String, Json>) -> bool {
    let other = target(object).and_then(|name| definitions.get(&*name));
    let Some(Json::Object(other)) = other else {
        return false;
    };
    if !object.contains_key("properties") || !is_plain(other) {
        return false;
    }
    object.remove("$ref");
    for (keyword, value) in other {
        match (object.get_mut(keyword), value) {
            (Some(Json::Object(here)), Json::Object(there)) if keyword == "properties" => {
                for (name, property) in there {
                    here.entry(name).or_insert_with(|| property.clone());
                }
            }
            (Some(Json::Array(here)), Json::Array(there)) if keyword == "required" => {
                here.extend(there.iter().cloned());
            }
            (Some(_), _) => {}
            (None, value) => {
                object.insert(keyword.clone(), value.clone());
            }
        }
    }
    true
}

/// Whether it describes an object, and alone.
fn is_plain(object: &Map<String, Json>) -> bool {
    let is_object = object.get("type").and_then(Json::as_str) == Some("object");
    is_object && !is_combined(object) && !object.contains_key("patternProperties")
}

/// Definitions that nobody refers to any more.
fn drop_unused(schema: &mut Json) {
    loop {
        let mut used = BTreeSet::new();
        references(schema, &mut used);
        let Some(Json::Object(definitions)) = schema.get_mut("$defs") else {
            return;
        };
        let before = definitions.len();
        definitions.retain(|name, _| used.contains(name));
        if definitions.len() == before {
            return;
        }
    }
}

/// Wherever they may be: also in schemas that somebody wrote by hand.
fn references(json: &Json, used: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => {
            used.extend(target(object).map(Cow::into_owned));
            object.values().for_each(|value| references(value, used));
        }
        Json::Array(items) => items.iter().for_each(|item| references(item, used)),
        _ => {}
    }
}
