//! What the call says counts before what the tool says, and that before the registry.

use toolpact::Registry;

use super::MODES;
use crate::support::{call, contract, returning};
use crate::world::Place as _;
use toolpact::call::Enforcement::{self, Enforce, Off, Warn};

/// How a result that breaks its contract came through.
async fn seen(
    registry: Enforcement,
    tool: Option<Enforcement>,
    of_call: Option<Enforcement>,
) -> Enforcement {
    let contract = contract("broken", r#""returns": "NumberValue""#);
    let mut definition = returning(contract, r#""five""#);
    if let Some(mode) = tool {
        definition = definition.enforcement(mode);
    }
    let registry = Registry::builder().enforcement(registry).build();
    registry.place(definition).unwrap();
    let session = registry.session().open().unwrap();
    let call = match of_call {
        Some(mode) => call("broken").enforcement(mode),
        None => call("broken"),
    };
    let completed = session.call(call).await;
    match (completed.is_success(), completed.violations().is_empty()) {
        (false, _) => Enforce,
        (true, false) => Warn,
        (true, true) => Off,
    }
}

#[tokio::test]
async fn call_before_tool_before_registry() {
    let perhaps = || MODES.map(Some).into_iter().chain([None]);
    for registry in MODES {
        for tool in perhaps() {
            for call in perhaps() {
                let expected = call.or(tool).unwrap_or(registry);
                assert_eq!(seen(registry, tool, call).await, expected);
            }
        }
    }
}

#[tokio::test]
async fn results_are_enforced_unless_someone_says_otherwise() {
    let tool = returning(
        contract("broken", r#""returns": "NumberValue""#),
        r#""five""#,
    );
    let registry = Registry::new();
    registry.place(tool).unwrap();
    let session = registry.session().open().unwrap();
    assert!(!session.call(call("broken")).await.is_success());
    let json = session.call_json(br#"{"name":"broken","args":{}}"#).await;
    let json = String::from_utf8(json).unwrap();
    assert!(
        json.contains("CONTRACT_VIOLATION") && !json.contains("five"),
        "{json}"
    );
}
