//! What many tests need.

use std::time::Duration;

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Call, Context, Definition, Registry, Session, ToolError, define::IntoDefinition};

use crate::world::Place as _;

/// Longer than anything takes on a busy machine. A test that waits for so long has failed.
pub(crate) const LONG: Duration = Duration::from_secs(60);

pub(crate) fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|violations| panic!("{json}\n{violations}"))
}

/// A contract that takes nothing, with more fields: `"returns": "StringValue", …`.
pub(crate) fn contract(name: &str, more: &str) -> Contract {
    let json = format!(
        r#"{{"name": "{name}", "description": "For a test.",
            "parameters": {{"type": "object", "properties": {{}}, "additionalProperties": false}}{comma}{more}}}"#,
        comma = if more.is_empty() { "" } else { ", " },
    );
    Contract::from_json(&json).unwrap_or_else(|violations| panic!("{json}\n{violations}"))
}

/// A tool that always returns the same.
pub(crate) fn returning(contract: Contract, result: &str) -> Definition {
    let result = value(result);
    Definition::new(contract, move |_: Value, _: Context| {
        std::future::ready(Ok::<_, ToolError>(result.clone()))
    })
}

pub(crate) fn session(tool: impl IntoDefinition) -> Session {
    let registry = Registry::new();
    registry.place(tool).unwrap();
    registry.session().open().unwrap()
}

/// A call without arguments.
pub(crate) fn call(name: &str) -> Call {
    Call::new(name, value("{}"))
}

/// Fails the test if this never ends.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LONG, future)
        .await
        .expect("it never ended")
}
