//! OpenAPI 3.0, whose schemas are an older and smaller language.

use serde_json::Value;
use toolpact_core::check::Checker;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Effect};
use toolpact_core::json;

use super::{contract, import_text};

fn tool(parameters: &str) -> Contract {
    let text = format!(r#"{{"name": "t", "description": "Does it.", "parameters": {parameters}}}"#);
    contract(&text)
}

/// The document, and the losses that change what may be sent.
fn export(contract: &Contract) -> (Value, Vec<String>) {
    let export = Dialect::OpenApi3_0.export([contract]);
    let losses = export.tools()[0].losses().iter();
    let losses = losses.filter(|loss| loss.effect() != Effect::Documentation);
    let losses = losses.map(|loss| format!("{}: {}", loss.effect(), loss.lost()));
    (export.document().deserialize().unwrap(), losses.collect())
}

/// The schema of the only argument.
fn written(schema: &str) -> (String, Vec<String>) {
    let contract = tool(&format!(
        r#"{{"type": "object", "properties": {{"x": {schema}}}}}"#
    ));
    let (document, losses) = export(&contract);
    let body = &document["paths"]["/tools/t"]["post"]["requestBody"]["content"]["application/json"];
    (body["schema"]["properties"]["x"].to_string(), losses)
}

#[test]
fn each_keyword_in_the_form_of_3_0() {
    let cases = [
        (
            r#"{"type": ["string", "null"]}"#,
            r#"{"type":"string","nullable":true}"#,
        ),
        (
            r#"{"type": "null"}"#,
            r#"{"type":"string","enum":[null],"nullable":true}"#,
        ),
        (
            r#"{"type": ["string", "null"], "enum": ["a", null]}"#,
            r#"{"type":"string","enum":["a",null],"nullable":true}"#,
        ),
        (
            r#"{"type": ["integer", "string"]}"#,
            r#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#,
        ),
        (r#"{"const": 5}"#, r#"{"enum":[5]}"#),
        (r#"{"type": "array"}"#, r#"{"type":"array","items":{}}"#),
        (
            r#"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "maximum": 5}"#,
            r#"{"type":"number","maximum":5,"minimum":0,"exclusiveMinimum":true}"#,
        ),
        (
            r#"{"type": "string", "examples": ["a"]}"#,
            r#"{"type":"string","example":"a"}"#,
        ),
        (
            r#"{"type": "object", "required": []}"#,
            r#"{"type":"object"}"#,
        ),
        (
            r#"{"oneOf": [{"type": "string"}, {"not": {"type": "null"}}]}"#,
            r#"{"oneOf":[{"type":"string"},{"not":{"type":"string","enum":[null],"nullable":true}}]}"#,
        ),
    ];
    for (schema, expected) in cases {
        let (written, losses) = written(schema);
        let [written, expected] =
            [written.as_str(), expected].map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(written, expected, "{schema}");
        assert_eq!(losses, [""; 0], "{schema}");
    }
}

#[test]
fn what_3_0_lacks_is_a_loss() {
    let cases = [
        (
            r#"{"type": "object", "patternProperties": {"^a": {"type": "string"}}, "additionalProperties": false}"#,
            r#""additionalProperties":{"type":"string"}"#,
            "wider: `patternProperties`",
        ),
        (
            r#"{"not": {"contains": {"type": "string"}}}"#,
            "",
            "wider: `not`",
        ),
        (
            r#"{"oneOf": [{"type": "array", "contains": {}}, {"type": "string"}]}"#,
            r#""anyOf":[{"#,
            "wider: that exactly one alternative matches",
        ),
        (
            r#"{"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": false}"#,
            r#""allOf""#,
            "wider: `unevaluatedProperties`",
        ),
    ];
    for (schema, part, loss) in cases {
        let (written, losses) = written(schema);
        assert!(written.contains(part), "{written}");
        assert!(losses.iter().any(|one| one == loss), "{schema}: {losses:?}");
    }
}

/// Without its inner `not`, the outer one would refuse more.
#[test]
fn nothing_is_lost_inside_of_not() {
    let schema = r#"{"not": {"maximum": 5, "not": {"contains": {"type": "string"}}}}"#;
    let (written, losses) = written(schema);
    assert!(!written.contains(r#""maximum""#), "{written}");
    assert_eq!(losses, ["wider: `not`"]);
}

/// Without our extension, the document says the same by itself.
#[test]
fn a_reader_of_3_0_understands_the_same() {
    let parameters = r##"{"type": "object", "required": ["a"], "additionalProperties": false, "properties": {
        "a": {"type": ["integer", "null"], "exclusiveMinimum": 3},
        "b": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/B"}]},
        "c": {"enum": ["x", null]}
    }, "$defs": {"B": {"type": "array", "items": {"const": true}}}}"##;
    let contract = tool(parameters);
    let (mut document, losses) = export(&contract);
    assert_eq!(losses, [""; 0]);
    assert_eq!(document["openapi"], "3.0.3");
    let back = import_text(&document.to_string()).unwrap();
    assert_eq!(
        back.tools()[0].contract.to_canonical(),
        contract.to_canonical()
    );
    let operation = document["paths"]["/tools/t"]["post"]
        .as_object_mut()
        .unwrap();
    operation.remove("x-toolpact");
    let read = import_text(&document.to_string()).unwrap();
    let read = &read.tools()[0].contract;
    let [ours, theirs] = [&contract, read].map(checker);
    for args in [
        r#"{"a": 4}"#,
        r#"{"a": 3}"#,
        r#"{"a": null}"#,
        r#"{"a": 4, "b": null}"#,
        r#"{"a": 4, "b": [true]}"#,
        r#"{"a": 4, "b": [false]}"#,
        r#"{"a": 4, "c": null}"#,
        r#"{"a": 4, "c": "y"}"#,
        r#"{"a": 4, "d": 1}"#,
        "{}",
    ] {
        let json = args.as_bytes();
        assert_eq!(
            ours.is_valid(json),
            theirs.is_valid(json),
            "{args}\n{document}"
        );
    }
}

fn checker(contract: &Contract) -> Checker {
    let schema: json::Value = contract.parameters().to_json_schema();
    toolpact_core::schema::JsonSchema::from_value(&schema)
        .unwrap()
        .checker()
}
