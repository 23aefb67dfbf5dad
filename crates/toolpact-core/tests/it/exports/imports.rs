//! Tools as people find them: each is seen for what it is, and read into a contract.

use toolpact_core::dialect::{Dialect, Import, import};
use toolpact_core::json::{Document, Limits};
use toolpact_core::{Severity, Violation, Violations};

fn read(json: &str) -> Import {
    import(&Document::json(json.as_bytes(), &Limits::default())).unwrap()
}

/// The dialect that a tool is taken for, and its parameters.
fn only(json: &str) -> (Dialect, String) {
    let found = read(json);
    assert!(
        found.left_out().is_empty(),
        "{json}: {:?}",
        found.left_out()
    );
    let [tool] = found.tools() else {
        panic!("{json}: {:?}", found.tools());
    };
    let contract = tool.contract.to_value();
    let parameters = contract.root().get("parameters").unwrap();
    (tool.dialect, parameters.text().to_owned())
}

const SCHEMA: &str = r#"{"type":"object","properties":{"q":{"type":"string"}}}"#;

#[test]
fn a_dialect_is_known_by_its_shape() {
    let cases = [
        (
            r#"{"name": "t", "description": "D.", "inputSchema": S}"#,
            Dialect::Mcp,
        ),
        (
            r#"{"tools": [{"name": "t", "description": "D.", "inputSchema": S}]}"#,
            Dialect::Mcp,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "t", "inputSchema": S}]}}"#,
            Dialect::Mcp,
        ),
        (
            r#"{"name": "t", "description": "D.", "input_schema": S}"#,
            Dialect::Anthropic,
        ),
        (
            r#"[{"name": "t", "description": "D.", "input_schema": S, "strict": true}]"#,
            Dialect::AnthropicStrict,
        ),
        (
            r#"{"toolConfig": {"tools": [{"toolSpec": {"name": "t", "description": "D.", "inputSchema": {"json": S}}}]}}"#,
            Dialect::Bedrock,
        ),
        (
            r#"[{"type": "function", "name": "t", "parameters": S}]"#,
            Dialect::OpenAi,
        ),
        (
            r#"[{"type": "function", "name": "t", "parameters": S, "strict": true}]"#,
            Dialect::OpenAiStrict,
        ),
        (
            r#"{"type": "function", "function": {"name": "t", "parameters": S}}"#,
            Dialect::OpenAiChat,
        ),
        (
            r#"{"type": "function", "function": {"name": "t", "parameters": S, "strict": true}}"#,
            Dialect::OpenAiChatStrict,
        ),
        (
            r#"{"functions": [{"name": "t", "description": "D.", "parameters": S}]}"#,
            Dialect::OpenAi,
        ),
        (
            r#"[{"functionDeclarations": [{"name": "t", "description": "D.", "parametersJsonSchema": S}]}]"#,
            Dialect::GeminiJson,
        ),
        (
            r#"{"name": "t", "description": "D.", "input": S}"#,
            Dialect::JsonSchema,
        ),
        (
            r#"{"toolpact": 1, "tools": [{"name": "t", "description": "D.", "parameters": S}]}"#,
            Dialect::Contract,
        ),
    ];
    for (json, dialect) in cases {
        let json = json.replace(" S", SCHEMA);
        assert_eq!(only(&json), (dialect, SCHEMA.to_owned()), "{json}");
    }
}

#[test]
fn words_of_gemini() {
    let json = r#"{"function_declarations": [{"name": "t", "description": "D.", "parameters": {
        "type": "OBJECT", "property_ordering": ["a"],
        "properties": {
            "a": {"type": "STRING", "nullable": true, "enum": ["x"], "format": "enum"},
            "b": {"type": "ARRAY", "items": {"any_of": [{"type": "INTEGER"}, {"type": "STRING"}]}, "min_items": "1"},
            "c": {"type": "NUMBER", "example": 1.5, "maxLength": "3"}
        }
    }}]}"#;
    let (dialect, parameters) = only(json);
    assert_eq!(dialect, Dialect::Gemini);
    insta::assert_snapshot!(parameters, @r#"{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null],"format":"enum"},"b":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]},"minItems":1},"c":{"type":"number","maxLength":3,"examples":[1.5]}}}"#);
}

#[test]
fn older_drafts() {
    let read = |schema: &str| only(&format!(r#"{{"name": "t", "inputSchema": {schema}}}"#)).1;
    insta::assert_snapshot!(read(r##"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {"p": {"$ref": "#/definitions/p", "minLength": 3}, "t": {"type": "array", "items": [{"type": "string"}], "additionalItems": false}},
        "definitions": {"p": {"type": "string"}},
        "dependencies": {"p": ["t"], "t": {"required": ["p"]}}}"##),
        @r##"{"type":"object","properties":{"p":{"$ref":"#/$defs/p"},"t":{"type":"array","prefixItems":[{"type":"string"}],"items":false}},"dependentRequired":{"p":["t"]},"dependentSchemas":{"t":{"required":["p"]}},"$defs":{"p":{"type":"string"}}}"##);
    insta::assert_snapshot!(read(r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
        "properties": {"n": {"type": "number", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}}}"#),
        @r#"{"type":"object","properties":{"n":{"type":"number","maximum":9,"exclusiveMinimum":1}}}"#);
    insta::assert_snapshot!(read(r#"{"type": "object", "properties": {"t": {"type": "array", "items": [{"type": "string"}]}}}"#),
        @r#"{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"string"}]}}}"#);
}

#[test]
fn one_bad_tool_is_named_and_the_others_go_through() {
    let found = read(
        r#"[
        {"name": "good", "inputSchema": {"type": "object"}},
        {"name": "bad", "inputSchema": {"type": "object", "properties": {"x": {"type": "strin"}}}},
        {"name": "good", "inputSchema": {"type": "object"}},
        {"type": "web_search", "name": "theirs"},
        {"name": "", "inputSchema": {"type": "object"}},
        {"name": "a.b", "inputSchema": {"type": "object"}},
        {"name": "also_good", "input_schema": {"type": "object"}}
    ]"#,
    );
    let names: Vec<&str> = found
        .contracts()
        .map(|contract| contract.name().as_str())
        .collect();
    assert_eq!(names, ["good", "a_b_2e7336", "also_good"]);
    assert_eq!(
        found.get("a.b").unwrap().contract.name().as_str(),
        "a_b_2e7336"
    );
    let bad: Vec<String> = found
        .left_out()
        .iter()
        .map(|bad| format!("{}: {}", bad.name, first_error(&bad.violations).pointer()))
        .collect();
    assert_eq!(
        bad,
        [
            "bad: /1/inputSchema/properties/x/type",
            "good: /2/name",
            "theirs: /3",
            ": /4/name"
        ]
    );
}

fn first_error(violations: &Violations) -> &Violation {
    let mut errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
    errors.next().unwrap()
}

#[test]
fn a_result_that_was_wrapped_is_unwrapped_and_no_other() {
    let tool = |meta: &str| {
        let json = format!(
            r#"{{"name": "t", "inputSchema": {{"type": "object"}}, "outputSchema":
            {{"type": "object", "properties": {{"result": {{"type": "string"}}}}, "required": ["result"]}}{meta}}}"#
        );
        read(&json).tools()[0].contract.to_canonical()
    };
    let wrapped = tool(r#", "_meta": {"toolpact/wrapped": true}"#);
    assert!(
        wrapped.contains(r#""schema":{"type":"string"}"#),
        "{wrapped}"
    );
    assert!(tool("").contains(r#""properties":{"result""#));
}

/// As pydantic writes a decimal number.
#[test]
fn a_pattern_that_looks_around_is_left_out_and_not_its_tool() {
    let found = read(
        r#"{"name": "pay", "inputSchema": {"type": "object", "properties":
        {"sum": {"type": "string", "pattern": "^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$"}}}}"#,
    );
    let tool = &found.tools()[0];
    let losses: Vec<String> = tool.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses[0],
        "loss[constraint] at /parameters/properties/sum/pattern: a pattern with look-around, which may \
         take for ever; it was left out, and is not checked (the model may send what the tool refuses)"
    );
    let broken = import(&Document::json(
        br#"{"name": "pay", "inputSchema": {"type": "object", "properties": {"sum": {"pattern": "("}}}}"#,
        &Limits::default(),
    ));
    assert_eq!(broken.unwrap().left_out().len(), 1);
}

#[test]
fn references_that_would_nest_too_deeply_are_not_written_out() {
    let mut definitions = Vec::new();
    for number in 0..12 {
        let next = match number {
            11 => r#"{"type":"string"}"#.to_owned(),
            _ => format!(r##"{{"$ref":"#/$defs/d{}"}}"##, number + 1),
        };
        let levels = (0..10).fold(next, |inner, _| {
            format!(r#"{{"type":"object","properties":{{"x":{inner}}}}}"#)
        });
        definitions.push(format!(r#""d{number}":{levels}"#));
    }
    let json = format!(
        r##"{{"name": "deep", "inputSchema": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{}}}}}}}"##,
        definitions.join(",")
    );
    let found = read(&json);
    for dialect in Dialect::ALL {
        let export = dialect.export(found.contracts());
        let text = export.document();
        let back = Document::json(text.text().as_bytes(), &Limits::default());
        assert!(back.root().is_some(), "{dialect}");
    }
    assert_eq!(
        Dialect::Gemini.export(found.contracts()).left_out().len(),
        1
    );
}
