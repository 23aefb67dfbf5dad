//! Calls and results in the messages of each dialect, and back.

mod calls;
mod foreign;
mod hostile;
mod identifiers;
mod refused;
mod results;
mod round_trip;
mod sample;
mod tools;

use toolpact_core::Violations;
use toolpact_core::contract::ContractDocument;
use toolpact_core::dialect::{Answer, Dialect, Export, ToolCall};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::{FunctionCall, ToolName, ToolResult};

const ADM: [Dialect; 7] = [
    Dialect::Contract,
    Dialect::Adm,
    Dialect::Adl,
    Dialect::Adl1_0,
    Dialect::JsonSchema,
    Dialect::OpenApi,
    Dialect::OpenApi3_0,
];

const MCP: [Dialect; 3] = [Dialect::Mcp, Dialect::Mcp2025_11_25, Dialect::Mcp2025_06_18];

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|v| panic!("{json}\n{v}"))
}

fn call(id: &str, args: &str) -> ToolCall {
    let call = FunctionCall::from_json(format!(r#"{{"name":"find","args":{args}}}"#)).unwrap();
    ToolCall {
        id: Some(id.into()),
        call,
    }
}

fn success(content: &str) -> Answer {
    let result = format!(r#"{{"name":"find","status":"SUCCESS","content":{content}}}"#);
    ToolResult::from_json(result).unwrap().into()
}

fn failure(error: &str) -> Answer {
    let result = format!(r#"{{"name":"find","status":"ERROR","error":{error}}}"#);
    ToolResult::from_json(result).unwrap().into()
}

fn find() -> ToolName {
    ToolName::new("find").unwrap()
}

/// The contracts of a YAML document, in a dialect.
fn export(dialect: Dialect, yaml: &str) -> Export {
    let document = Document::yaml(yaml.as_bytes(), &Limits::default());
    let document = ContractDocument::check(&document).into_result();
    let document = document.unwrap_or_else(|v| panic!("{v}"));
    let export = dialect.export(document.tools());
    assert!(export.left_out().is_empty(), "{:?}", export.left_out());
    export
}

/// Codes and pointers.
fn said(violations: &Violations) -> Vec<String> {
    let said = violations.iter();
    said.map(|v| format!("{} {}", v.code(), v.pointer()))
        .collect()
}
