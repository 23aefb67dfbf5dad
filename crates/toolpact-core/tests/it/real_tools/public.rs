//! What tools of public servers and public APIs showed.

use super::{contract, read};
use toolpact_core::dialect::{Dialect, LossKind};
use toolpact_core::json::Node;

/// A tool with this many optional keys, and as many keys that are a string or a number.
fn tool(optional: usize, unions: usize) -> String {
    let key = |name: String, schema: &str| format!(r#""{name}": {schema}"#);
    let optional = (0..optional).map(|n| key(format!("o{n}"), r#"{"type": "string"}"#));
    let union = r#"{"anyOf": [{"type": "string"}, {"type": "number"}]}"#;
    let required: Vec<String> = (0..unions).map(|n| format!(r#""u{n}""#)).collect();
    let unions = (0..unions).map(|n| key(format!("u{n}"), union));
    let keys: Vec<String> = optional.chain(unions).collect();
    format!(
        r#"{{"name": "search", "description": "Finds.", "inputSchema": {{"type": "object", "properties": {{{}}}, "required": [{}]}}}}"#,
        keys.join(","),
        required.join(",")
    )
}

/// The reason why it is left out of strict tools of Anthropic.
fn refused(optional: usize, unions: usize) -> Option<String> {
    let contract = contract(&tool(optional, unions));
    let export = Dialect::AnthropicStrict.export([&contract]);
    export.left_out().first().map(|bad| bad.reason.clone())
}

#[test]
fn strict_tools_that_no_request_may_have() {
    assert_eq!(refused(24, 16), None);
    assert_eq!(
        refused(25, 0).as_deref(),
        Some(
            "it has 25 optional keys, and a request may have 24 in its strict tools; \
             the dialect `anthropic` has no such limit"
        )
    );
    let unions = refused(0, 17).unwrap();
    assert!(
        unions.starts_with("it has 17 values with alternatives"),
        "{unions}"
    );
}

/// Programs that bundle OpenAPI documents follow references wherever they are.
#[test]
fn references_of_an_extension_do_not_look_like_those_of_the_document() {
    let contract = contract(
        r##"{"name": "get", "description": "Gets.", "parameters": {"type": "object"}, "returns": {"type": "Custom",
            "schema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"type": ["string", "null"], "const": "x"}},
            "$defs": {"A": {"const": 1}}}}}"##,
    );
    let document = Dialect::OpenApi3_0.export([&contract]).document();
    let path = ["paths", "/tools/get", "post", "x-toolpact", "returns"];
    let returns = path.into_iter().try_fold(document.root(), Node::get);
    let returns = returns.unwrap().as_str().unwrap();
    assert!(returns.contains("#/$defs/A"), "{returns}");
    let back = read(document.text());
    assert_eq!(back.tools()[0].contract.digest(), contract.digest());
}

#[test]
fn a_schema_that_is_null() {
    let document = r#"{"openapi": "3.0.0", "info": {"title": "t", "version": "1"}, "paths": {"/items": {"post": {
        "operationId": "create", "description": "Makes one.", "requestBody": {"content": {"application/json": {"schema": null}}},
        "responses": {"204": {"description": "Done."}}}}}}"#;
    let found = read(document);
    assert_eq!(
        found.left_out()[0].violations.to_string(),
        "error[wrong-type] at /paths/~1items/post/requestBody/content/application~1json/schema: \
         expected a schema to be an object, found null"
    );
}

/// OpenAI takes 1,024 characters.
#[test]
fn a_description_that_is_too_long_is_cut_between_words() {
    let whole = |text: &str| {
        let json = serde_json::json!({"name": "find", "description": text, "inputSchema": {"type": "object"}});
        contract(&json.to_string())
    };
    let (fits, long, one_word) = (
        "ä".repeat(1024),
        "Finds one. ".repeat(100),
        "ä".repeat(1025),
    );
    for (text, expected) in [
        (&fits, fits.clone()),
        (&long, format!("{}…", "Finds one. ".repeat(93).trim_end())),
        (&one_word, format!("{}…", "ä".repeat(1023))),
    ] {
        let contract = whole(text);
        for dialect in [
            Dialect::OpenAi,
            Dialect::OpenAiStrict,
            Dialect::OpenAiChat,
            Dialect::OpenAiChatStrict,
        ] {
            let export = dialect.export([&contract]);
            let tool = &export.tools()[0];
            let function = tool.definition().root();
            let function = function.get("function").unwrap_or(function);
            let description = function.get("description").and_then(Node::as_str);
            assert_eq!(description.as_deref(), Some(&*expected), "{dialect}");
            let told = tool.losses().iter();
            let told = told.filter(|loss| loss.kind() == LossKind::Description);
            assert_eq!(told.count(), usize::from(*text != fits), "{dialect}");
        }
        let whole = Dialect::Anthropic.export([&contract]);
        let described = whole.tools()[0].definition().root().get("description");
        assert_eq!(described.and_then(Node::as_str).as_deref(), Some(&**text));
    }
}
