use toolpact_core::dialect::Dialect;

use super::{contract, import_text, there_and_back};

const WAIT: &str = r#"{
    "name": "wait",
    "description": "Waits for a while.",
    "parameters": {
        "type": "object",
        "properties": {"seconds": {"type": "integer", "multipleOf": 5}},
        "required": ["seconds"]
    },
    "returns": "VoidResult",
    "effects": {"read_only": true},
    "text": "Waited.",
    "timeout_ms": 60000
}"#;

#[test]
fn a_tool() {
    let export = Dialect::OpenApi.export([&contract(WAIT)]);
    let tool = &export.tools()[0];
    assert!(tool.losses().is_empty(), "{:?}", tool.losses());
    insta::assert_snapshot!(tool.definition().text(), @r##"{"post":{"operationId":"wait","description":"Waits for a while.","requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"seconds":{"type":"integer","multipleOf":5}},"required":["seconds"]}}}},"responses":{"200":{"description":"What the tool returns.","content":{"application/json":{"schema":{"$ref":"#/$defs/VoidResult","$defs":{"VoidResult":{"type":"object","properties":{"success":{"type":"boolean"},"message":{"type":"string"},"error":{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"}}}},"required":["success"]}}}}}},"400":{"$ref":"#/components/responses/Error400"},"401":{"$ref":"#/components/responses/Error401"},"403":{"$ref":"#/components/responses/Error403"},"404":{"$ref":"#/components/responses/Error404"},"409":{"$ref":"#/components/responses/Error409"},"422":{"$ref":"#/components/responses/Error422"},"429":{"$ref":"#/components/responses/Error429"},"499":{"$ref":"#/components/responses/Error499"},"500":{"$ref":"#/components/responses/Error500"},"502":{"$ref":"#/components/responses/Error502"},"504":{"$ref":"#/components/responses/Error504"}},"x-toolpact":{"version":1,"text":"Waited.","effects":{"read_only":true},"timeout_ms":60000}}}"##);
}

#[test]
fn a_document() {
    let export = Dialect::OpenApi.export([&contract(WAIT)]);
    let document: serde_json::Value = export.document().deserialize().unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

fn tool(name: &str, parameters: &str) -> String {
    format!(r#"{{"name": "{name}", "description": "Does it.", "parameters": {parameters}}}"#)
}

/// The components of a document, without those of every document.
fn components(contracts: &[String]) -> String {
    let contracts: Vec<_> = contracts.iter().map(|text| contract(text)).collect();
    let back = there_and_back(&contracts);
    for (contract, back) in contracts.iter().zip(&back) {
        assert_eq!(contract.to_canonical(), back.to_canonical());
    }
    let document = Dialect::OpenApi.export(&contracts).document();
    let schemas = document
        .root()
        .get("components")
        .unwrap()
        .get("schemas")
        .unwrap();
    let lines = schemas.members().filter(|(name, _)| name != "Error");
    let mut lines: Vec<String> = lines
        .map(|(name, schema)| format!("{name}: {}", schema.text()))
        .collect();
    let paths = document.root().get("paths").unwrap();
    for (path, item) in paths.members() {
        let ours = item.get("post").unwrap().get("x-toolpact").unwrap();
        lines.push(format!("{path}: {}", ours.text()));
    }
    lines.join("\n")
}

/// What means the same is there once; what only has the same name is not taken for it.
#[test]
fn definitions_are_shared() {
    let node = |leaf: &str| {
        format!(
            r##"{{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/Node"}}}}, "$defs": {{
                "Node": {{"items": {{"$ref": "#/$defs/Leaf"}}}}, "Leaf": {{"type": "{leaf}"}}
            }}}}"##
        )
    };
    let tools = [
        tool("one", &node("string")),
        tool("two", &node("string")),
        tool("three", &node("integer")),
    ];
    insta::assert_snapshot!(components(&tools), @r##"
    Node: {"items":{"$ref":"#/components/schemas/Leaf"}}
    Leaf: {"type":"string"}
    Node_2: {"items":{"$ref":"#/components/schemas/Leaf_2"}}
    Leaf_2: {"type":"integer"}
    /tools/one: {"version":1}
    /tools/two: {"version":1}
    /tools/three: {"version":1,"names":{"Node_2":"#/$defs/Node","Leaf_2":"#/$defs/Leaf"}}
    "##);
}

/// A schema that refers to itself is a component of its own.
#[test]
fn roots_that_are_referred_to() {
    let tools = [
        tool(
            "one",
            r##"{"type": "object", "properties": {"a": {"$ref": "#"}}}"##,
        ),
        tool(
            "two",
            r##"{"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}},
                "$defs": {"Error": {"$ref": "#"}, "": {}, "a/b": {}},
                "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Error"}, {"$ref": "#/$defs/"}, {"$ref": "#/$defs/a~1b"}]}}"##,
        ),
    ];
    insta::assert_snapshot!(components(&tools), @r##"
    one.parameters: {"type":"object","properties":{"a":{"$ref":"#/components/schemas/one.parameters"}}}
    two.parameters: {"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/components/schemas/two.parameters/properties/a"}},"additionalProperties":{"anyOf":[{"$ref":"#/components/schemas/Error_2"},{"$ref":"#/components/schemas/_"},{"$ref":"#/components/schemas/a_b"}]}}
    Error_2: {"$ref":"#/components/schemas/two.parameters"}
    _: {}
    a_b: {}
    /tools/one: {"version":1,"names":{"one.parameters":"#"}}
    /tools/two: {"version":1,"names":{"two.parameters":"#","Error_2":"#/$defs/Error","_":"#/$defs/","a_b":"#/$defs/a~1b"}}
    "##);
}

/// What cannot be told in the words of OpenAPI is told in ours as well.
#[test]
fn contracts_come_back_as_they_were() {
    let schemas = [
        r#"{"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}"#,
        r##"{"$id": "https://example.com/a", "type": "object", "properties": {"a": {"$ref": "#"}}}"##,
        r#"{"type": "object", "$defs": {"unused": {}}}"#,
        r##"{"type": "object", "properties": {"a": {"$ref": "#here"}}, "$defs": {"x": {"$anchor": "here"}}}"##,
        r##"{"type": "object", "properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {}}}"##,
        r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {}}}"##,
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}"#,
        r#"{"type": "object", "properties": {"a": {"$ref": "VoidResult"}, "b": {"readOnly": true}}}"#,
        r##"{"type": "object", "properties": {"a": {"$ref": "#/hidden/x"}}, "hidden": {"x": {"$ref": "#/$defs/y"}}, "$defs": {"y": {}}}"##,
    ];
    let returns = [
        r#""opaque""#,
        r#""VoidResult""#,
        r#"{"type": "VoidResult", "description": "Nothing.", "examples": [{"success": true}]}"#,
        r#"{"type": "ListResult", "schema": {"properties": {"items": {"maxItems": 3}}}}"#,
        r#"{"type": "object", "$id": "https://example.com/b"}"#,
        r#"{"type": "Custom", "schema": {"type": "string"}, "content_type": "text/html"}"#,
        r#"{"type": "Custom", "schema": true}"#,
        r#"{"$ref": "VoidResult"}"#,
    ];
    let mut contracts: Vec<_> = Vec::new();
    for (i, schema) in schemas.into_iter().enumerate() {
        let text = tool(&format!("p{i}"), schema);
        contracts.push(contract(&text));
        for (j, returns) in returns.iter().enumerate() {
            let text = tool(&format!("p{i}_{j}"), schema);
            let text = format!(r#"{}, "returns": {returns}}}"#, &text[..text.len() - 1]);
            contracts.push(contract(&text));
        }
    }
    let back = there_and_back(&contracts);
    for (contract, back) in contracts.iter().zip(&back) {
        assert_eq!(contract.to_canonical(), back.to_canonical());
        assert_eq!(contract.digest(), back.digest());
    }
}

/// Whoever changes what is under `x-toolpact` is told what is wrong with it.
#[test]
fn our_words_are_checked() {
    let text = Dialect::OpenApi.export([&contract(WAIT)]).document();
    for (from, to) in [
        (r#""version":1"#, r#""version":2"#),
        (r#""timeout_ms":60000"#, r#""timeout_ms":-1"#),
        (r#""effects":{"#, r#""effects":{"x":true,"#),
    ] {
        let text = text.text().replacen(from, to, 1);
        let import = import_text(&text).unwrap();
        assert_eq!(import.left_out().len(), 1, "{to}");
    }
    let more = text
        .text()
        .replacen(r#""version":1"#, r#""version":1,"more":2"#, 1);
    let import = import_text(&more).unwrap();
    assert_eq!(import.tools()[0].losses[0].lost(), "`more` of `x-toolpact`");
    assert_eq!(import.tools()[0].contract.digest(), contract(WAIT).digest());
}

/// The table of errors says which status means what.
#[test]
fn every_kind_of_error_has_a_status() {
    use toolpact_core::returns::ErrorKind;
    for kind in ErrorKind::all() {
        assert!((400..600).contains(&kind.http_status()), "{kind}");
    }
}
