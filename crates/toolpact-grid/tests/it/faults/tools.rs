//! Tools whose effects are in the ledger.

use std::time::{Duration, Instant};

use rusqlite::{ToSql, params};
use toolpact::returns::StringValue;
use toolpact::{Context, Registry, ToolError, tool, tools};

use super::ledger::{Ledger, now};

/// Pays once for each invocation, which is its idempotency key.
#[tool(durable, idempotency_key)]
async fn pay(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    let invocation = cx.call_id().ok_or_else(|| ToolError::internal("no key"))?;
    begin(&name, cx)?;
    pause(ms / 2).await;
    let query = "INSERT INTO keyed VALUES (?, ?) ON CONFLICT DO NOTHING";
    write(query, params![invocation, name])?;
    pause(ms / 2).await;
    Ok(StringValue::success(name))
}

/// Sends something, and twice would be once too often.
#[tool(durable)]
async fn send(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    effect(name, ms, cx).await
}

/// The same, as an ordinary call.
#[tool]
async fn post(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    effect(name, ms, cx).await
}

/// The same; it takes longer than its caller waits.
#[tool]
async fn hold(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    effect(name, ms, cx).await
}

/// The same; twice is the same.
#[tool(idempotent)]
async fn put(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    effect(name, ms, cx).await
}

async fn effect(name: String, ms: u64, cx: &Context) -> Result<StringValue, ToolError> {
    begin(&name, cx)?;
    pause(ms / 2).await;
    write(
        "INSERT INTO effects VALUES (?, ?, ?)",
        params![cx.call_id(), name, now()],
    )?;
    pause(ms / 2).await;
    Ok(StringValue::success(name))
}

async fn pause(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

fn begin(name: &str, cx: &Context) -> Result<(), ToolError> {
    let began = now();
    let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap();
    let deadline = cx.deadline().map_or(i64::MAX, |deadline| {
        let now = Instant::now();
        let left = deadline.saturating_duration_since(now);
        began + ms(left) - ms(now.saturating_duration_since(deadline))
    });
    let all = params![name, std::process::id(), began, deadline];
    write("INSERT INTO runs VALUES (?, ?, ?, ?)", all)
}

fn write(query: &str, values: &[&dyn ToSql]) -> Result<(), ToolError> {
    let ledger = Ledger::of_process().ok_or_else(|| ToolError::internal("no ledger"))?;
    ledger.0.execute(query, values)?;
    Ok(())
}

pub(crate) fn registry() -> Registry {
    let registry = Registry::new();
    registry
        .add_all(tools![pay, send, post, put, hold])
        .unwrap();
    registry
}
