//! Tools that do everything wrong. Every call is answered once and in time, and the runtime goes on.

mod blocking;
mod crowds;
mod memory;
mod panics;

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::json::Value;
use toolpact::returns::StringValue;
use toolpact::{
    Call, Completed, Context, Registry, Session, Tool, ToolError, tool_fn, typed::ToolSpec,
};

use crate::world::Place as _;

/// Takes nothing.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// Enough on the busiest machine, and far less than what the tools would take.
pub(crate) const PLENTY: Duration = Duration::from_secs(20);

/// A tool that works, to see that the runtime goes on.
pub(crate) fn good() -> impl Tool {
    tool_fn(
        ToolSpec::new("good", "Works."),
        async |_: Nothing, _: Context| Ok::<_, ToolError>(StringValue::success("fine")),
    )
}

pub(crate) fn session(tool: impl Tool) -> (Registry, Session) {
    let registry = Registry::new();
    registry.place(tool).unwrap();
    registry.place(good()).unwrap();
    let session = registry.session().open().unwrap();
    (registry, session)
}

pub(crate) fn call(name: &str) -> Call {
    Call::new(name, Value::from_json("{}").unwrap())
}

pub(crate) async fn still_serves(session: &Session) {
    let completed = session.call(call("good")).await;
    assert!(completed.is_success(), "{completed:?}");
}

pub(crate) fn code(completed: &Completed) -> &str {
    completed.error().map_or("SUCCESS", |error| error.code())
}

/// Waits until something holds, which it does soon.
pub(crate) async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PLENTY, "{what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
