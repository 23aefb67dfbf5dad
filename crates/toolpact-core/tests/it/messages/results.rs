//! Results, to the last byte.

use super::{ADM, export, failure, find, success};
use toolpact_core::dialect::{Answer, Dialect};

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
            &[Dialect::Bedrock],
            r#"{"toolResult":{"toolUseId":"c1","content":[{"json":{"a":1}}],"status":"success"}}"#,
            r#"{"toolResult":{"toolUseId":"c1","content":[{"text":"One a."}],"status":"success"}}"#,
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

/// A string and the words for it are two things, if there is a place for both.
#[test]
fn other_words() {
    let answer = with(success(r#""a""#), "c1", "b");
    let written = Dialect::Mcp.write_result(&answer, None);
    let read = Dialect::Mcp.read_result(&written, Some(&find()), None);
    assert_eq!(read.unwrap(), answer);
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
