//! A call that is shown is a call that works.

use toolpact_core::contract::Contract;
use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Format, Limits};
use toolpact_core::model::FunctionCall;
use toolpact_core::returns::Level;
use toolpact_core::toolset::Function;

use super::{contract, page};

/// The arguments of the call that is shown, which the contract accepts.
fn shown(contract: &Contract) -> Option<String> {
    let call = page(contract).call?;
    let call = FunctionCall::from_value(&call).unwrap();
    assert_eq!(call.name(), contract.name());
    let args = call.args().text().to_owned();
    let function = Function::of_contract(contract, Level::Meaning);
    if let Err(violations) = function.read_args(args.as_bytes()) {
        panic!("{args}: {violations}");
    }
    assert!(function.accepts(args.as_bytes()), "{args}");
    Some(args)
}

#[test]
fn every_example_of_the_repository_has_one() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("yaml") => Format::Yaml,
            Some("json") => Format::Json,
            _ => continue,
        };
        let bytes = std::fs::read(&path).unwrap();
        let document = Document::parse(&bytes, format, &Limits::default());
        let document = AnyDocument::check(&document, None).into_result().unwrap();
        for contract in contracts(document) {
            let name = contract.name().clone();
            assert!(shown(&contract).is_some(), "{}: {name}", path.display());
            count += 1;
        }
    }
    assert!(count >= 12, "{count}");
}

fn contracts(document: AnyDocument) -> Vec<Contract> {
    match document {
        AnyDocument::Contract(document) => document.tools().cloned().collect(),
        AnyDocument::Tool(tool) => tool.declarations().cloned().map(Contract::from).collect(),
        AnyDocument::Agent(agent) => {
            let tools = agent.tools().iter();
            tools
                .map(|tool| Contract::try_from(tool).unwrap())
                .collect()
        }
        other => panic!("{other:?}"),
    }
}

/// The call for one required property.
fn check_property(property: &str, expected: &str) {
    let parameters =
        format!(r#"{{"type": "object", "properties": {{"p": {property}}}, "required": ["p"]}}"#);
    let args = shown(&contract(&parameters)).unwrap_or_else(|| panic!("{property}"));
    assert_eq!(args, format!(r#"{{"p":{expected}}}"#), "{property}");
}

#[test]
fn of_scalars() {
    for (property, expected) in [
        (r#"{"type": "string"}"#, r#""text""#),
        (r#"{"type": "string", "maxLength": 2}"#, r#""te""#),
        (r#"{"type": "string", "minLength": 10}"#, r#""text text ""#),
        (
            r#"{"type": "string", "format": "date-time"}"#,
            r#""2026-01-01T12:00:00Z""#,
        ),
        (
            r#"{"type": "string", "format": "uuid"}"#,
            r#""123e4567-e89b-42d3-a456-000000000001""#,
        ),
        (
            r#"{"type": "string", "pattern": "^C[0-9]{6}$"}"#,
            r#""C123456""#,
        ),
        (
            r#"{"type": "string", "pattern": "^[a-z]+$", "minLength": 5}"#,
            r#""abcde""#,
        ),
        (
            r#"{"type": "string", "pattern": "^(?:cat|dog)s?$"}"#,
            r#""cat""#,
        ),
        (r#"{"type": "integer"}"#, "1"),
        (r#"{"type": "integer", "minimum": 7}"#, "10"),
        (r#"{"type": "integer", "minimum": 200}"#, "200"),
        (r#"{"type": "integer", "maximum": -3}"#, "-3"),
        (
            r#"{"type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 6}"#,
            "5",
        ),
        (
            r#"{"type": "integer", "minimum": 1001, "multipleOf": 7}"#,
            "1001",
        ),
        (
            r#"{"type": "integer", "minimum": 9007199254740993}"#,
            "9007199254740993",
        ),
        (
            r#"{"type": "number", "exclusiveMinimum": 0, "maximum": 0.5}"#,
            "0.5",
        ),
        (
            r#"{"type": "number", "multipleOf": 0.25, "minimum": 0.3, "maximum": 0.6}"#,
            "0.5",
        ),
        (r#"{"type": "boolean"}"#, "true"),
        (r#"{"type": ["null", "integer"]}"#, "1"),
        (r#"{"enum": [3, 4]}"#, "3"),
        (r#"{"const": {"a": [1]}}"#, r#"{"a": [1]}"#),
        (r#"{"type": "integer", "default": 20}"#, "20"),
        (
            r#"{"type": "integer", "default": 20, "examples": [30]}"#,
            "30",
        ),
        // An example that is wrong is left aside.
        (r#"{"type": "integer", "examples": ["x"]}"#, "1"),
        (
            r#"{"anyOf": [{"type": "null"}, {"type": "string"}], "default": null}"#,
            r#""text""#,
        ),
        ("true", r#""text""#),
        ("{}", r#""text""#),
    ] {
        check_property(property, expected);
    }
}

#[test]
fn of_containers_and_alternatives() {
    for (property, expected) in [
        (r#"{"oneOf": [false, {"type": "integer"}]}"#, "1"),
        (
            r#"{"allOf": [{"type": "integer"}, {"minimum": 50}, {"maximum": 60}]}"#,
            "50",
        ),
        (
            r#"{"type": "array", "items": {"type": "integer"}, "minItems": 3, "uniqueItems": true}"#,
            "[1,2,3]",
        ),
        (
            r#"{"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": true}"#,
            r#"["a","b"]"#,
        ),
        (
            r#"{"type": "array", "prefixItems": [{"const": 1}], "items": false}"#,
            "[1]",
        ),
        (r#"{"type": "array", "maxItems": 0}"#, "[]"),
        (r#"{"type": "array", "contains": {"const": 7}}"#, "[7]"),
        (
            r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
            r#"{"key":1}"#,
        ),
        (
            r#"{"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"pattern": "^x-"}}"#,
            r#"{"x-":1}"#,
        ),
        (
            r#"{"type": "object", "patternProperties": {"^x": {"const": 1}}, "additionalProperties": false, "minProperties": 1}"#,
            r#"{"x":1}"#,
        ),
        (
            r#"{"type": "object", "required": ["a"]}"#,
            r#"{"a":"text"}"#,
        ),
    ] {
        check_property(property, expected);
    }
}

#[test]
fn of_the_whole() {
    for (parameters, expected) in [
        // The author's own example is the best one.
        (
            r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "examples": [{"a": "x"}, {"a": 42}]}"#,
            r#"{"a": 42}"#,
        ),
        // What does not go together is left out.
        (
            r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "required": ["a"], "not": {"required": ["b"]}}"#,
            r#"{"a":1}"#,
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                "oneOf": [{"required": ["a"], "maxProperties": 1}, {"required": ["b"], "maxProperties": 1}]}"#,
            r#"{"a":1}"#,
        ),
        (
            r##"{"type": "object", "properties": {"tree": {"$ref": "#/$defs/tree"}}, "required": ["tree"],
                "$defs": {"tree": {"type": "object", "properties": {
                    "left": {"$ref": "#/$defs/tree"}, "value": {"type": "integer"}}, "required": ["value"]}}}"##,
            r#"{"tree":{"value":1}}"#,
        ),
        (
            r##"{"type": "object", "properties": {"e": {"$ref": "#/$defs/e"}}, "required": ["e"],
                "$defs": {"e": {"oneOf": [
                    {"type": "object", "properties": {"not": {"$ref": "#/$defs/e"}}, "required": ["not"]},
                    {"type": "integer"}]}}}"##,
            r#"{"e":{"not":1}}"#,
        ),
        (
            r#"{"type": "object", "properties": {"kind": {"enum": ["a", "b"]}, "x": {"type": "integer"}},
                "required": ["kind"], "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["x"]}}"#,
            r#"{"kind":"a","x":1}"#,
        ),
        (
            r#"{"type": "object", "properties": {"old": {"type": "string", "deprecated": true}, "new": {"type": "string"}}}"#,
            r#"{"new":"text"}"#,
        ),
        (
            r#"{"type": "object", "required": ["a"], "dependentRequired": {"a": ["b"]}, "properties": {"a": {"const": 1}}}"#,
            r#"{"a":1,"b":"text"}"#,
        ),
        (
            r#"{"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}"#,
            r#"{"n":1}"#,
        ),
        (r#"{"type": "object"}"#, "{}"),
    ] {
        let args = shown(&contract(parameters));
        assert_eq!(args.as_deref(), Some(expected), "{parameters}");
    }
}

#[test]
fn none_is_shown_rather_than_a_wrong_one() {
    for parameters in [
        r#"{"type": "object", "properties": {"a": false}, "required": ["a"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "integer", "minimum": 2, "maximum": 1}}, "required": ["a"]}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a$", "not": {"const": "a"}}}, "required": ["a"]}"#,
        r#"{"type": "string"}"#,
        r#"{"not": {}}"#,
    ] {
        assert_eq!(shown(&contract(parameters)), None, "{parameters}");
    }
}

#[test]
fn long_calls_keep_to_what_is_required() {
    let properties: Vec<String> = (0..300)
        .map(|i| format!(r#""option_{i}": {{"type": "string"}}"#))
        .collect();
    let parameters = format!(
        r#"{{"type": "object", "properties": {{"a": {{"type": "integer"}}, {}}}, "required": ["a"]}}"#,
        properties.join(", ")
    );
    assert_eq!(shown(&contract(&parameters)).as_deref(), Some(r#"{"a":1}"#));
}
