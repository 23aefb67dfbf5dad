//! Results, to the last byte.

use super::{ADM, export, failure, find, said, success, value};
use toolpact_core::dialect::{Answer, Dialect};
use toolpact_core::model::ToolResult;

const LIST: &str = "
toolpact: 1
tools:
  - name: find
    description: Finds things.
    parameters: { type: object }
    returns: { type: array, items: { type: integer } }
";

const OBJECT: &str = "
toolpact: 1
tools:
  - name: find
    description: Finds things.
    parameters: { type: object }
    returns: { type: object, properties: { a: { type: integer } } }
";

const TEXT: &str = "
toolpact: 1
tools:
  - name: find
    description: Finds things.
    parameters: { type: object }
    returns: opaque
";

fn with(answer: Answer, id: &str, text: &str) -> Answer {
    Answer {
        id: Some(id.into()),
        text: (!text.is_empty()).then(|| text.to_owned()),
        ..answer
    }
}

#[test]
fn successes() {
    let object = with(success(r#"{"a":1}"#), "c1", "");
    let told = with(success(r#"{"a":1}"#), "c1", "One a.");
    for (dialects, plain, text) in [
        (
            &[Dialect::Gemini, Dialect::GeminiJson][..],
            r#"{"functionResponse":{"id":"c1","name":"find","response":{"output":{"a":1}}}}"#,
            r#"{"functionResponse":{"id":"c1","name":"find","response":{"output":"One a."}}}"#,
        ),
        (
            &[Dialect::OpenAi, Dialect::OpenAiStrict],
            r#"{"type":"function_call_output","call_id":"c1","output":"{\"a\":1}"}"#,
            r#"{"type":"function_call_output","call_id":"c1","output":"One a."}"#,
        ),
        (
            &[Dialect::OpenAiChat, Dialect::OpenAiChatStrict],
            r#"{"role":"tool","tool_call_id":"c1","content":"{\"a\":1}"}"#,
            r#"{"role":"tool","tool_call_id":"c1","content":"One a."}"#,
        ),
        (
            &[Dialect::Anthropic, Dialect::AnthropicStrict],
            r#"{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"a\":1}"}]}"#,
            r#"{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"One a."}]}"#,
        ),
        (
            &[Dialect::Mcp],
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1},"resultType":"complete"}}"#,
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"One a."}],"structuredContent":{"a":1},"resultType":"complete"}}"#,
        ),
        (
            &[Dialect::Mcp2025_11_25, Dialect::Mcp2025_06_18],
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}}"#,
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"One a."}],"structuredContent":{"a":1}}}"#,
        ),
        (
            &ADM,
            r#"{"name":"find","status":"SUCCESS","content":{"a":1}}"#,
            r#"{"name":"find","status":"SUCCESS","content":{"a":1}}"#,
        ),
    ] {
        for dialect in dialects {
            assert_eq!(
                dialect.write_result(&object, None).text(),
                plain,
                "{dialect}"
            );
            assert_eq!(dialect.write_result(&told, None).text(), text, "{dialect}");
        }
    }
}

#[test]
fn failures() {
    let error = r#"{"message":"No city","type":"RESOURCE_NOT_FOUND"}"#;
    let plain = with(failure(error), "c1", "");
    let told = with(failure(error), "c1", "Error: No city. Try another.");
    for (dialect, expected, text) in [
        (
            Dialect::Gemini,
            r#"{"functionResponse":{"id":"c1","name":"find","response":{"error":{"message":"No city","type":"RESOURCE_NOT_FOUND"}}}}"#,
            r#"{"functionResponse":{"id":"c1","name":"find","response":{"error":{"message":"Error: No city. Try another.","type":"RESOURCE_NOT_FOUND"}}}}"#,
        ),
        (
            Dialect::OpenAi,
            r#"{"type":"function_call_output","call_id":"c1","output":"{\"error\":{\"message\":\"No city\",\"type\":\"RESOURCE_NOT_FOUND\"}}"}"#,
            r#"{"type":"function_call_output","call_id":"c1","output":"{\"error\":{\"message\":\"Error: No city. Try another.\",\"type\":\"RESOURCE_NOT_FOUND\"}}"}"#,
        ),
        (
            Dialect::OpenAiChat,
            r#"{"role":"tool","tool_call_id":"c1","content":"{\"error\":{\"message\":\"No city\",\"type\":\"RESOURCE_NOT_FOUND\"}}"}"#,
            r#"{"role":"tool","tool_call_id":"c1","content":"{\"error\":{\"message\":\"Error: No city. Try another.\",\"type\":\"RESOURCE_NOT_FOUND\"}}"}"#,
        ),
        (
            Dialect::Anthropic,
            r#"{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"{\"error\":{\"message\":\"No city\",\"type\":\"RESOURCE_NOT_FOUND\"}}"}],"is_error":true}"#,
            r#"{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"Error: No city. Try another."}],"is_error":true}"#,
        ),
        (
            Dialect::Mcp2025_11_25,
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"No city"}],"isError":true,"_meta":{"toolpact/error":{"message":"No city","type":"RESOURCE_NOT_FOUND"}}}}"#,
            r#"{"jsonrpc":"2.0","id":"c1","result":{"content":[{"type":"text","text":"Error: No city. Try another."}],"isError":true,"_meta":{"toolpact/error":{"message":"No city","type":"RESOURCE_NOT_FOUND"}}}}"#,
        ),
        (
            Dialect::Adm,
            r#"{"name":"find","status":"ERROR","error":{"message":"No city","type":"RESOURCE_NOT_FOUND"}}"#,
            r#"{"name":"find","status":"ERROR","error":{"message":"No city","type":"RESOURCE_NOT_FOUND"}}"#,
        ),
    ] {
        assert_eq!(dialect.write_result(&plain, None).text(), expected);
        assert_eq!(dialect.write_result(&told, None).text(), text);
    }
}

/// What was told a schema gets the content; MCP of 2025 in an object, if that was told.
#[test]
fn promised() {
    let (list, object) = (success("[1]"), success(r#"{"result":1}"#));
    let text = |answer: &Answer| Answer {
        text: Some("One.".to_owned()),
        ..answer.clone()
    };
    for (dialect, expected) in [
        (
            Dialect::Gemini,
            r#"{"functionResponse":{"name":"find","response":{"output":[1]}}}"#,
        ),
        (
            Dialect::OpenAi,
            r#"{"type":"function_call_output","output":"[1]"}"#,
        ),
        (Dialect::OpenAiChat, r#"{"role":"tool","content":"One."}"#),
        (
            Dialect::Mcp,
            r#"{"content":[{"type":"text","text":"One."}],"structuredContent":[1],"resultType":"complete"}"#,
        ),
        (
            Dialect::Mcp2025_06_18,
            r#"{"content":[{"type":"text","text":"One."}],"structuredContent":{"result":[1]}}"#,
        ),
    ] {
        let tools = export(dialect, LIST);
        let written = dialect.write_result(&text(&list), Some(&tools));
        assert_eq!(written.text(), expected);
        let again = dialect.read_result(&written, Some(&find()), Some(&tools));
        match dialect {
            Dialect::OpenAiChat => {}
            _ => assert_eq!(again.unwrap().result, list.result),
        }
    }
    // An object is not wrapped, even if it looks as if it were.
    let tools = export(Dialect::Mcp2025_11_25, OBJECT);
    let written = Dialect::Mcp2025_11_25.write_result(&object, Some(&tools));
    assert!(
        written
            .text()
            .ends_with(r#""structuredContent":{"result":1}}"#)
    );
    let again = Dialect::Mcp2025_11_25.read_result(&written, Some(&find()), Some(&tools));
    assert_eq!(again.unwrap(), object);
}

/// A text that looks like JSON stays a text, where it is known to be one.
#[test]
fn mere_text() {
    let answer = success(r#""[1]""#);
    for dialect in [Dialect::OpenAi, Dialect::OpenAiChat, Dialect::Anthropic] {
        let tools = export(dialect, TEXT);
        let written = dialect.write_result(&answer, Some(&tools));
        let read = |tools| dialect.read_result(&written, Some(&find()), tools).unwrap();
        assert_eq!(read(Some(&tools)), answer, "{dialect}");
        assert_eq!(read(None), success("[1]"), "{dialect}");
    }
}

#[test]
fn read() {
    let message = |json: &str, dialect: Dialect| {
        let read = dialect.read_result(&value(json), Some(&find()), None);
        match read.unwrap_or_else(|v| panic!("{json}\n{v}")).result {
            ToolResult::Success { content, .. } => content.text().to_owned(),
            ToolResult::Error { error, .. } => error.to_json(),
        }
    };
    for (dialect, json, expected) in [
        (
            Dialect::Gemini,
            r#"{"functionResponse":{"name":"find","response":{"a":1}}}"#,
            r#"{"a":1}"#,
        ),
        (
            Dialect::Gemini,
            r#"{"function_response":{"response":{"output":5,"error":null}}}"#,
            "5",
        ),
        (
            Dialect::Gemini,
            r#"{"name":"find","response":{"error":"Gone"}}"#,
            r#"{"message":"Gone"}"#,
        ),
        (
            Dialect::Gemini,
            r#"{"response":{"error":{"code":5,"message":"Gone"}}}"#,
            r#"{"message":"Gone"}"#,
        ),
        (
            Dialect::Gemini,
            r#"{"response":{"error":[404]}}"#,
            r#"{"message":"[404]"}"#,
        ),
        (Dialect::Gemini, r#"{"functionResponse":{}}"#, "null"),
        (Dialect::OpenAi, r#"{"output":"fine"}"#, r#""fine""#),
        (Dialect::OpenAi, r#"{"output":""}"#, r#""""#),
        (
            Dialect::OpenAi,
            r#"{"output":"{\"error\":{\"message\":\"x\"},\"more\":1}"}"#,
            r#"{"error":{"message":"x"},"more":1}"#,
        ),
        (
            Dialect::OpenAi,
            r#"{"output":"{\"a\":1,\"a\":2}"}"#,
            r#""{\"a\":1,\"a\":2}""#,
        ),
        (
            Dialect::OpenAi,
            r#"{"output":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}"#,
            r#""a\nb""#,
        ),
        (
            Dialect::OpenAi,
            r#"{"output":[{"type":"input_image","file_id":"f"}]}"#,
            r#"[{"type":"input_image","file_id":"f"}]"#,
        ),
        (
            Dialect::OpenAiChat,
            r#"{"role":"tool","content":[{"type":"text","text":"[1]"}]}"#,
            "[1]",
        ),
        (Dialect::Anthropic, r#"{"type":"tool_result"}"#, "null"),
        (Dialect::Anthropic, r#"{"content":[]}"#, r#""""#),
        (
            Dialect::Anthropic,
            r#"{"content":"x","is_error":true}"#,
            r#"{"message":"x"}"#,
        ),
        (
            Dialect::Anthropic,
            r#"{"is_error":true}"#,
            r#"{"message":"The tool failed.","type":"INTERNAL_ERROR"}"#,
        ),
        (
            Dialect::Anthropic,
            r#"{"content":[{"type":"image"},{"type":"text","text":"x"}],"is_error":true}"#,
            r#"{"message":"x"}"#,
        ),
        (
            Dialect::Mcp,
            r#"{"content":[{"type":"text","text":"5"}]}"#,
            r#""5""#,
        ),
        (
            Dialect::Mcp,
            r#"{"content":[],"structuredContent":null}"#,
            "null",
        ),
        (
            Dialect::Mcp2025_06_18,
            r#"{"content":[],"structuredContent":null}"#,
            r#""""#,
        ),
        (
            Dialect::Mcp,
            r#"{"content":[{"type":"text","text":"x"}],"isError":true}"#,
            r#"{"message":"x"}"#,
        ),
        (
            Dialect::Mcp,
            r#"{"content":[],"structuredContent":{"error":{"message":"x","type":"Y"}},"isError":true}"#,
            r#"{"message":"x","type":"Y"}"#,
        ),
        (
            Dialect::Mcp,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}"#,
            r#"{"message":"Unknown tool"}"#,
        ),
    ] {
        assert_eq!(message(json, dialect), expected, "{json}");
    }
}

#[test]
fn refused() {
    for (dialect, json, expected) in [
        (
            Dialect::Gemini,
            r#"{"functionResponse":{"name":"look","response":{}}}"#,
            "result-name-mismatch /functionResponse/name",
        ),
        (
            Dialect::Gemini,
            r#"{"functionResponse":{"response":[]}}"#,
            "wrong-type /functionResponse/response",
        ),
        (Dialect::OpenAi, r#"{"call_id":"c"}"#, "missing-field "),
        (
            Dialect::OpenAi,
            r#"{"type":"message","output":""}"#,
            "wrong-type /type",
        ),
        (
            Dialect::OpenAiChat,
            r#"{"role":"user","content":""}"#,
            "wrong-type /role",
        ),
        (
            Dialect::OpenAiChat,
            r#"{"content":null}"#,
            "wrong-type /content",
        ),
        (
            Dialect::Anthropic,
            r#"{"tool_use_id":{},"content":""}"#,
            "wrong-type /tool_use_id",
        ),
        (Dialect::Mcp, "{}", "missing-field "),
        (
            Dialect::Mcp,
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            "wrong-type /resultType",
        ),
        (
            Dialect::Adm,
            r#"{"name":"look","status":"SUCCESS","content":1}"#,
            "result-name-mismatch /name",
        ),
    ] {
        let refused = dialect.read_result(&value(json), Some(&find()), None);
        assert_eq!(said(&refused.unwrap_err()), [expected], "{json}");
    }
    let nameless = Dialect::OpenAi.read_result(&value(r#"{"output":""}"#), None, None);
    assert_eq!(said(&nameless.unwrap_err()), ["missing-field "]);
}
