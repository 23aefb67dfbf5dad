use super::{Case, hold, together};
use conformance::judge::{self, Verdict};
use serde_json::{Value, json};

#[test]
fn gemini() {
    let call = |call: Value| json!({"functionCall": call});
    let result = |result: Value| json!({"functionResponse": result});
    let calls = [
        (
            json!({"functionCall": {"id": "1", "name": "t", "args": {"a": 1}}, "thoughtSignature": "c2ln"}),
            "",
        ),
        (
            call(json!({"id": "1", "name": "t", "args": "{}"})),
            "/args: ",
        ),
        (call(json!({"id": "1", "args": {}})), "/name: missing"),
        (
            call(json!({"id": "1", "name": "t", "args": {}, "willContinue": true})),
            "not in Gemini Developer API",
        ),
    ];
    let results = [
        (
            result(json!({"id": "1", "name": "t", "response": {"output": [1]}})),
            "",
        ),
        (
            result(json!({"id": "1", "name": "t", "response": [1]})),
            "/response: ",
        ),
        (
            result(json!({"id": "1", "name": "t"})),
            "/response: missing",
        ),
        (
            result(json!({"id": "2", "name": "t", "response": {}, "is_error": true})),
            "Extra inputs",
        ),
        (json!({"text": "1"}), "/text: not expected"),
    ];
    let Some(verdicts) = check("gemini", &calls, &results) else {
        return;
    };
    let said = together(&verdicts);
    assert!(
        said.contains(&"('2', 't'): a result of no call"),
        "{said:?}"
    );
}

#[test]
fn openai() {
    let call = |arguments: Value| json!({"type": "function_call", "call_id": "1", "name": "t", "arguments": arguments});
    let result =
        |output: Value| json!({"type": "function_call_output", "call_id": "1", "output": output});
    let calls = [
        (call(json!("{\"a\":1}")), ""),
        (call(json!({"a": 1})), "/arguments: "),
        (call(json!("[1]")), "/arguments: not an object"),
        (call(json!("{")), "JSONDecodeError"),
        (
            json!({"type": "function_call", "id": "1", "name": "t", "arguments": "{}"}),
            "/call_id: Field required",
        ),
    ];
    let results = [
        (result(json!("1")), ""),
        (result(json!([{"type": "input_text", "text": "1"}])), ""),
        (result(json!({"a": 1})), "/output/str: "),
        (result(json!([{"type": "text", "text": "1"}])), "input_text"),
        (
            json!({"type": "function_call_output", "call_id": "1", "output": "1", "is_error": true}),
            "/is_error: the SDK drops it",
        ),
        (
            json!({"type": "function_call_output", "output": "1"}),
            "/call_id: missing",
        ),
    ];
    check("openai", &calls, &results);
}

#[test]
fn chat() {
    let call = |arguments: Value| json!({"id": "1", "type": "function", "function": {"name": "t", "arguments": arguments}});
    let result = |content: Value| json!({"role": "tool", "tool_call_id": "1", "content": content});
    let calls = [
        (call(json!("{}")), ""),
        (call(json!({})), "/function/arguments: "),
        (call(json!("1")), "not an object"),
    ];
    let results = [
        (result(json!("1")), ""),
        (result(json!([{"type": "text", "text": "1"}])), ""),
        (result(json!({"a": 1})), "/content/str: "),
        (
            json!({"role": "tool", "content": "1"}),
            "/tool_call_id: Field required",
        ),
    ];
    check("openai-chat", &calls, &results);
}

#[test]
fn anthropic() {
    let call = |input: Value| json!({"type": "tool_use", "id": "1", "name": "t", "input": input});
    let result =
        |content: Value| json!({"type": "tool_result", "tool_use_id": "1", "content": content});
    let calls = [
        (call(json!({"a": 1})), ""),
        (call(json!("{}")), "/input: "),
        (
            json!({"type": "tool_use", "id": "1", "name": "t", "arguments": {}}),
            "/input: Field required",
        ),
        (
            json!({"type": "tool_use", "id": "1", "name": "t", "input": {}, "strict": true}),
            "/strict: the SDK does not know it",
        ),
    ];
    let results = [
        (result(json!("1")), ""),
        (
            json!({"type": "tool_result", "tool_use_id": "1", "is_error": true, "content": [{"type": "text", "text": "no"}]}),
            "",
        ),
        (result(json!({"a": 1})), "/content/str: "),
        (
            json!({"type": "tool_result", "tool_use_id": "1", "isError": true}),
            "/isError: the SDK drops it",
        ),
    ];
    check("anthropic", &calls, &results);
}

#[test]
fn bedrock() {
    let call = |input: Value| json!({"toolUse": {"toolUseId": "1", "name": "t", "input": input}});
    let result = |content: Value| json!({"toolResult": {"toolUseId": "1", "content": content, "status": "success"}});
    let calls = [
        (call(json!({"a": 1})), ""),
        (
            json!({"toolUse": {"toolUseId": "1", "name": "t"}}),
            "\"input\"",
        ),
        (
            json!({"toolUse": {"toolUseId": "1", "name": "t", "input": {}, "args": {}}}),
            "\"args\"",
        ),
    ];
    let results = [
        (result(json!([{"json": {"a": 1}}])), ""),
        (result(json!([{"text": "1"}])), ""),
        (result(json!([{"json": [1]}])), "the API takes objects only"),
        (result(json!([{"text": ""}])), "the API takes no empty text"),
        (result(json!("1")), "toolResult.content"),
    ];
    check("bedrock", &calls, &results);
}

#[test]
fn mcp() {
    let text = json!([{"type": "text", "text": "1"}]);
    for (dialect, done, of_object) in [
        ("mcp-2025-06-18", "", "/structuredContent: "),
        ("mcp-2025-11-25", "", "/structuredContent: "),
        ("mcp", "/resultType: Field required", ""),
    ] {
        let calls = [
            (json!({"name": "t", "arguments": {"a": 1}}), ""),
            (json!({"name": "t", "arguments": [1]}), "/arguments: "),
            (json!({"name": "t", "args": {}}), "/args: the SDK drops it"),
        ];
        let results = [
            (
                json!({"content": text, "structuredContent": {"a": 1}}),
                done,
            ),
            (
                json!({"resultType": "complete", "content": text, "structuredContent": [1]}),
                of_object,
            ),
            (
                json!({"resultType": "complete", "structuredContent": {}}),
                "/content: Field required",
            ),
            (
                json!({"resultType": "complete", "content": text, "is_error": true}),
                "/is_error: the SDK drops it",
            ),
        ];
        check(dialect, &calls, &results);
    }
}

fn check(dialect: &str, calls: &[Case], results: &[Case]) -> Option<Vec<Verdict>> {
    let package = conformance::suite("provider-sdks").or_leave_out()?;
    let of = |cases: &[Case]| -> Value { cases.iter().map(|(m, _)| m.clone()).collect() };
    let messages = json!({"calls": of(calls), "results": of(results)});
    let verdicts = judge::messages(&package, dialect, &messages.to_string());
    hold(dialect, &verdicts, &[calls, results].concat());
    Some(verdicts)
}
