//! Promises that cannot be broken: undeclared, and those of ADL 1.0; and opaque, of which everything
//! becomes text.

use toolpact::core::adl::{AdlTool, AgentDocument};
use toolpact::core::contract::Contract;
use toolpact::core::json::Node;
use toolpact::core::model::FunctionDeclaration;
use toolpact::core::returns::{Returns, StandardType};
use toolpact::{Context, Definition, ToolError};

use super::{MODES, made};
use crate::support::{call, contract, returning, session, value};

const OLD: &str = include_str!("../../../../toolpact-core/tests/it/agents/library_1_0.json");
const NEW: &str = include_str!("../../../../toolpact-core/tests/it/agents/library_1_5.json");

const ANYTHING: [&str; 5] = [r#""text""#, "5", "null", "[1, [2]]", r#"{"a": {"b": 1}}"#];

fn agent(text: &str) -> AgentDocument {
    AgentDocument::from_json(text).unwrap()
}

fn legacy() -> Contract {
    let agent = agent(OLD);
    let contract = Contract::try_from(&agent.tools()[0]).unwrap();
    assert!(matches!(contract.returns(), Returns::Legacy { .. }));
    contract
}

fn declared() -> Contract {
    let json = r#"{"name": "old", "description": "Old.", "parameters": {"type": "OBJECT"}}"#;
    let contract = Contract::from(FunctionDeclaration::from_json(json).unwrap());
    assert_eq!(contract.returns(), &Returns::Undeclared);
    contract
}

#[tokio::test]
async fn whatever_they_return_passes() {
    let silent = || contract("silent", "");
    for make in [silent as fn() -> Contract, declared] {
        for result in ANYTHING {
            for mode in MODES {
                let (completed, entry) = made(make(), result, mode).await;
                super::passes(&completed, result);
                assert!(completed.violations().is_empty());
                assert_eq!(entry.metrics().warnings(), 0);
            }
        }
    }
}

#[tokio::test]
async fn whatever_an_opaque_tool_returns_is_text() {
    let contract = contract("opaque", r#""returns": "opaque""#);
    for result in ANYTHING {
        for mode in MODES {
            let (completed, entry) = made(contract.clone(), result, mode).await;
            let text = value(result)
                .root()
                .as_str()
                .map_or(result.to_owned(), Into::into);
            super::passes(&completed, &serde_json::to_string(&text).unwrap());
            assert!(completed.violations().is_empty());
            assert_eq!(entry.metrics().warnings(), 0);
        }
    }
}

#[tokio::test]
async fn so_does_what_a_tool_of_adl_1_0_returns() {
    let contract = legacy();
    let name = contract.name().to_string();
    let args = example_args(&agent(OLD).tools()[0]);
    for result in ANYTHING {
        for mode in MODES {
            let tool = returning(contract.clone(), result).enforcement(mode);
            let call = toolpact::Call::new(&*name, value(&args));
            let completed = session(tool).call(call).await;
            super::passes(&completed, result);
            assert!(completed.violations().is_empty());
        }
    }
}

/// A string for everything that is required, which is enough for the tool of the test.
fn example_args(tool: &AdlTool) -> String {
    let parameters = tool.parameters().to_value();
    let required = parameters.root().get("required");
    let names = required.into_iter().flat_map(Node::items);
    let fields = names.map(|name| format!("{}: \"xyz\"", name.text()));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

#[test]
fn a_contract_document_has_no_words_for_adl_1_0() {
    let written = Contract::from_json(legacy().to_json()).unwrap();
    assert_eq!(written.returns(), &Returns::Undeclared);
    assert_eq!(written.digest(), legacy().digest());
}

#[tokio::test]
async fn a_tool_of_adl_1_5_is_held_to_its_type() {
    let agent = agent(NEW);
    let tool = &agent.tools()[0];
    let body = async |_, _: Context| Ok::<_, ToolError>(value(r#"{"success": true}"#));
    let definition = Definition::from_adl(tool, body).unwrap();
    let Returns::Standard { standard, .. } = definition.contract().returns() else {
        panic!("{:?}", definition.contract().returns());
    };
    assert_eq!(*standard, StandardType::ListResult);
    let written = Contract::from_json(definition.contract().to_json()).unwrap();
    assert_eq!(&written, definition.contract());

    let call = call(tool.name());
    let call = toolpact::Call::new(call.name(), value(&example_args(tool)));
    let completed = session(definition).call(call).await;
    toolpact::testing::assert_violation(&completed, "value-missing-key", "");
}

#[test]
fn a_name_that_nobody_can_call_is_refused() {
    let json = NEW.replacen(
        &format!("\"{}\"", agent(NEW).tools()[0].name()),
        "\"two words\"",
        1,
    );
    let agent = agent(&json);
    let body = async |_, _: Context| Ok::<_, ToolError>(value("1"));
    let error = Definition::from_adl(&agent.tools()[0], body).unwrap_err();
    assert_eq!(error.tool(), Some("two words"));
}
