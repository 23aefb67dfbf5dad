//! Whole pages.

use toolpact_core::contract::Contract;
use toolpact_docs::{Docs, html, markdown};

use super::{contract, page};

const SMALL: &str = r#"{
    "name": "find_city",
    "description": "Finds a city by its name. Best with a country.",
    "parameters": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2, "description": "As people write it: `Oslo`."},
            "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}
        },
        "required": ["name"],
        "additionalProperties": false
    },
    "returns": {"type": "Custom", "schema": {"type": "array", "items": {"type": "string"}}, "examples": [["Oslo"]]},
    "text": "{{ value }}",
    "effects": {"read_only": true},
    "timeout_ms": 1500
}"#;

fn small() -> Docs {
    Docs::of("Our tools", &[Contract::from_json(SMALL).unwrap()])
}

#[test]
fn in_markdown() {
    let files = markdown::files(&small());
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["index.md", "find_city.md"]);
    let index = files[0].1.split_once("## Errors").unwrap().0;
    insta::assert_snapshot!("index.md", index);
    insta::assert_snapshot!("find_city.md", files[1].1);
}

#[test]
fn in_html() {
    let page = html::whole(&small());
    let body = page.split_once("<body>").unwrap().1;
    let body = body.split_once("<section id=\"errors\"").unwrap().0;
    insta::assert_snapshot!("index.html", body);
}

#[test]
fn one_document_links_within_itself() {
    let text = markdown::whole(&small());
    for target in ["find_city", "errors"] {
        assert!(text.contains(&format!("](#{target})")), "{target}");
        assert!(
            text.contains(&format!("<a id=\"{target}\"></a>")),
            "{target}"
        );
    }
    assert!(!text.contains(".md"));
}

#[test]
fn what_is_returned() {
    for (returns, expected) in [
        (r#""StringValue""#, "StringValue: simple string return."),
        (r#""opaque""#, "Text without a promised structure."),
        (r#"{"type": "integer"}"#, "A value of the tool's own type."),
        (
            r#"{"type": "NumberValue", "schema": {"type": "number"}, "examples": [1]}"#,
            "NumberValue: numeric return (integer or float), narrowed by this tool.",
        ),
    ] {
        let text = format!(
            r#"{{"name": "t", "description": "Does it.", "parameters": {{"type": "object"}}, "returns": {returns}}}"#
        );
        let page = page(&Contract::from_json(text).unwrap());
        assert_eq!(page.returns.what.to_string(), expected);
    }
}

/// A result has the fields of its type, and what refines the type is said of them too.
#[test]
fn refined_fields() {
    let contract = Contract::from_json(
        r#"{"name": "t", "description": "Does it.", "parameters": {"type": "object"}, "returns": {
            "type": "EntityResult", "examples": [], "schema": {"type": "object", "properties": {
                "type": {"const": "order"}, "attributes": {"type": "object", "properties": {"total": {"type": "number"}}}}}}}"#,
    );
    let page = page(&contract.unwrap());
    let shape = page.returns.shape.unwrap();
    let rows: Vec<String> = shape
        .rows
        .iter()
        .map(|row| format!("{}: {}", row.path, row.kind))
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    type: always "order"
    attributes: object
    attributes.total: number
    id: string
    relationships: map of object
    relationships.*.data: object or array
    meta: object
    "#);
}

#[test]
fn whether_to_call_again_is_said_of_each_tool() {
    for (effects, expected) in [
        (r#"{"read_only": true}"#, "because it is read-only"),
        (r#"{"idempotent": true}"#, "because it is idempotent"),
        (r#"{"idempotent": false}"#, "It is not idempotent"),
        ("{}", "Nothing says that it is idempotent"),
    ] {
        let text = format!(
            r#"{{"name": "t", "description": "Does it.", "parameters": {{"type": "object"}}, "effects": {effects}}}"#
        );
        let page = page(&Contract::from_json(text).unwrap());
        assert!(page.errors[0].to_string().contains(expected), "{effects}");
        // What promises nothing breaks no promise.
        assert_eq!(page.errors.len(), 1);
    }
}

#[test]
fn tools_of_one_name_have_two_pages() {
    let contract = contract(r#"{"type": "object"}"#);
    let mut docs = Docs::new("Tools");
    docs.add(&contract, Some("a.yaml"));
    docs.add(&contract, Some("b.yaml"));
    let files = markdown::files(&docs);
    let names: Vec<&str> = files.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["index.md", "t.md", "t-2.md"]);
    assert!(files[1].1.contains("from**: `a.yaml`"));
    assert!(files[2].1.contains("from**: `b.yaml`"));
    let page = html::whole(&docs);
    assert!(page.contains("<article id=\"t\">") && page.contains("<article id=\"t-2\">"));
}
