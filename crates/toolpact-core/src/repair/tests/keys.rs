use super::parameters;
use crate::json::Value;
use crate::repair::repair;

#[test]
fn keys_that_go() {
    let schema = r#"{"type": "object", "properties": {
            "must": {"type": "integer"}, "may": {"type": "integer"}, "dry_run": {"type": "boolean"},
            "null": {"type": ["integer", "null"]}, "any": {}},
        "patternProperties": {"^x-": {"type": "string"}},
        "required": ["must"], "additionalProperties": false}"#;
    let cases = [
        (
            r#"{"must": 1, "may": null}"#,
            r#"{"must":1}"#,
            "null-dropped at /may",
        ),
        (
            r#"{"must": 1, "x-a": null}"#,
            r#"{"must":1}"#,
            "null-dropped at /x-a",
        ),
        (
            r#"{"must": 1, "extra": {"a": []}}"#,
            r#"{"must":1}"#,
            "unknown-key-dropped at /extra",
        ),
        (
            r#"{"must": 1, "extra": null}"#,
            r#"{"must":1}"#,
            "unknown-key-dropped at /extra",
        ),
        // Already present, so it is not what was meant.
        (
            r#"{"must": 1, "dry_run": true, "dryRun": false}"#,
            r#"{"must":1,"dry_run":true}"#,
            "unknown-key-dropped at /dryRun",
        ),
    ];
    for (args, expected, done) in cases {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), expected);
        assert_eq!(repaired.repairs.len(), 1);
        assert!(repaired.repairs[0].to_string().starts_with(done), "{args}");
    }
    for args in [
        r#"{"must": null}"#,
        r#"{"must": 1, "null": null, "any": null, "x-a": "b"}"#,
        r#"{"must": 1, "dryRun": true}"#,
        r#"{"must": 1, "dry_rnu": true}"#,
        "null",
        "[]",
    ] {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), args);
        assert!(repaired.repairs.is_empty());
    }
}

#[test]
fn adm() {
    let schema = r#"{"type": "OBJECT", "properties": {
        "id": {"type": "INTEGER"}, "tags": {"type": "ARRAY", "items": {"type": "STRING"}},
        "open": {"type": "OBJECT"}, "in": {"type": "OBJECT", "properties": {"flag": {"type": "BOOLEAN"}}},
        "unit": {"type": "STRING", "enum": ["c", "f"]}}, "required": ["id"]}"#;
    let args = r#"{"id": "9223372036854775807", "tags": "a", "open": {"x": null}, "in": {"flag": "true", "y": 1},
        "unit": null, "other": 1}"#;
    let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
    assert_eq!(
        repaired.value.text(),
        r#"{"id":9223372036854775807,"tags":["a"],"open":{"x": null},"in":{"flag":true}}"#
    );
    let done = repaired
        .repairs
        .iter()
        .map(|r| format!("{} {}", r.kind, r.pointer));
    let done: Vec<String> = done.collect();
    insta::assert_snapshot!(done.join("\n"), @"
    number-from-string /id
    list-from-single /tags
    boolean-from-string /in/flag
    unknown-key-dropped /in/y
    null-dropped /unit
    unknown-key-dropped /other
    ");
    // 2^63 is not an INTEGER, and a function without parameters takes no arguments.
    for (schema, args, expected) in [
        (
            schema,
            r#"{"id": "9223372036854775808"}"#,
            r#"{"id": "9223372036854775808"}"#,
        ),
        (r#"{"type": "OBJECT"}"#, r#"{"a": 1}"#, "{}"),
        (schema, r#""{\"id\": \"5\"}""#, r#"{"id":5}"#),
        (r#"{"type": "OBJECT"}"#, r#""{}""#, "{}"),
    ] {
        let repaired = repair(&parameters(schema), &Value::from_json(args).unwrap());
        assert_eq!(repaired.value.text(), expected);
    }
}
