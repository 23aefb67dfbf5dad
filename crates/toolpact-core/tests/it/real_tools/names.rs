//! Names that a dialect allows come back, and calls may use them.

use super::{contract, export, read};
use toolpact_core::contract::{Contract, ContractDocument};
use toolpact_core::dialect::{Answer, Dialect, ToolCall};
use toolpact_core::json::{Limits, Value};
use toolpact_core::model::{FunctionCall, ToolName, ToolResult};
use toolpact_core::returns::Level;
use toolpact_core::toolset::{Function, Toolset};

const SUM: &str = r#"{"tools":[{"name":"math.sum","description":"Adds.","inputSchema":{"type":"object","properties":{"a":{"type":"number"}},"additionalProperties":false}}]}"#;

const ALIAS: &str = "math_sum_7f0cf2";

/// The name of the only tool in a document of a dialect.
fn name_in(dialect: Dialect, contract: &Contract) -> String {
    let (text, _) = export(dialect, contract);
    let names = ["\"operationId\":\"", "\"name\":\""];
    let found = names.iter().find_map(|key| {
        // An agent has a name, too.
        let tools = text
            .split_once("\"tools\":[")
            .map_or(&*text, |(_, rest)| rest);
        let (_, rest) = tools.split_once(key)?;
        rest.split_once('"').map(|(name, _)| name.to_owned())
    });
    found.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn an_original_name_is_kept_and_comes_back() {
    let contract = contract(SUM);
    assert_eq!(contract.name().as_str(), ALIAS);
    assert_eq!(contract.original_name(), Some("math.sum"));
    let again = Contract::from_json(contract.to_json()).unwrap();
    assert_eq!(again.original_name(), Some("math.sum"));
    assert_eq!(
        export(Dialect::Mcp, &contract),
        (SUM.to_owned(), Vec::new())
    );
    let found = read(SUM);
    let losses = &found.tools()[0].losses;
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn each_dialect_has_the_name_that_it_allows() {
    let contract = contract(SUM);
    for dialect in Dialect::ALL {
        let expected = match dialect {
            Dialect::Adl
            | Dialect::Adl1_0
            | Dialect::JsonSchema
            | Dialect::Gemini
            | Dialect::GeminiJson
            | Dialect::Mcp
            | Dialect::Mcp2025_11_25
            | Dialect::Mcp2025_06_18
            | Dialect::OpenApi
            | Dialect::OpenApi3_0 => "math.sum",
            _ => ALIAS,
        };
        assert_eq!(name_in(*dialect, &contract), expected, "{dialect}");
        let (_, losses) = export(*dialect, &contract);
        let told = losses.iter().any(|loss| loss.contains("loss[name]"));
        let is_lost = expected == ALIAS && *dialect != Dialect::Contract;
        assert_eq!(told, is_lost, "{dialect}: {losses:?}");
    }
}

#[test]
fn the_path_of_an_operation_has_the_name_of_the_contract() {
    let (text, _) = export(Dialect::OpenApi, &contract(SUM));
    assert!(text.contains(&format!("\"/tools/{ALIAS}\"")), "{text}");
    let back = super::contract(&text);
    assert_eq!(back.digest(), contract(SUM).digest());
}

#[test]
fn a_name_that_was_given_by_hand_is_a_loss() {
    let text = contract(SUM).to_json().replace(ALIAS, "sum");
    let (_, losses) = export(Dialect::Mcp, &Contract::from_json(text).unwrap());
    assert_eq!(
        losses,
        ["loss[name] at /name: the name `sum`; it is called `math.sum` (documentation only)"]
    );
}

#[test]
fn messages_have_the_name_of_the_dialect() {
    let contract = contract(SUM);
    let tools = Dialect::Gemini.export([&contract]);
    let call =
        FunctionCall::from_json(format!(r#"{{"name":"{ALIAS}","args":{{"a":1}}}}"#)).unwrap();
    let written = Dialect::Gemini.write_call(&ToolCall::from(call.clone()), Some(&tools));
    let expected = r#"{"functionCall":{"name":"math.sum","args":{"a":1}}}"#;
    assert_eq!(written.text(), expected);
    let back = Dialect::Gemini.read_call(&written, Some(&tools)).unwrap();
    assert_eq!(back.call, call);
    let result = format!(r#"{{"name":"{ALIAS}","status":"SUCCESS","content":1}}"#);
    let answer = Answer::from(ToolResult::from_json(result).unwrap());
    let written = Dialect::Gemini.write_result(&answer, Some(&tools));
    let expected = r#"{"functionResponse":{"name":"math.sum","response":{"output":1}}}"#;
    assert_eq!(written.text(), expected);
    let name = ToolName::new(ALIAS).unwrap();
    let back = Dialect::Gemini.read_result(&written, Some(&name), Some(&tools));
    assert_eq!(back.unwrap(), answer);
}

fn toolset(document: &str) -> Toolset {
    let document = ContractDocument::from_json(document).unwrap();
    let functions = document.tools();
    Toolset::new(functions.map(|one| Function::of_contract(one, Level::Meaning))).unwrap()
}

fn document() -> String {
    Dialect::Contract
        .export([&contract(SUM)])
        .document()
        .text()
        .to_owned()
}

#[test]
fn calls_by_the_original_name_are_understood() {
    let tools = toolset(&document());
    for name in ["math.sum", ALIAS] {
        let call = |args: &str| format!(r#"{{"name": "{name}", "args": {args}}}"#);
        assert!(
            tools.is_valid_call(call(r#"{"a": 1}"#).as_bytes()),
            "{name}"
        );
        assert!(
            !tools.is_valid_call(call(r#"{"a": "1"}"#).as_bytes()),
            "{name}"
        );
        let mcp = format!(r#"{{"name": "{name}", "arguments": {{"a": 1}}}}"#);
        let checked = tools.check_call_message(mcp.as_bytes(), &Limits::default());
        assert!(checked.violations.is_empty(), "{}", checked.violations);
        let result = format!(r#"{{"name": "{name}", "status": "SUCCESS", "content": 1}}"#);
        assert!(
            tools.is_valid_result(result.as_bytes(), Some("math.sum")),
            "{name}"
        );
    }
}

#[test]
fn names_are_suggested_that_exist() {
    let tools = toolset(&document());
    let wrong = tools
        .check_call_json(br#"{"name": "math.summ", "args": {}}"#)
        .unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "1:10: error[name-pattern] at /name: expected a function name of letters, digits, `_` and `-`, \
         found `math.summ`, which contains `.`; did you mean `math.sum`?"
    );
    let wrong = tools
        .check_call_json(br#"{"name": "math_sum", "args": {}}"#)
        .unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "1:10: error[unknown-function] at /name: expected the only declared function, \
         `math_sum_7f0cf2`, found `math_sum`; did you mean `math.sum`?"
    );
}

#[test]
fn one_name_for_two_tools_is_refused() {
    let two = r#"{"toolpact": 1, "tools": [
        {"name": "a", "original_name": "b", "description": "A.", "parameters": {"type": "object"}, "returns": "VoidResult"},
        {"name": "b", "description": "B.", "parameters": {"type": "object"}, "returns": "VoidResult"}
    ]}"#;
    let wrong = ContractDocument::from_json(two).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "3:18: error[contract-duplicate-name] at /tools/1/name: expected each tool once in a document, found `b` again"
    );
}

#[test]
fn a_prefix_is_put_in_front_of_both_names() {
    let contract = contract(SUM);
    let name = ToolName::new(&format!("calc__{ALIAS}")).unwrap();
    assert_eq!(
        contract.renamed(name).original_name(),
        Some("calc__math.sum")
    );
    assert_eq!(
        contract
            .renamed(ToolName::new("add").unwrap())
            .original_name(),
        None
    );
}

#[test]
fn a_name_that_cannot_be_kept_is_told() {
    let found = read(&SUM.replace("math.sum", r"math\nsum"));
    let tool = &found.tools()[0];
    assert_eq!(tool.contract.original_name(), None);
    assert_eq!(tool.losses.len(), 1, "{:?}", tool.losses);
    let call = Value::from_json(format!(r#"{{"name": "{}"}}"#, tool.contract.name())).unwrap();
    assert!(Dialect::Mcp.read_call(&call, None).is_ok());
}
