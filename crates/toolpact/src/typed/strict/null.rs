//! What is optional is absent, not null.

use serde_json::{Map, Value as Json};

/// What is not required may be left out; null is something else.
pub(super) fn forbid(object: &mut Map<String, Json>) {
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
