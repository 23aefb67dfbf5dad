//! Schemas: the standard one, and what a Rust type requires beyond it.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;

use crate::returns::{StandardError, StandardType};

/// The standard schema together with others.
pub(super) fn refined(standard: StandardType, refinements: Vec<Json>) -> Schema {
    let mut all = vec![json!({"$ref": standard.uri()})];
    all.extend(refinements);
    json_schema!({"allOf": all})
}

/// A success has all of `payload` and no error, a failure an error and none of `absent`.
pub(super) fn envelope(generator: &mut SchemaGenerator, payload: &[&str], absent: &[&str]) -> Json {
    let nothing = absent.iter().map(|key| ((*key).to_owned(), json!(false)));
    let mut on_failure: Map<String, Json> = nothing.collect();
    on_failure.insert("error".to_owned(), error(generator));
    json!({
        "if": {"properties": {"success": {"const": true}}},
        "then": {"required": payload, "properties": {"error": false}},
        "else": {"required": ["error"], "properties": on_failure},
    })
}

/// The schema of an error.
pub(super) fn error(generator: &mut SchemaGenerator) -> Json {
    generator.subschema_for::<StandardError>().to_value()
}

/// The schema of a payload.
pub(super) fn payload<T: JsonSchema>(generator: &mut SchemaGenerator) -> Json {
    generator.subschema_for::<T>().to_value()
}

impl JsonSchema for StandardError {
    fn schema_name() -> Cow<'static, str> {
        "StandardError".into()
    }

    fn schema_id() -> Cow<'static, str> {
        "toolpact_core::StandardError".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string", "pattern": "\\S"},
                "details": {"type": "object"},
                "stack_trace": {"type": "string"},
            },
            "required": ["code", "message"],
        })
    }
}
