//! What a document is: one detector for every kind, and for what is none of ours.

use toolpact_core::dialect::{Dialect, Import};
use toolpact_core::document::{AnyDocument, DocumentKind as Kind};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::Level;

fn detect(json: &str) -> Option<(Kind, bool)> {
    let value = Value::from_json(json).unwrap();
    Kind::detect(value.root()).map(|found| (found.kind, found.is_certain))
}

const LOWER: &str = r#"{"type":"object","properties":{"q":{"type":"string"}}}"#;
const UPPER: &str = r#"{"type":"OBJECT","properties":{"q":{"type":"STRING"}}}"#;

/// A document in which `L` and `U` are schemas in lower and in upper case.
fn with_schemas(json: &str) -> String {
    json.replace(" L", LOWER).replace(" U", UPPER)
}

const CERTAIN: [(&str, Kind); 27] = [
    (r#"{"toolpact": 1, "tools": []}"#, Kind::Contract),
    (r#"{"toolpact_lock": 1, "sources": {}}"#, Kind::Lock),
    (r#"{"function_declarations": []}"#, Kind::Tool),
    (
        r#"{"function_declarations": [{"name": "t", "description": "D.", "parameters": U}]}"#,
        Kind::Tool,
    ),
    (
        r#"{"function_declarations": [{"name": "t", "parameters": {"type": "object", "properties": {"n": {"type": "INTEGER"}}}}]}"#,
        Kind::Tool,
    ),
    (
        r#"{"name": "t", "description": "D.", "parameters": U}"#,
        Kind::Declaration,
    ),
    (r#"{"type": "STRING"}"#, Kind::Schema),
    (
        r#"{"type": "string", "items": {"type": "STRING"}}"#,
        Kind::Schema,
    ),
    (r#"{"name": "t", "args": {}}"#, Kind::Call),
    (r#"{"name": "t", "status": "SUCCESS"}"#, Kind::Result),
    (r#"{"name": "a", "llm": "m", "tools": []}"#, Kind::Agent),
    (
        r##"{"type": "object", "schema": {"$ref": "#/$defs/StandardReturnTypes/ObjectResult"}}"##,
        Kind::ReturnType,
    ),
    (r#"{"type": "EntityResult"}"#, Kind::ReturnType),
    (
        r#"{"returns": {"type": "Structured", "schema": {}, "content_type": "application/json"}}"#,
        Kind::ReturnType,
    ),
    (
        r#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#,
        Kind::JsonSchema,
    ),
    (
        r#"{"type": "object", "properties": {"type": {"type": "string"}}}"#,
        Kind::JsonSchema,
    ),
    (
        r#"[{"type": "function", "name": "t", "parameters": L}]"#,
        Kind::Tools(Dialect::OpenAi),
    ),
    (
        r#"[{"type": "function", "function": {"name": "t", "parameters": L}}, {"type": "web_search"}]"#,
        Kind::Tools(Dialect::OpenAiChat),
    ),
    (
        r#"{"model": "m", "tools": [{"name": "t", "input_schema": L}]}"#,
        Kind::Tools(Dialect::Anthropic),
    ),
    (
        r#"{"modelId": "m", "toolConfig": {"tools": [{"toolSpec": {"name": "t", "inputSchema": {"json": L}}}]}}"#,
        Kind::Tools(Dialect::Bedrock),
    ),
    (
        r#"{"functionDeclarations": [{"name": "t", "parameters": U}]}"#,
        Kind::Tools(Dialect::Gemini),
    ),
    (
        r#"{"tools": [{"functionDeclarations": [{"name": "t", "parameters": L}]}]}"#,
        Kind::Tools(Dialect::Gemini),
    ),
    (
        r#"{"function_declarations": [{"name": "t", "parameters": L}]}"#,
        Kind::Tools(Dialect::Gemini),
    ),
    (
        r#"{"tools": [{"name": "t", "inputSchema": L}], "nextCursor": "2"}"#,
        Kind::Tools(Dialect::Mcp),
    ),
    (
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "t", "inputSchema": L}]}}"#,
        Kind::Tools(Dialect::Mcp),
    ),
    (
        r#"{"openapi": "3.1.0", "paths": {}}"#,
        Kind::Tools(Dialect::OpenApi),
    ),
    (
        r#"{"openapi": "3.0.3", "paths": {}}"#,
        Kind::Tools(Dialect::OpenApi),
    ),
];

#[test]
fn each_kind_is_known_by_its_fields() {
    for (json, kind) in CERTAIN {
        let json = with_schemas(json);
        assert_eq!(detect(&json), Some((kind, true)), "{json}");
    }
}

/// These are read if somebody names them, and never changed.
#[test]
fn a_guess_is_told_from_what_is_certain() {
    let guesses = [
        (
            r#"{"name": "t", "description": "D.", "parameters": L}"#,
            Kind::Tools(Dialect::OpenAi),
        ),
        (r#"{"name": "t", "description": "D."}"#, Kind::Declaration),
        (r#"{"name": "a", "tools": []}"#, Kind::Agent),
        (r#"{"type": "string"}"#, Kind::JsonSchema),
        (r#"{"name": "t", "status": "done"}"#, Kind::Result),
    ];
    for (json, kind) in guesses {
        let json = with_schemas(json);
        assert_eq!(detect(&json), Some((kind, false)), "{json}");
    }
}

#[test]
fn what_others_keep_in_json_is_none_of_ours() {
    let others = [
        r#"{"name": "app", "version": "1.0.0", "description": "An app.", "type": "module"}"#,
        r#"{"name": "app", "version": "1.0.0", "description": "An app."}"#,
        r#"{"compilerOptions": {"strict": true}, "include": ["src"]}"#,
        r#"{"name": "app", "lockfileVersion": 3, "packages": {}}"#,
        r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}}"#,
        r#"{"command": "npx", "args": ["-y", "files"]}"#,
        r#"{"type": "FeatureCollection", "features": []}"#,
        r#"{"input": "src/main.js", "output": {"file": "out.js"}}"#,
        r#"{"status": "ok"}"#,
        r#"[{"name": "bob", "age": 3}]"#,
        "[]",
        "{}",
        "3",
    ];
    for json in others {
        assert_eq!(detect(json), None, "{json}");
    }
}

/// What the detector knows, the loader and `check` read.
#[test]
fn whatever_has_tools_is_loaded_and_checked() {
    for (json, kind) in CERTAIN {
        let json = with_schemas(json);
        if kind.dialect().is_none() || !json.contains(r#""t""#) || json.contains("INTEGER") {
            continue;
        }
        let document = Document::json(json.as_bytes(), &Limits::default());
        let forced = Import::read(&document, Some(kind));
        for import in [Import::read(&document, None), forced] {
            let import = import.unwrap_or_else(|wrong| panic!("{json}: {wrong}"));
            let names: Vec<_> = import.contracts().map(|c| c.name().as_str()).collect();
            assert_eq!(names, ["t"], "{json}");
        }
        if let Kind::Tools(_) = kind {
            let checked = AnyDocument::check_each(&document, None);
            assert!(
                checked.violations.is_empty(),
                "{json}: {}",
                checked.violations
            );
            let [document] = &checked.value.unwrap()[..] else {
                panic!("{json}: one document");
            };
            assert_eq!(document.kind(), kind);
            assert_eq!(document.functions(Level::Shape)[0].name(), "t");
        }
    }
}

#[test]
fn what_is_wrong_with_a_tool_is_told_at_its_place() {
    let json = r#"{"tools": [
  {"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "strin"}}}},
  {"name": "a", "inputSchema": {"type": "object"}}
]}"#;
    let document = Document::json(json.as_bytes(), &Limits::default());
    let violations = AnyDocument::check_each(&document, None).violations;
    insta::assert_snapshot!(violations, @r#"
    2:80: error[json-schema-invalid] at /tools/0/inputSchema/properties/x/type: expected a type of JSON Schema, which are `string`, `number`, `integer`, `boolean`, `object`, `array` and `null`, found `strin`; did you mean `string`?
    3:12: error[tool-duplicate-name] at /tools/1/name: expected each name once, found it again
    "#);
}

#[test]
fn a_document_without_tools_says_what_it_is() {
    let document = Document::json(br#"{"name": "t", "args": {}}"#, &Limits::default());
    insta::assert_snapshot!(Import::read(&document, None).unwrap_err(), @"1:1: error[unknown-document]: expected tools, found a function call");
    let document = Document::json(br#"{"hello": 1}"#, &Limits::default());
    insta::assert_snapshot!(Import::read(&document, None).unwrap_err(), @"1:1: error[unknown-document]: expected one of the kinds `tool`, `declaration`, `schema`, `call`, `result`, `contract` and `agent`, or tools of `openai`, `anthropic`, `gemini`, `mcp` and `openapi`, found an object with none of their fields");
}
