//! Calls and results as agents send them.

use toolpact_core::dialect::{Answer, Dialect, ToolCall};
use toolpact_core::json::Limits;
use toolpact_core::model::{FunctionCall, ToolResult};
use toolpact_core::toolset::Toolset;

use super::{AGENT, CONTRACTS, tools};

fn call(tools: &Toolset, json: &str) -> String {
    let checked = tools.check_call_message(json.as_bytes(), &Limits::default());
    assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
    checked.violations.to_string()
}

fn result(tools: &Toolset, json: &str, call: Option<&str>) -> String {
    let call = call.map(str::as_bytes);
    let checked = tools.check_result_message(json.as_bytes(), call, &Limits::default());
    assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
    checked.violations.to_string()
}

const CALLS: [&str; 9] = [
    r#"{"name": "quote", "args": {}}"#,
    r#"{"id": "c", "type": "function", "function": {"name": "quote", "arguments": "{}"}}"#,
    r#"{"id": "c", "type": "function", "function": {"name": "quote", "arguments": ""}}"#,
    r#"{"type": "function_call", "call_id": "c", "name": "quote", "arguments": "{}"}"#,
    r#"{"type": "tool_use", "id": "c", "name": "quote", "input": {}}"#,
    r#"{"functionCall": {"id": "c", "name": "quote", "args": {}}}"#,
    r#"{"function_call": {"id": "c", "name": "quote", "args": {}}}"#,
    r#"{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "quote"}}"#,
    r#"{"name": "quote", "arguments": {}, "_meta": {}}"#,
];

#[test]
fn calls_of_every_dialect_are_understood() {
    let tools = tools(&[CONTRACTS]);
    for valid in CALLS {
        assert_eq!(call(&tools, valid), "", "{valid}");
        assert_eq!(
            tools
                .name_of_call(valid.as_bytes(), &Limits::default())
                .as_deref(),
            Some("quote"),
            "{valid}"
        );
        let unknown = call(&tools, &valid.replace("quote", "quota"));
        assert!(unknown.contains("error[unknown-function]"), "{unknown}");
        assert!(unknown.ends_with("did you mean `quote`?"), "{unknown}");
    }
}

/// Whatever the library writes in a dialect, it reads there.
#[test]
fn what_is_written_is_read() {
    let tools = tools(&[CONTRACTS]);
    let quote = FunctionCall::builder("quote").build().unwrap();
    let answered = |content: &str| {
        let json = format!(r#"{{"name": "quote", "status": "SUCCESS", "content": {content}}}"#);
        ToolResult::from_json(&json).unwrap()
    };
    for dialect in Dialect::ALL {
        let asked = ToolCall {
            id: Some("c".into()),
            call: quote.clone(),
        };
        let asked = dialect.write_call(&asked, None);
        assert_eq!(call(&tools, asked.text()), "", "{dialect}");
        for (content, verdict) in [(r#"{"cents": 5}"#, true), (r#"{"cents": "5"}"#, false)] {
            let answer = Answer {
                id: Some("c".into()),
                ..answered(content).into()
            };
            let answer = dialect.write_result(&answer, None);
            let found = result(&tools, answer.text(), Some(asked.text()));
            assert_eq!(
                found.is_empty(),
                verdict,
                "{dialect}: {} {found}",
                answer.text()
            );
        }
    }
}

#[test]
fn mistakes_have_their_places() {
    let tools = tools(&[CONTRACTS]);
    for (wrong, expected) in [
        (
            r#"{"type": "tool_use", "id": "c", "name": "cancel", "input": {"order": 5}}"#,
            "1:70: error[value-type] at /input/order: expected STRING, found the number 5",
        ),
        (
            r#"{"type": "function_call", "name": "cancel", "arguments": "{\"order\": 5}"}"#,
            "1:58: error[value-type] at /arguments/order: expected STRING, found the number 5",
        ),
        (
            r#"{"type": "function_call", "name": "cancel", "arguments": "{"}"#,
            "1:58: error[json-syntax] at /arguments: expected a key in double quotes, found the end of the text \
             (line 1, column 2 of the text)",
        ),
        (
            r#"{"type": "function_call", "name": "cancel", "arguments": "[]"}"#,
            "1:58: error[wrong-type] at /arguments: expected `arguments` to be an object, found an array",
        ),
        (
            r#"{"type": "tool_use", "name": "cancel", "arguments": {}}"#,
            "1:40: error[unknown-field] at /arguments: expected the arguments of a tool use block in `input`, \
             found `arguments`",
        ),
        (
            r#"{"functionCall": {"args": {}}}"#,
            "1:18: error[missing-field] at /functionCall: expected the field `name` in a function call, found none",
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#,
            "1:39: error[wrong-type] at /method: expected `method` of a tool call to be `tools/call`, \
             found the string \"tools/list\"",
        ),
        // ADM is as strict as it was.
        (
            r#"{"name": "quote", "args": {}, "id": "c"}"#,
            "1:31: error[unknown-field] at /id: expected only `name`, `args` and `call_id` in a function call, found `id`",
        ),
    ] {
        assert_eq!(call(&tools, wrong), expected, "{wrong}");
    }
}

/// A name that only its own dialect allows.
#[test]
fn names_of_their_own() {
    let tools = tools(&[AGENT]);
    let found =
        r#"{"type": "tool_use", "id": "c", "name": "find book", "input": {"title": "Momo"}}"#;
    assert_eq!(call(&tools, found), "");
    let answer = r#"{"type": "tool_result", "tool_use_id": "c", "content": "Momo"}"#;
    assert_eq!(result(&tools, answer, Some(found)), "");
}

#[test]
fn results_belong_to_their_calls() {
    let tools = tools(&[CONTRACTS]);
    let asked = Some(CALLS[4]);
    let answer = r#"{"type": "tool_result", "tool_use_id": "c", "content": "{\"cents\": 5}"}"#;
    assert_eq!(result(&tools, answer, asked), "");
    assert_eq!(
        result(&tools, &answer.replace("\"c\"", "\"d\""), asked),
        "1:1: error[result-id-mismatch]: expected the identifier of the call, `c`, found `d`"
    );
    assert_eq!(
        result(&tools, answer, None),
        "1:1: error[missing-field]: expected the name of the tool, which a tool result block does not say, \
         found an object; give the calls as well: the n-th result belongs to the n-th call"
    );
    let named = r#"{"functionResponse": {"name": "ask", "response": {"output": "1"}}}"#;
    assert_eq!(
        result(&tools, named, asked),
        "1:31: error[result-name-mismatch] at /functionResponse/name: expected the name of the call, `quote`, \
         found `ask`"
    );
    assert_eq!(result(&tools, named, None), "");
    // What is wrong with its call is said of the call.
    assert_eq!(result(&tools, answer, Some("{")), "");
}

#[test]
fn contents_keep_their_promise() {
    let tools = tools(&[CONTRACTS]);
    let of = |json: &str| result(&tools, json, Some(CALLS[0]));
    let missing = "expected the required key `cents`, found none";
    for (wrong, place) in [
        (
            r#"{"role": "tool", "tool_call_id": "c", "content": "{}"}"#,
            "1:50: error[value-missing-key] at /content",
        ),
        (
            r#"{"type": "function_call_output", "call_id": "c", "output": "{}"}"#,
            "1:60: error[value-missing-key] at /output",
        ),
        (
            r#"{"structuredContent": {}, "content": []}"#,
            "1:23: error[value-missing-key] at /structuredContent",
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 1, "result": {"structuredContent": {}, "content": []}}"#,
            "1:61: error[value-missing-key] at /result/structuredContent",
        ),
        (
            r#"{"functionResponse": {"name": "quote", "response": {"output": {}}}}"#,
            "1:63: error[value-missing-key] at /functionResponse/response/output",
        ),
    ] {
        assert_eq!(of(wrong), format!("{place}: {missing}"), "{wrong}");
    }
    // A failure is an arm of its own.
    for failure in [
        r#"{"type": "tool_result", "tool_use_id": "c", "is_error": true, "content": "No."}"#,
        r#"{"isError": true, "content": [{"type": "text", "text": "No."}]}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "No."}}"#,
    ] {
        assert_eq!(of(failure), "", "{failure}");
    }
}

/// A text may be meant as the text it is, even if it looks like JSON.
#[test]
fn texts_that_look_like_json() {
    let tools = tools(&[AGENT]);
    let asked = r#"{"name": "find book", "arguments": {"title": "1984"}}"#;
    let answer = r#"{"role": "tool", "tool_call_id": "c", "content": "1984"}"#;
    assert_eq!(result(&tools, answer, Some(asked)), "");
}
