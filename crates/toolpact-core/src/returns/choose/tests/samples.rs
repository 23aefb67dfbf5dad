//! Samples and schemas that are of no standard type, or almost of one.

use super::*;

/// A sample, and what to expect.
#[rustfmt::skip]
const SAMPLES: &[(&str, StandardType, Confidence)] = &[
    ("\"text\"", StringValue, Certain),
    ("3.5", NumberValue, Certain),
    ("false", BooleanValue, Certain),
    ("null", VoidResult, Likely),
    ("\"123e4567-e89b-12d3-a456-426614174000\"", IdentifierValue, Likely),
    ("[]", ListResult, Likely),
    (r#"[{"a": 1}, {"b": 2}]"#, ListResult, Likely),
    ("[1, 2]", ListResult, Unsure),
    (r#"[{"a": 1}, 2]"#, ListResult, Unsure),
    ("{}", ObjectResult, Likely),
    (r#"{"id": "usr_1", "name": "Jo"}"#, ObjectResult, Likely),
    (r#"{"city": "Oslo", "degrees": 3}"#, ObjectResult, Likely),
    (r#"{"id": "usr_1", "type": "user"}"#, EntityResult, Likely),
    (r#"{"id": "usr_1", "type": "user", "attributes": {}}"#, EntityResult, Certain),
    (r#"{"id": "usr_1"}"#, IdentifierValue, Likely),
    (r#"{"success": true}"#, VoidResult, Likely),
    (r#"{"success": true, "message": "Done"}"#, VoidResult, Certain),
    (r#"{"success": true, "data": {}}"#, ObjectResult, Certain),
    (r#"{"success": true, "data": []}"#, ListResult, Certain),
    (r#"{"success": true, "data": [1]}"#, ListResult, Likely), // its items are no objects
    (r#"{"success": true, "id": "x"}"#, IdentifierValue, Certain),
    (r#"{"success": true, "media": {"type": "image"}}"#, MediaResult, Certain),
    (r#"{"success": true, "media": {}}"#, MediaResult, Likely), // it does not say which
    (r#"{"success": false, "error": {"code": "X", "message": "m"}}"#, ObjectResult, Unsure),
    (r#"{"job_id": "j1", "state": "running"}"#, OperationStatus, Likely),
    (r#"{"operation_id": "o", "status": "lost", "created_at": "now"}"#, OperationStatus, Likely),
    (r#"{"results": [], "total": 0}"#, ListResult, Likely),
    (r#"{"items": [{"a": 1}]}"#, ListResult, Likely),
    (r#"{"imported": 3, "failed": 1}"#, BatchResult, Likely),
    (r#"{"filename": "a.pdf", "content": "…"}"#, FileResult, Likely),
    (r#"{"url": "https://x.test/a.png", "width": 1, "height": 1}"#, MediaResult, Likely),
    (r#"{"event": "ping"}"#, EventStream, Likely),
    (r#"{"event": "ping", "data": null}"#, EventStream, Certain),
    (r#"{"event": "concert", "venue": "Oslo"}"#, ObjectResult, Likely),
    (r#"{"chunk_index": 0, "total_chunks": 2, "data": "QQ=="}"#, ChunkedData, Likely),
];

/// A schema, and what to expect.
#[rustfmt::skip]
const SCHEMAS: &[(&str, StandardType, Confidence)] = &[
    ("true", ObjectResult, Unsure),
    ("{}", ObjectResult, Unsure),
    (r#"{"type": "string"}"#, StringValue, Certain),
    (r#"{"enum": ["a", "b"]}"#, StringValue, Certain),
    (r#"{"type": ["string", "null"]}"#, StringValue, Certain),
    (r#"{"type": ["string", "integer"]}"#, ObjectResult, Unsure),
    (r#"{"type": "string", "format": "uuid"}"#, IdentifierValue, Likely),
    (r#"{"type": "string", "contentEncoding": "base64"}"#, FileResult, Likely),
    (r#"{"type": "string", "contentMediaType": "image/png"}"#, MediaResult, Likely),
    (r#"{"type": "integer"}"#, NumberValue, Certain),
    (r#"{"type": ["integer", "number"]}"#, NumberValue, Certain),
    (r#"{"type": "boolean"}"#, BooleanValue, Certain),
    (r#"{"type": "null"}"#, VoidResult, Likely),
    (r#"{"type": "array", "items": {"type": "string"}}"#, ListResult, Unsure),
    (r#"{"type": "array", "items": {"properties": {}}}"#, ListResult, Likely),
    (r##"{"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "object"}}}"##, ListResult, Likely),
    (r#"{"type": "object"}"#, ObjectResult, Likely),
    (r#"{"$ref": "ListResult"}"#, ListResult, Certain),
    (r##"{"allOf": [{"$ref": "#/$defs/StandardReturnTypes/EntityResult"}, {"properties": {}}]}"##, EntityResult, Certain),
    (r##"{"$ref": "#/$defs/A", "$defs": {"A": {"type": "number"}}}"##, NumberValue, Certain),
    (r#"{"anyOf": [{"type": "number"}, {"type": "null"}]}"#, NumberValue, Likely),
    (r#"{"oneOf": [{"type": "number"}, {"type": "string"}]}"#, NumberValue, Unsure),
    (r#"{"properties": {"success": {"type": "boolean"}, "data": {"type": "array"}}, "required": ["success", "data"]}"#, ListResult, Certain),
    (r#"{"properties": {"success": {"type": "boolean"}, "data": {"type": "array"}}}"#, ListResult, Likely),
    (r#"{"properties": {"id": {"type": "string"}, "type": {"const": "user"}, "attributes": {"properties": {}}}, "required": ["id", "type", "attributes"]}"#, EntityResult, Certain),
    (r#"{"properties": {"job_id": {}, "status": {"type": "string"}}}"#, OperationStatus, Likely),
];

#[test]
fn samples() {
    for (text, standard, confidence) in SAMPLES {
        let choice = for_sample(&Value::from_json(text).unwrap());
        assert_eq!(
            (choice.standard(), choice.confidence()),
            (*standard, *confidence),
            "{text}: {choice}"
        );
    }
}

#[test]
fn schemas() {
    for (text, standard, confidence) in SCHEMAS {
        let schema = JsonSchema::from_value(&Value::from_json(text).unwrap()).unwrap();
        let choice = for_schema(&schema);
        assert_eq!(
            (choice.standard(), choice.confidence()),
            (*standard, *confidence),
            "{text}: {choice}"
        );
    }
}

#[test]
fn the_candidates_are_in_order() {
    let schema =
        Value::from_json(r#"{"oneOf": [{"type": "number"}, {"type": "string"}]}"#).unwrap();
    let choice = for_schema(&JsonSchema::from_value(&schema).unwrap());
    assert_eq!(choice.alternatives(), [StringValue, ObjectResult]);
    let choice = for_tool("delete_user", "", "boolean", "");
    assert_eq!(choice.alternatives()[0], BooleanValue);
    insta::assert_snapshot!(choice, @"VoidResult (unsure): the name begins with `delete`, the matrix recommends it for `Delete/Archive`, but it returned `boolean` so far; or BooleanValue, ObjectResult");
}

#[test]
fn circles_end() {
    let circle = r##"{"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}"##;
    let schema = Value::from_json(circle).unwrap();
    if let Ok(schema) = JsonSchema::from_value(&schema) {
        assert_eq!(for_schema(&schema).confidence(), Unsure);
    }
}
