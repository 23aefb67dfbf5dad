//! Lists of tools held to the rules of their providers.

use toolpact_core::dialect::Dialect;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};
use toolpact_core::{Severity, Violations};

use super::hard::contracts;

fn check(json: &str) -> Violations {
    let document = Document::json(json.as_bytes(), &Limits::default());
    AnyDocument::check_each(&document, None).violations
}

/// An export is what its provider takes, so `check` has nothing to say about it.
#[test]
fn exports_have_no_findings() {
    let contracts = contracts();
    for dialect in Dialect::ALL {
        for contract in &contracts {
            let export = dialect.export([contract]);
            if export.tools().is_empty() {
                continue;
            }
            let text = export.document();
            let document = Document::json(text.text().as_bytes(), &Limits::default());
            let kind = Some(DocumentKind::from(*dialect));
            let found = AnyDocument::check(&document, kind).violations;
            assert!(
                found.is_empty(),
                "{dialect} {}: {found}\n{text}",
                contract.name()
            );
        }
    }
}

#[test]
fn openai_strict() {
    insta::assert_snapshot!(check(r#"[
  {"type": "function", "function": {"name": "get weather", "strict": true, "parameters": {
    "type": "object",
    "properties": {
      "city": {"type": "string", "minLength": 1},
      "at": {"type": "string", "format": "uri"},
      "unit": {"allOf": [{"type": "string"}]}
    },
    "required": ["city", "at"]
  }}},
  {"type": "web_search"}
]"#), @r#"
    2:45: error[dialect-tool-name] at /0/function/name: expected a name of 1 to 64 letters, digits, `_` and `-` for `openai-chat-strict`, found `get weather`; for example `get_weather`
    2:90: error[strict-open-object] at /0/function/parameters: expected `additionalProperties: false` in every object for `openai-chat-strict`, found none; add `"additionalProperties": false`
    5:34: error[dialect-keyword] at /0/function/parameters/properties/city/minLength: expected a keyword that `openai-chat-strict` knows, found `minLength`
    6:42: error[dialect-format] at /0/function/parameters/properties/at/format: expected a format that `openai-chat-strict` knows, one of `date-time`, `time`, `date`, `duration`, `email`, `hostname`, `ipv4`, `ipv6` and `uuid`, found `uri`
    7:15: error[strict-optional-key] at /0/function/parameters/properties/unit: expected every key in `required` for `openai-chat-strict`, found one that may be left out; name it in `required`, and let it be null where it may be left out
    7:16: error[dialect-keyword] at /0/function/parameters/properties/unit/allOf: expected a keyword that `openai-chat-strict` knows, found `allOf`
    "#);
}

#[test]
fn gemini() {
    insta::assert_snapshot!(check(r#"{"functionDeclarations": [
  {"name": "1st", "parameters": {"type": "OBJECT", "propertyOrdering": ["the key"], "properties": {
    "the key": {"type": "STRING", "nullable": true, "example": "a"},
    "n": {"type": "integer", "oneOf": [{"multipleOf": 5}], "format": "int8"}
  }}}
]}"#), @r#"
    2:12: error[dialect-tool-name] at /functionDeclarations/0/name: expected a name of 1 to 64 letters, digits, `_`, `-`, `.` and `:`, a letter or `_` first for `gemini`, found `1st`
    3:16: error[dialect-key-name] at /functionDeclarations/0/parameters/properties/the key: expected a key of 1 to 64 letters, digits, `_`, a letter or `_` first for `gemini`, found the name `the key`
    4:30: error[dialect-keyword] at /functionDeclarations/0/parameters/properties/n/oneOf: expected a keyword that `gemini` knows, found `oneOf`
    4:41: error[dialect-keyword] at /functionDeclarations/0/parameters/properties/n/oneOf/0/multipleOf: expected a keyword that `gemini` knows, found `multipleOf`
    4:70: warning[dialect-format-ignored] at /functionDeclarations/0/parameters/properties/n/format: expected a format that `gemini` knows, one of `float`, `double`, `int32`, `int64`, `email`, `byte`, `date`, `date-time`, `password` and `enum`, found `int8`
    "#);
}

#[test]
fn anthropic_and_mcp() {
    insta::assert_snapshot!(check(r#"{"tools": [
  {"name": "a b", "inputSchema": {"type": "object", "properties": {"x y": {"type": "string", "format": "anything"}}}},
  {"name": "no_type", "inputSchema": {"properties": {}}}
]}"#), @r#"
    2:12: warning[dialect-tool-name-advice] at /tools/0/name: expected a name of 1 to 128 letters, digits, `_`, `-`, `.` and `/` for `mcp`, found `a b`; for example `a_b`
    3:38: error[dialect-schema] at /tools/1/inputSchema: expected a schema that `mcp` takes, found arguments without a type
    "#);
    insta::assert_snapshot!(check(r#"[
  {"name": "a.b", "input_schema": {"type": "object", "oneOf": [{"required": ["x y"]}], "properties": {"x y": {"type": "string"}}}}
]"#), @r#"
    2:12: error[dialect-tool-name] at /0/name: expected a name of 1 to 128 letters, digits, `_` and `-` for `anthropic`, found `a.b`; for example `a_b`
    2:63: error[dialect-schema] at /0/input_schema/oneOf: expected a schema that `anthropic` takes, found a single alternative
    2:110: error[dialect-key-name] at /0/input_schema/properties/x y: expected a key of 1 to 64 letters, digits, `_`, `.` and `-` for `anthropic`, found the name `x y`
    "#);
}

/// What an export would make of it follows from what is wrong with it.
#[test]
fn an_invalid_schema_is_reported_once() {
    let wrong = [
        r#"{"tools": [{"name": "a", "inputSchema": {"type": "objekt"}}]}"#,
        r#"{"tools": [{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "strin"}}}}]}"#,
        r#"[{"name": "a", "input_schema": {"type": "objekt"}}]"#,
        r#"[{"type": "function", "name": "a", "parameters": {"type": "objekt"}}]"#,
        r#"[{"type": "function", "function": {"name": "a", "strict": true, "parameters": {"type": "objekt"}}}]"#,
        r#"{"functionDeclarations": [{"name": "a", "parameters": {"type": "OBJEKT"}}]}"#,
    ];
    for text in wrong {
        let violations = check(text);
        let codes: Vec<&str> = violations
            .iter()
            .map(toolpact_core::Violation::code)
            .collect();
        assert_eq!(codes, ["json-schema-invalid"], "{text}\n{violations}");
    }
}

#[test]
fn a_strict_object_is_closed_by_a_fix() {
    let text =
        r#"[{"name": "a", "strict": true, "input_schema": {"type": "object", "properties": {}}}]"#;
    let violations = check(text);
    let violation = violations.iter().next().unwrap();
    assert_eq!(violation.code(), "strict-open-object");
    assert_eq!(violation.severity(), Severity::Error);
    let fix = violation.suggestion().unwrap().fix.as_ref().unwrap();
    let mut fixed = text.to_owned();
    fixed.replace_range(fix.span.clone(), &fix.replacement);
    assert!(check(&fixed).is_empty(), "{fixed}");
}
