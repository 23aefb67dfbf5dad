//! Results that others wrote.

use super::{find, said, value};
use toolpact_core::dialect::Dialect;
use toolpact_core::model::ToolResult;

/// Reads each message, and compares the content or the error.
fn check<const N: usize>(messages: [(Dialect, &str, &str); N]) {
    for (dialect, json, expected) in messages {
        let read = dialect.read_result(&value(json), Some(&find()), None);
        let found = match read.unwrap_or_else(|v| panic!("{json}\n{v}")).result {
            ToolResult::Success { content, .. } => content.text().to_owned(),
            ToolResult::Error { error, .. } => error.to_json(),
        };
        assert_eq!(found, expected, "{json}");
    }
}

#[test]
fn of_gemini() {
    check([
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
    ]);
}

#[test]
fn of_openai() {
    check([
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
    ]);
}

#[test]
fn of_anthropic() {
    check([
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
    ]);
}

#[test]
fn of_mcp() {
    check([
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
    ]);
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
