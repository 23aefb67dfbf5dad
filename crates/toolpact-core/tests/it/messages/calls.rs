//! Calls, to the last byte.

use super::{ADM, call, said, value};
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

#[test]
fn refused() {
    for (dialect, message, expected) in [
        (
            Dialect::Gemini,
            r#"{"text": "Hello"}"#,
            "error[missing-field]: expected the field `name` in a function call, found none",
        ),
        (
            Dialect::Gemini,
            r#"{"functionCall": {"name": "find", "arguments": {"a": 1}}}"#,
            "error[unknown-field] at /functionCall/arguments: expected the arguments of a function \
             call in `args`, found `arguments`",
        ),
        (
            Dialect::OpenAi,
            r#"{"type": "custom_tool_call", "name": "find", "input": "ls"}"#,
            "error[wrong-type] at /type: expected `type` of a function call to be `function_call`, \
             found the string \"custom_tool_call\"",
        ),
        (
            Dialect::OpenAiChat,
            r#"{"id": [], "type": "function", "function": {"name": "find", "arguments": "[1]"}}"#,
            "error[wrong-type] at /id: expected `id` to be a string, found an array\n\
             error[wrong-type] at /function/arguments: expected `arguments` to be an object, found an array",
        ),
        (
            Dialect::OpenAi,
            r#"{"name": "find", "arguments": "{\"a\": 1"}"#,
            "error[json-syntax] at /arguments: expected `,` or `}`, found the end of the text \
             (line 1, column 8 of the text)",
        ),
        (
            Dialect::Anthropic,
            r#"{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}"#,
            "error[wrong-type] at /type: expected `type` of a tool use block to be `tool_use`, \
             found the string \"server_tool_use\"",
        ),
        (
            Dialect::Anthropic,
            r#"{"type": "tool_use", "name": "fi nd", "input": 7}"#,
            "error[name-pattern] at /name: expected a function name of letters, digits, `_` and `-`, \
             found `fi nd`, which contains a space; for example `fi_nd`\n\
             error[wrong-type] at /input: expected `input` to be an object or the JSON text of one, \
             found the number 7",
        ),
        (
            Dialect::Mcp,
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"name": "find"}}"#,
            "error[wrong-type] at /method: expected `method` of a tool call to be `tools/call`, \
             found the string \"tools/list\"",
        ),
        (
            Dialect::Adm,
            r#"{"name": "find"}"#,
            "error[missing-field]: expected the field `args` in a function call, found none",
        ),
    ] {
        let refused = dialect.read_call(&value(message), None).unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }
}

#[test]
fn what_is_wrong_in_a_text_is_where_the_text_is() {
    for (dialect, before, after, place) in [
        (
            Dialect::Gemini,
            r#"{"functionCall":{"name":"find","args":"#,
            "}}",
            "/functionCall/args",
        ),
        (
            Dialect::OpenAi,
            r#"{"name":"find","arguments":"#,
            "}",
            "/arguments",
        ),
        (
            Dialect::OpenAiChat,
            r#"{"function":{"name":"find","arguments":"#,
            "}}",
            "/function/arguments",
        ),
        (
            Dialect::Anthropic,
            r#"{"name":"find","input":"#,
            "}",
            "/input",
        ),
        (
            Dialect::Mcp,
            r#"{"method":"tools/call","params":{"name":"find","arguments":"#,
            "}}",
            "/params/arguments",
        ),
        (Dialect::Adm, r#"{"name":"find","args":"#, "}", "/args"),
    ] {
        for (text, code, inside) in [
            (
                r#""{\"a\": {\"b\": 1, \"b\": 2}}""#,
                "json-duplicate-key",
                "/a/b",
            ),
            (r#""{\"a\": [\"\\ud800\"]}""#, "json-lone-surrogate", "/a"),
            (r#""{\"a\": [1e400]}""#, "json-number-overflow", "/a"),
        ] {
            let message = value(&format!("{before}{text}{after}"));
            let refused = dialect.read_call(&message, None).unwrap_err();
            assert_eq!(said(&refused), [format!("{code} {place}{inside}")]);
            assert!(refused.iter().all(|v| v.location().is_none()));
        }
    }
}
