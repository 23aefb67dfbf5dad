//! What makes a difference to a digest, and what does not.

use crate::contract::ContractDocument;
use crate::json::Value;

use super::fixtures::SHOP;
use super::{check_yaml, contract, tool};

#[track_caller]
fn same(a: &str, b: &str) {
    assert_eq!(contract(a).to_canonical(), contract(b).to_canonical());
    assert_eq!(contract(a).digest(), contract(b).digest());
}

#[track_caller]
fn differ(a: &str, b: &str) {
    assert_ne!(contract(a).digest(), contract(b).digest());
}

#[test]
fn spellings_of_one_promise() {
    let list = "returns: ListResult";
    same(list, "returns: { type: ListResult }");
    same(
        list,
        "returns: { type: ListResult, examples: [], content_type: application/json }",
    );
    same(list, "returns: { type: Array, schema: ListResult }");
    for reference in [
        "ListResult",
        "#/$defs/ListResultSchema",
        "#/$defs/StandardReturnTypes/ListResult",
        "#/$defs/StandardReturnTypes/properties/ListResult",
        "https://adl.io/schemas/returns/ListResult",
    ] {
        same(list, &format!("returns: {{ $ref: '{reference}' }}"));
        same(
            list,
            &format!("returns: {{ type: ListResult, schema: '{reference}' }}"),
        );
        let nested =
            format!("returns: {{ type: object, properties: {{ of: {{ $ref: '{reference}' }} }} }}");
        same(
            "returns: { type: object, properties: { of: { $ref: ListResult } } }",
            &nested,
        );
    }
    same(
        "returns: { type: string }",
        "returns: { type: Custom, schema: { type: string } }",
    );
}

#[test]
fn promises_that_are_written_differently() {
    differ("returns: ListResult", "returns: opaque");
    differ(
        "returns: ListResult",
        "returns: { type: ListResult, description: Orders }",
    );
    differ(
        "returns: FileResult",
        "returns: { type: FileResult, content_type: text/csv }",
    );
    differ(
        "returns: { $ref: ListResult }",
        "returns: { $ref: ListResult, minProperties: 2 }",
    );
    differ(
        "returns: { $ref: ListResult, minProperties: 2 }",
        "returns: { type: ListResult, schema: { minProperties: 2 } }",
    );
    differ("returns: { const: a }", "returns: { enum: [a] }");
}

#[test]
fn spellings_of_parameters() {
    same(
        "parameters: { type: object }",
        "parameters: { required: [], type: object }",
    );
    same(
        "parameters: { type: object }",
        "parameters: { type: object, required: [] }",
    );
    same("parameters: {}", "parameters: { required: [] }");
    same(
        "parameters: { properties: { a: { required: [], type: object } }, required: [b, a] }",
        "parameters: { required: [a, b], properties: { a: { type: object } } }",
    );
    same(
        "parameters: { maxProperties: 5 }",
        "parameters: { maxProperties: 5.0 }",
    );
    same(
        "parameters: { type: OBJECT }",
        "parameters: { type: OBJECT, required: [] }",
    );
    differ(
        "parameters: { type: object }",
        "parameters: { type: OBJECT }",
    );
    differ(
        "parameters: { enum: [{}, 1] }",
        "parameters: { enum: [1, {}] }",
    );
    // A `required` that is data, not a keyword.
    differ(
        "parameters: { default: { required: [b, a] } }",
        "parameters: { default: { required: [a, b] } }",
    );
}

#[test]
fn only_what_can_be_seen_counts() {
    same("run: { command: [a] }", "run: { command: [b], env: [C] }");
    same("run: { command: [a] }", "");
    same("effects: {}", "");
    same("timeout_ms: 5000", "timeout_ms: 5e3");
    differ("timeout_ms: 5000", "");
    differ("text: a", "");
    differ("effects: { read_only: false }", "");
    differ("description: A", "description: B");
}

#[test]
fn json_and_yaml_have_one_digest() {
    let shop = check_yaml(SHOP).into_result().unwrap();
    let json = ContractDocument::from_json(shop.to_json()).unwrap();
    assert_eq!(json.digest(), shop.digest());
    for (a, b) in json.tools().zip(shop.tools()) {
        assert_eq!(a.digest(), b.digest());
    }
}

#[test]
fn the_order_of_tools_makes_no_difference() {
    let a = "{ name: a, description: A, parameters: {}, returns: opaque }";
    let b = "{ name: b, description: B, parameters: {}, returns: opaque }";
    let read = |tools: &str| check_yaml(&format!("toolpact: 1\ntools: [{tools}]")).into_result();
    let (one, other) = (
        read(&format!("{a}, {b}")).unwrap(),
        read(&format!("{b}, {a}")).unwrap(),
    );
    assert_eq!(one.digest(), other.digest());
    assert_eq!(
        one.get("a").unwrap().digest(),
        other.get("a").unwrap().digest()
    );
    // A document is written as it was read all the same.
    assert_ne!(one.to_json(), other.to_json());
}

#[test]
fn the_canonical_form_is_one_and_is_known() {
    let text = tool(
        "returns: { $ref: '#/$defs/ListResultSchema' }\ntimeout_ms: 1.0\nrun: { command: [a] }",
    );
    let canonical = check_yaml(&text).into_result().unwrap().to_canonical();
    let expected = r#"{"toolpact":1,"tools":[{"description":"Checks the connection.","name":"ping","parameters":{"type":"object"},"returns":"ListResult","timeout_ms":1}]}"#;
    assert_eq!(
        Value::from_json(&canonical).unwrap(),
        Value::from_json(expected).unwrap()
    );
    assert_eq!(
        Value::from_json(&canonical).unwrap().to_canonical(),
        canonical
    );
}
