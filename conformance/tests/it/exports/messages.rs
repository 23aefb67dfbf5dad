//! Calls and results, as providers write them, read by their own SDKs.

use super::{nothing_wrong, ours};
use conformance::judge;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Answer, CallId, Dialect, Export, ToolCall};
use toolpact_core::json::Value;
use toolpact_core::model::{FunctionCall, ToolResult};

/// What tools return and a value of it: nothing promised, and each kind of root.
const RETURNS: [(&str, &str); 5] = [
    ("", r#"{"found": ["a", "b"]}"#),
    (
        r#""returns": {"type": "object"},"#,
        r#"{"found": ["a", "b"]}"#,
    ),
    (r#""returns": {"type": "array"},"#, r#"["a", "b"]"#),
    (r#""returns": "StringValue","#, r#""a text""#),
    (
        r#""returns": "ListResult","#,
        r#"{"success": true, "data": [{}]}"#,
    ),
];

#[test]
fn providers_take_calls_and_results() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    for dialect in Dialect::ALL.iter().filter(|dialect| !ours(**dialect)) {
        if super::is_openapi(*dialect) {
            continue;
        }
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for (number, (returns, content)) in RETURNS.into_iter().enumerate() {
            let id = format!("call_{number}");
            let tools = export(*dialect, returns);
            calls.push(call(*dialect, &id, &tools));
            results.push(result(*dialect, &id, &tools, content));
            let id = format!("bad_{number}");
            calls.push(call(*dialect, &id, &tools));
            results.push(failure(*dialect, &id, &tools));
        }
        let count = calls.len() + results.len();
        let messages = format!(r#"{{"calls": {calls:?}, "results": {results:?}}}"#);
        let verdicts = judge::messages(&package, dialect.as_str(), &messages);
        nothing_wrong(*dialect, &verdicts, count);
    }
}

fn export(dialect: Dialect, returns: &str) -> Export {
    let contract = format!(
        r#"{{"name": "find", "description": "Finds.", {returns}
        "parameters": {{"type": "object", "properties": {{"text": {{"type": "string"}}, "a-b": {{"type": "integer"}}}}, "required": ["text"]}}}}"#
    );
    dialect.export([&Contract::from_json(contract).unwrap()])
}

fn call(dialect: Dialect, id: &str, tools: &Export) -> Value {
    let call = r#"{"name": "find", "args": {"text": "\u00e9", "a-b": 9007199254740993}}"#;
    let call = ToolCall {
        id: id_of(dialect, id),
        call: FunctionCall::from_json(call).unwrap(),
    };
    dialect.write_call(&call, Some(tools))
}

/// Of MCP, the judge reads what is inside of the envelope that carries the id.
fn id_of(dialect: Dialect, id: &str) -> Option<CallId> {
    (!dialect.as_str().starts_with("mcp")).then(|| id.into())
}

fn result(dialect: Dialect, id: &str, tools: &Export, content: &str) -> Value {
    let result = format!(r#"{{"name": "find", "status": "SUCCESS", "content": {content}}}"#);
    answer(dialect, id, tools, &result)
}

fn failure(dialect: Dialect, id: &str, tools: &Export) -> Value {
    let result = r#"{"name": "find", "status": "ERROR", "error": {"message": "Gone", "type": "RESOURCE_NOT_FOUND"}}"#;
    answer(dialect, id, tools, result)
}

fn answer(dialect: Dialect, id: &str, tools: &Export, result: &str) -> Value {
    let answer = Answer {
        id: id_of(dialect, id),
        result: ToolResult::from_json(result).unwrap(),
        text: None,
    };
    dialect.write_result(&answer, Some(tools))
}
