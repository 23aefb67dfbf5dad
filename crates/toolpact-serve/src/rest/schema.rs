//! JSON Schemas of the types that are sent and received.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde_json::Value as Json;

/// Which way a value goes.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Request,
    Answer,
}

/// The schema of a type, without references and without what only Rust means something by.
pub(super) fn schema<T: JsonSchema>(direction: Direction) -> Json {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let settings = match direction {
        Direction::Request => settings.for_deserialize(),
        Direction::Answer => settings.for_serialize(),
    };
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(simplify).transform(&mut schema);
    schema.to_value()
}

fn simplify(schema: &mut Schema) {
    schema.remove("title");
    let numeric = ["integer", "number"].map(Json::from);
    let is_numeric = schema.get("type").is_some_and(|found| match found {
        Json::Array(types) => types.iter().any(|one| numeric.contains(one)),
        one => numeric.contains(one),
    });
    // `uint64` and the like are words of Rust.
    if is_numeric {
        schema.remove("format");
    }
    let required = schema.get("required").and_then(Json::as_array).cloned();
    let required = required.unwrap_or_default();
    let Some(Json::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    let optional = properties
        .iter_mut()
        .filter(|(name, _)| !required.contains(&Json::from(name.as_str())));
    for (_, property) in optional {
        forbid_null(property);
    }
}

/// What may be left out is not null, and null is no default.
fn forbid_null(property: &mut Json) {
    if let Json::Object(property) = property
        && property.get("default").is_some_and(Json::is_null)
    {
        property.remove("default");
    }
    if let Some(Json::Array(types)) = property.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = &**types {
            property["type"] = only.clone();
        }
    }
    if let Some(Json::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let only = property.get_mut("anyOf").and_then(|any| {
        let any = any.as_array_mut()?;
        any.retain(|one| one.get("type").is_none_or(|found| found != "null"));
        match &**any {
            [only] => Some(only.clone()),
            _ => None,
        }
    });
    if let (Some(Json::Object(only)), Json::Object(property)) = (only, property) {
        property.remove("anyOf");
        for (key, value) in only {
            property.entry(key).or_insert(value);
        }
    }
}
