//! Messages that are no calls, and what is said of them.

use super::{said, value};
use toolpact_core::dialect::Dialect;

#[test]
fn what_is_no_call() {
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
