//! Calls, to the last byte.

use super::{ADM, call, value};
use toolpact_core::dialect::{Dialect, ToolCall};

#[test]
fn written() {
    let call = call("c1", r#"{"city": "Os\"lo", "n": 9223372036854775808}"#);
    for (dialects, expected) in [
        (
            &[Dialect::Gemini, Dialect::GeminiJson][..],
            r#"{"functionCall":{"id":"c1","name":"find","args":{"city": "Os\"lo", "n": 9223372036854775808}}}"#,
        ),
        (
            &[Dialect::OpenAi, Dialect::OpenAiStrict],
            r#"{"type":"function_call","call_id":"c1","name":"find","arguments":"{\"city\": \"Os\\\"lo\", \"n\": 9223372036854775808}"}"#,
        ),
        (
            &[Dialect::OpenAiChat, Dialect::OpenAiChatStrict],
            r#"{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"city\": \"Os\\\"lo\", \"n\": 9223372036854775808}"}}"#,
        ),
        (
            &[Dialect::Anthropic, Dialect::AnthropicStrict],
            r#"{"type":"tool_use","id":"c1","name":"find","input":{"city": "Os\"lo", "n": 9223372036854775808}}"#,
        ),
        (
            &[Dialect::Bedrock],
            r#"{"toolUse":{"toolUseId":"c1","name":"find","input":{"city": "Os\"lo", "n": 9223372036854775808}}}"#,
        ),
        (
            &[Dialect::Mcp],
            r#"{"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"find","arguments":{"city": "Os\"lo", "n": 9223372036854775808},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        ),
        (
            &[Dialect::Mcp2025_11_25, Dialect::Mcp2025_06_18],
            r#"{"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"find","arguments":{"city": "Os\"lo", "n": 9223372036854775808}}}"#,
        ),
        (
            &ADM,
            r#"{"name":"find","args":{"city": "Os\"lo", "n": 9223372036854775808}}"#,
        ),
    ] {
        for dialect in dialects {
            assert_eq!(
                dialect.write_call(&call, None).text(),
                expected,
                "{dialect}"
            );
        }
    }
}

#[test]
fn written_without_an_identifier() {
    let call = ToolCall {
        id: None,
        ..call("", "{}")
    };
    for (dialect, expected) in [
        (
            Dialect::Gemini,
            r#"{"functionCall":{"name":"find","args":{}}}"#,
        ),
        (
            Dialect::OpenAi,
            r#"{"type":"function_call","name":"find","arguments":"{}"}"#,
        ),
        (Dialect::Mcp2025_06_18, r#"{"name":"find","arguments":{}}"#),
    ] {
        assert_eq!(dialect.write_call(&call, None).text(), expected);
    }
}

/// What providers, proxies and SDKs send, all of it the same call.
#[test]
fn read() {
    for (dialect, messages) in [
        (
            Dialect::Gemini,
            &[
                r#"{"functionCall": {"id": "c1", "name": "find", "args": {"a": 1}}, "thoughtSignature": "x"}"#,
                r#"{"function_call": {"id": "c1", "name": "find", "args": {"a": 1}}}"#,
                r#"{"id": "c1", "name": "find", "args": {"a": 1}}"#,
                r#"{"functionCall": {"id": "c1", "name": "find", "args": "{\"a\": 1}"}}"#,
                r#"{"text": null, "type": "x", "functionCall": {"id": "c1", "name": "find", "args": {"a": 1}, "partialArgs": null}}"#,
            ][..],
        ),
        (
            Dialect::OpenAi,
            &[
                r#"{"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "find", "arguments": "{\"a\": 1}", "status": "completed"}"#,
                r#"{"call_id": "c1", "name": "find", "arguments": {"a": 1}}"#,
            ],
        ),
        (
            Dialect::OpenAiChatStrict,
            &[
                r#"{"id": "c1", "type": "function", "index": 0, "function": {"name": "find", "arguments": " {\"a\": 1}\n"}}"#,
                r#"{"id": "c1", "function": {"name": "find", "arguments": {"a": 1}}}"#,
                r#"{"id": "c1", "type": null, "name": "find", "arguments": "{\"a\": 1}"}"#,
            ],
        ),
        (
            Dialect::Anthropic,
            &[
                r#"{"type": "tool_use", "id": "c1", "name": "find", "input": {"a": 1}, "caller": {"type": "direct"}}"#,
                r#"{"type": "tool_use", "id": "c1", "name": "find", "input": "{\"a\": 1}"}"#,
            ],
        ),
        (
            Dialect::Mcp,
            &[
                r#"{"jsonrpc": "2.0", "id": "c1", "method": "tools/call", "params": {"name": "find", "arguments": {"a": 1}, "_meta": {"progressToken": 1}}}"#,
                r#"{"id": "c1", "params": {"name": "find", "arguments": "{\"a\": 1}"}}"#,
            ],
        ),
    ] {
        for message in messages {
            let read = dialect.read_call(&value(message), None);
            let read = read.unwrap_or_else(|v| panic!("{message}\n{v}"));
            assert_eq!(read, call("c1", r#"{"a":1}"#), "{message}");
        }
    }
    for dialect in ADM {
        for message in [
            r#"{"name": "find", "args": {"a": 1}}"#,
            r#"{"name": "find", "args": "{\"a\": 1}"}"#,
        ] {
            let read = dialect.read_call(&value(message), None).unwrap();
            assert_eq!(
                read,
                ToolCall {
                    id: None,
                    ..call("", r#"{"a":1}"#)
                }
            );
        }
    }
}

#[test]
fn no_arguments() {
    for (dialect, message) in [
        (Dialect::Gemini, r#"{"functionCall": {"name": "find"}}"#),
        (
            Dialect::Gemini,
            r#"{"functionCall": {"name": "find", "args": null}}"#,
        ),
        (Dialect::OpenAi, r#"{"name": "find", "arguments": ""}"#),
        (Dialect::OpenAi, r#"{"name": "find", "arguments": " \n"}"#),
        (Dialect::Anthropic, r#"{"name": "find", "input": ""}"#),
        (Dialect::Mcp, r#"{"name": "find"}"#),
        (Dialect::Adm, r#"{"name": "find", "args": ""}"#),
    ] {
        let read = dialect.read_call(&value(message), None).unwrap();
        assert_eq!(
            (read.call.args().text(), read.id),
            ("{}", None),
            "{message}"
        );
    }
}
