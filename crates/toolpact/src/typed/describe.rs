//! The contract of a tool, from its types.

use std::any::TypeId;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};
use toolpact_core::contract::Contract;
use toolpact_core::returns::StandardType;

use super::recursion::circle;
use super::strict::make_strict;
use super::{Input, Output, ToolSpec};
use crate::Error;

/// The contract of a tool that takes `I` and returns `O`.
pub(crate) fn describe<I: Input, O: Output>(spec: &ToolSpec) -> Result<Contract, Error> {
    let contract = json!({
        "name": spec.name,
        "description": spec.description,
        "parameters": parameters::<I>(spec)?,
        "returns": returns::<O>(spec)?,
    });
    let mut contract = contract;
    if let Json::Object(fields) = &mut contract {
        add_options(spec, fields);
    }
    Contract::from_json(contract.to_string())
        .map_err(|violations| Error::contract(&spec.name, violations))
}

fn add_options(spec: &ToolSpec, fields: &mut Map<String, Json>) {
    let effects = [
        ("read_only", spec.read_only),
        ("destructive", spec.destructive),
        ("idempotent", spec.idempotent),
        ("open_world", spec.open_world),
        ("durable", spec.durable),
        ("idempotency_key", spec.idempotency_key),
    ];
    let effects = effects.into_iter().filter(|(_, said)| *said);
    let effects: Map<String, Json> = effects
        .map(|(name, _)| (name.to_owned(), true.into()))
        .collect();
    if !effects.is_empty() {
        fields.insert("effects".to_owned(), effects.into());
    }
    if let Some(timeout) = spec.timeout {
        let ms = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX);
        fields.insert("timeout_ms".to_owned(), ms.into());
    }
    if let Some(template) = &spec.template {
        fields.insert("text".to_owned(), template.as_ref().into());
    }
}

fn parameters<I: Input>(spec: &ToolSpec) -> Result<Json, Error> {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<I>()
        .to_value();
    if let Some(path) = circle(&schema).filter(|_| !spec.recursive) {
        return Err(Error::recursive(
            &spec.name,
            &path,
            std::any::type_name::<I>(),
        ));
    }
    strip(&mut schema);
    make_strict(&mut schema);
    Ok(schema)
}

fn returns<O: Output>(spec: &ToolSpec) -> Result<Json, Error> {
    if spec.opaque {
        return match TypeId::of::<O>() == TypeId::of::<String>() {
            true => Ok("opaque".into()),
            false => Err(Error::not_text(&spec.name, std::any::type_name::<O>())),
        };
    }
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<O>()
        .to_value();
    strip(&mut schema);
    let Some(standard) = standard(&schema) else {
        return with_more(json!({"type": "Custom", "schema": schema}), spec);
    };
    drop_envelope(&mut schema);
    let returns = match refines(&schema) {
        true => json!({"type": standard.name(), "schema": schema}),
        false => standard.name().into(),
    };
    with_more(returns, spec)
}

/// What is known of results besides their type.
fn with_more(returns: Json, spec: &ToolSpec) -> Result<Json, Error> {
    if spec.examples.is_empty() && spec.content_type.is_none() {
        return Ok(returns);
    }
    let mut returns = match returns {
        Json::String(name) => json!({"type": name}),
        object => object,
    };
    if let Some(content_type) = &spec.content_type {
        returns["content_type"] = content_type.as_ref().into();
    }
    let examples = spec.examples.iter().cloned();
    let examples: Vec<Json> = examples
        .collect::<Result<_, _>>()
        .map_err(|error| Error::example(&spec.name, error.0))?;
    if !examples.is_empty() {
        returns["examples"] = examples.into();
    }
    Ok(returns)
}

/// That a success has its payload and a failure its error is part of the meaning of the type, which
/// is enforced without being said again.
fn drop_envelope(schema: &mut Json) {
    if let Some(Json::Array(parts)) = schema.get_mut("allOf") {
        parts.retain(|part| part.get("if").is_none());
    }
    let named =
        |name: &str, within: &Json| within.to_string().contains(&format!("#/$defs/{name}\""));
    let Some(Json::Object(mut definitions)) = schema.get_mut("$defs").map(Json::take) else {
        return;
    };
    let all = Json::from(definitions.clone());
    definitions.retain(|name, _| named(name, &schema["allOf"]) || named(name, &all));
    match definitions.is_empty() {
        true => drop(schema.as_object_mut().and_then(|root| root.remove("$defs"))),
        false => schema["$defs"] = definitions.into(),
    }
}

/// Whether a schema says more than which standard type it is.
fn refines(schema: &Json) -> bool {
    let parts = schema.get("allOf").and_then(Json::as_array);
    parts.is_none_or(|parts| parts.len() > 1)
}

/// The standard type that a schema refines: those of the Rust types say so first.
fn standard(schema: &Json) -> Option<StandardType> {
    let reference = schema.pointer("/allOf/0/$ref")?.as_str()?;
    StandardType::all().find(|standard| standard.uri() == reference)
}

/// The dialect is known, and the name of a Rust type means nothing to a model.
fn strip(schema: &mut Json) {
    if let Json::Object(root) = schema {
        root.remove("$schema");
        root.remove("title");
    }
}
