//! Results held to what was promised, and schemas that must not be trusted.

use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::{Level, ReturnType, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::{Violation, Violations};

const FAILURE: &str =
    r#"{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "No such user."}}"#;

fn codes(violations: &Violations) -> Vec<&'static str> {
    violations.iter().map(Violation::code).collect()
}

fn schema(text: &str) -> Result<JsonSchema, Violations> {
    JsonSchema::from_value(&Value::from_json(text).unwrap())
}

/// Decision 15: whatever was promised, a failure is not held to it.
#[test]
fn a_failure_is_not_held_to_a_refinement() {
    for standard in ["ObjectResult", "ListResult"] {
        let text = format!(
            r#"{{"type": "{standard}", "schema": {{"allOf": [{{"$ref": "{standard}"}},
                {{"required": ["data"]}}]}}, "examples": [{FAILURE}]}}"#
        );
        let returns = ReturnType::from_json(&text).unwrap();
        let enforcer = returns.returns().enforcer(Level::Meaning);
        enforcer.check(&Value::from_json(FAILURE).unwrap()).unwrap();
        let success = Value::from_json(r#"{"success": true}"#).unwrap();
        assert!(enforcer.check(&success).is_err());
    }
}

#[test]
fn a_value_is_checked_whole() {
    let check = |standard, text: &str| {
        let document = Document::json(text.as_bytes(), &Limits::default());
        let kind = Some(DocumentKind::ReturnValue(standard));
        codes(&AnyDocument::check_each(&document, kind).violations)
    };
    assert_eq!(check(StandardType::ListResult, "[]"), ["value-type"]);
    assert_eq!(
        check(StandardType::StringValue, r#"["a"]"#),
        ["value-alternatives"]
    );
    assert!(check(StandardType::ListResult, FAILURE).is_empty());
}

/// Each definition refers to the next one twice: forty of them would take for ever.
#[test]
fn schemas_that_double_are_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let definitions: Vec<String> = (0..40)
            .map(|i| {
                let next = format!(r##"{{"$ref": "#/$defs/a{}"}}"##, i + 1);
                format!(r#""a{i}": {{"{keyword}": [{next}, {next}]}}"#)
            })
            .collect();
        let text = format!(
            r##"{{"$ref": "#/$defs/a0", "$defs": {{{}, "a40": {{"type": "integer"}}}}}}"##,
            definitions.join(", ")
        );
        assert_eq!(
            codes(&schema(&text).unwrap_err()),
            ["json-schema-too-large"]
        );
    }
}

#[test]
fn recursion_is_no_doubling() {
    let tree = r##"{"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}},
        "anyOf": [{"$ref": "#/$defs/a"}, {"required": ["left"]}],
        "$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"required": ["x"]}}}"##;
    let checker = schema(tree).unwrap().checker();
    let value = Value::from_json(r#"{"left": {"left": {}, "right": {"right": {}}}}"#).unwrap();
    checker.check(&value).unwrap();
}

#[test]
fn names_of_standard_types_are_reserved() {
    let refused = [
        r##"{"$ref": "#/$defs/StringValueSchema", "$defs": {"StringValueSchema": {"type": "integer"}}}"##,
        r##"{"$ref": "#/$defs/StandardReturnTypes/VoidResult", "$defs": {"StandardReturnTypes": {}}}"##,
        r#"{"$id": "https://adl.io/schemas/returns/StringValue", "type": "object"}"#,
        r#"{"$dynamicRef": "StringValue"}"#,
    ];
    for text in refused {
        assert_eq!(
            codes(&schema(text).unwrap_err()),
            ["json-schema-reference"],
            "{text}"
        );
    }
    let literally = StandardType::StringValue.schema_text();
    schema(literally).unwrap();
}

/// Where several alternatives may be meant, the nearest says which keys it does not know.
#[test]
fn keys_that_no_alternative_knows_are_told() {
    let text = r#"{"type": "Custom", "schema": {"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false},
        {"type": "string"}]}, "examples": [{"b": 1}]}"#;
    let violations = ReturnType::from_json(text).unwrap_err();
    let expected = "expected no keys but those of the schema, found `b`";
    assert!(violations.to_string().contains(expected), "{violations}");
}

/// Of alternatives that list their values, all are told.
#[test]
fn every_value_that_can_be_is_told() {
    let text = r#"{"type": "Custom", "schema": {"oneOf": [
        {"enum": ["paid", "delivered"], "type": "string"}, {"const": "open", "type": "string"}]},
        "examples": ["flying"]}"#;
    let violations = ReturnType::from_json(text).unwrap_err();
    let expected = r#"expected one of `paid`, `delivered` and `open`, found the string "flying""#;
    assert!(violations.to_string().contains(expected), "{violations}");
    // A text that could be taken for a number is shown to be none.
    for (values, example, expected) in [
        (
            r#"["1", 1, "one", null]"#,
            "2",
            r#"`"1"`, `1`, `one` and `null`"#,
        ),
        (r#"["1", "null"]"#, "1", r#"`"1"` and `"null"`"#),
        (r#"["1", "null"]"#, r#""2""#, "`1` and `null`"),
    ] {
        let text = format!(
            r#"{{"type": "Custom", "schema": {{"enum": {values}}}, "examples": [{example}]}}"#
        );
        let violations = ReturnType::from_json(&text).unwrap_err();
        let expected = format!("expected one of {expected}, found");
        assert!(violations.to_string().contains(&expected), "{violations}");
    }
}

#[test]
fn the_alternative_that_is_meant_is_told_of_the_right_value() {
    let text = r#"{"type": "Custom", "schema": {"properties": {"a": {"anyOf": [
        {"type": "object", "properties": {"b": {"type": "integer"}}}, {"type": "string"}]}}},
        "examples": [{"a": {"b": "text"}}]}"#;
    let violations = ReturnType::from_json(text).unwrap_err();
    assert!(
        violations
            .to_string()
            .contains(r#"/a/b: expected the type integer, found the string "text""#),
        "{violations}"
    );
}
