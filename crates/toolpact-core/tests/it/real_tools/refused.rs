//! What is said of inputs that are wrong: the place, what was expected and found, what to do.

use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Limits};

fn check(json: &str) -> String {
    let document = Document::json(json.as_bytes(), &Limits::default());
    AnyDocument::check_each(&document, None)
        .violations
        .to_string()
}

fn mcp(schema: &str) -> String {
    let tool = format!(r#"{{"name": "t", "description": "T.", "inputSchema": {schema}}}"#);
    check(&format!("{{\"tools\": [{tool}]}}"))
}

#[test]
fn types_of_other_languages() {
    let of = |word: &str| {
        mcp(&format!(
            r#"{{"type": "object", "properties": {{"a": {{"type": "{word}"}}}}}}"#
        ))
    };
    let expected = "1:110: error[json-schema-invalid] at /tools/0/inputSchema/properties/a/type: expected a type of JSON Schema, which are `string`, `number`, `integer`, `boolean`, `object`, `array` and `null`, found";
    assert_eq!(
        of("dict"),
        format!("{expected} `dict`; did you mean `object`?")
    );
    assert_eq!(
        of("float"),
        format!("{expected} `float`; did you mean `number`?")
    );
    assert_eq!(
        of("strng"),
        format!("{expected} `strng`; did you mean `string`?")
    );
    assert_eq!(of(""), format!("{expected} the string \"\""));
}

#[test]
fn a_repeated_name_in_required() {
    assert_eq!(
        mcp(r#"{"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b", "a"]}"#),
        "1:138: error[json-schema-invalid] at /tools/0/inputSchema/required/2: expected each name once in `required`, found `a` again"
    );
}

#[test]
fn a_pattern_that_is_none() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "string", "pattern": "[\\w-.+]"}}}"#;
    let contract = format!(
        r#"{{"toolpact": 1, "tools": [{{"name": "t", "description": "T.", "returns": "opaque", "parameters": {schema}}}]}}"#
    );
    assert_eq!(
        check(&contract),
        "1:166: error[json-schema-invalid] at /tools/0/parameters/properties/a/pattern: expected a regular expression of ECMA-262 (with the flag `u`), found the string \"[\\w-.+]\"; check its brackets, its escapes, and the ranges in `[…]`: a `-` that means itself is last"
    );
    // In a tool of somebody else, it is a loss.
    assert_eq!(mcp(schema), "");
}

#[test]
fn a_list_without_tools() {
    for empty in [r#"{"tools": []}"#, r#"{"functions": []}"#] {
        let found = check(empty);
        assert!(
            found.contains("found a list of tools without any"),
            "{found}"
        );
        assert!(found.starts_with("1:1: error[unknown-document]"), "{found}");
    }
}

#[test]
fn the_schema_of_another_dialect() {
    assert_eq!(
        check(
            r#"[{"type": "function", "function": {"name": "t", "description": "T.", "input_schema": {"type": "object"}}}]"#
        ),
        "1:35: error[missing-field] at /0/function: expected `parameters`, the schema of the tool's arguments, found `input_schema`, which is of another dialect; write `parameters` instead of `input_schema`"
    );
}

#[test]
fn a_reference_that_leads_nowhere_is_shown_where_it_is() {
    assert_eq!(
        mcp(r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/User"}}}"##),
        "1:110: error[json-schema-reference] at /tools/0/inputSchema/properties/a/$ref: expected a reference to a schema, found `#/$defs/User`, which leads to none; write the schema there, usually under `$defs`"
    );
}
