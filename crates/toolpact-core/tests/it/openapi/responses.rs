//! What a contract says of its results besides their schema, where OpenAPI has a place for it.

use serde_json::{Value, json};
use toolpact_core::dialect::Dialect;

use super::{contract, there_and_back};

/// The response of the only tool.
fn response(dialect: Dialect, returns: &str) -> Value {
    let text = format!(
        r#"{{"name": "find", "description": "Finds.", "parameters": {{"type": "object"}}, "returns": {returns}}}"#
    );
    let contract = contract(&text);
    let back = there_and_back(std::slice::from_ref(&contract));
    assert_eq!(back[0].to_canonical(), contract.to_canonical());
    let document = dialect.export([&contract]).document();
    let document: Value = document.deserialize().unwrap();
    document["paths"]["/tools/find"]["post"]["responses"]["200"]["content"].clone()
}

#[test]
fn examples_are_those_of_the_response() {
    let returns = r#"{"type": "StringValue", "examples": ["a-slug", "b"]}"#;
    for dialect in [Dialect::OpenApi, Dialect::OpenApi3_0] {
        let content = response(dialect, returns);
        assert_eq!(
            content["application/json"]["examples"],
            json!({"example_1": {"value": "a-slug"}, "example_2": {"value": "b"}})
        );
    }
}

#[test]
fn a_content_type_is_that_of_the_response() {
    let content = response(
        Dialect::OpenApi,
        r#"{"type": "ObjectResult", "content_type": "application/vnd.api+json"}"#,
    );
    assert_eq!(
        content,
        json!({"application/vnd.api+json": {"schema": {"$ref": "#/components/schemas/ObjectResult"}}})
    );
    let content = response(
        Dialect::OpenApi,
        r#"{"type": "StringValue", "content_type": "text/csv"}"#,
    );
    assert_eq!(
        content,
        json!({
            "application/json": {"schema": {"$ref": "#/components/schemas/StringValue"}},
            "text/csv": {"schema": {"type": "string"}},
        })
    );
}
