//! Output contracts over MCP, which the official suite does not look at: the official clients call
//! tools that keep their contracts and tools that break them. These clients hold results to the
//! schemas that the server lists, so what they refuse is wrong.

use super::Fixture;
use super::clients::Client;
use serde_json::{Value, json};

/// What a tool is expected to come to, for clients of 2025 and for those of 2026.
struct Row {
    tool: &'static str,
    /// The structured content, if there is one.
    structure: [Option<Value>; 2],
    /// The code of the error, if it fails.
    code: Option<&'static str>,
}

fn rows() -> Vec<Row> {
    let both = |value: Value| [Some(value.clone()), Some(value)];
    let wrapped = |value: Value| [Some(json!({"result": value.clone()})), Some(value)];
    let keeps = |tool, structure| Row {
        tool,
        structure,
        code: None,
    };
    let fails = |tool, structure, code| Row {
        tool,
        structure,
        code: Some(code),
    };
    let broken = |tool| fails(tool, [None, None], "INTERNAL_CONTRACT");
    let list = json!({"success": true, "data": [{"id": 1}, {"id": 2}]});
    let error = json!({"code": "NOT_FOUND_RESOURCE", "message": "There is no such list."});
    let failed = json!({"success": false, "data": [], "error": error});
    vec![
        keeps("keeps_object", both(json!({"x": 1, "y": 2}))),
        keeps("keeps_array", wrapped(json!(["a", "b"]))),
        keeps("keeps_scalar", wrapped(json!(42))),
        keeps("keeps_null", wrapped(Value::Null)),
        keeps("keeps_list", both(list)),
        keeps("keeps_text", [None, None]),
        broken("breaks_type"),
        broken("breaks_missing"),
        broken("breaks_root"),
        broken("breaks_items"),
        broken("breaks_text"),
        fails("fails_strict", [None, None], "CONFLICT_STATE"),
        fails("fails_list", both(failed), "NOT_FOUND_RESOURCE"),
    ]
}

#[test]
fn typescript_clients() {
    hold_to_contracts(Client::TypeScript);
}

#[test]
fn python_clients() {
    hold_to_contracts(Client::Python);
}

fn hold_to_contracts(client: Client) {
    let fixture = Fixture::start();
    let tools: Vec<&str> = rows().iter().map(|row| row.tool).collect();
    for name in ["test", "text-client", "structure-client"] {
        let Some(calls) = client.calls(&fixture.url, name, &tools) else {
            return;
        };
        assert_eq!(calls.len(), client.turns() * tools.len());
        for call in &calls {
            judge(name, call);
        }
    }
}

fn judge(name: &str, call: &Value) {
    let row = rows()
        .into_iter()
        .find(|row| call["tool"] == row.tool)
        .unwrap();
    let modern = call["version"] == "2026-07-28";
    assert_eq!(call.get("refused"), None, "{name}: {call}");
    let result = &call["result"];
    let expected = row.structure[usize::from(modern)].as_ref();
    let expected = expected.filter(|_| name != "text-client");
    assert_eq!(result.get("structuredContent"), expected, "{name}: {call}");
    let told = result["content"].as_array().unwrap();
    let silent = name == "structure-client" && row.code.is_none() && expected.is_some();
    assert_eq!(told.is_empty(), silent, "{name}: {call}");
    assert_eq!(
        result["isError"] == true,
        row.code.is_some(),
        "{name}: {call}"
    );
    let code = result["_meta"]["toolpact/error"]["code"].as_str();
    assert_eq!(code, row.code, "{name}: {call}");
    // Nothing of what was withheld is told.
    assert!(!call.to_string().contains("secret-of-the-tool"), "{call}");
}
