//! Tools of tests.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use toolpact::returns::{EventStream, NumberValue, Progress, StringValue};
use toolpact::session::LogLevel;
use toolpact::{Context, Registry, ToolError, tool, tools};

/// The file in which tools with effects write a line for each.
pub(crate) const EFFECTS: &str = "GRID_TEST_EFFECTS";

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

/// Divides two numbers.
#[tool(read_only)]
async fn divide(a: i64, b: i64) -> Result<NumberValue, ToolError> {
    let quotient = a.checked_div(b);
    let quotient = quotient.ok_or_else(|| {
        ToolError::business_rule("Nobody divides by zero – „nobody“.").with_detail("b", b)
    })?;
    Ok(NumberValue::success(quotient))
}

/// Waits, and says so in the file of effects when it has.
#[tool]
async fn effect(ms: u64, name: String) -> Result<StringValue, ToolError> {
    done(ms, &name).await
}

/// The same, and twice is the same.
#[tool(idempotent)]
async fn repeatable_effect(ms: u64, name: String) -> Result<StringValue, ToolError> {
    done(ms, &name).await
}

async fn done(ms: u64, name: &str) -> Result<StringValue, ToolError> {
    let line = |what: &str| -> Result<(), ToolError> {
        if let Some(file) = std::env::var_os(EFFECTS) {
            let mut file = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(file)?;
            writeln!(file, "{what} {name}")?;
        }
        Ok(())
    };
    line("began")?;
    tokio::time::sleep(Duration::from_millis(ms)).await;
    line("did")?;
    Ok(StringValue::success(std::process::id().to_string()))
}

/// Waits until it is cancelled.
#[tool]
async fn wait(cx: &Context) -> StringValue {
    cx.cancelled().await;
    StringValue::success("cancelled")
}

/// Says who calls.
#[tool(read_only)]
async fn whoami(cx: &Context) -> StringValue {
    let who = cx.principal();
    let groups: Vec<&str> = who.group_names().collect();
    StringValue::success(format!(
        "{} of {:?} in {groups:?}",
        who.name(),
        who.tenant()
    ))
}

/// Fails in a way that nobody expected.
#[tool(read_only)]
async fn panics() -> StringValue {
    panic!("the secret is 1234")
}

/// Makes many words.
#[tool(read_only)]
async fn words(count: usize) -> StringValue {
    StringValue::success("word ".repeat(count))
}

/// Counts, and tells how far it is.
#[tool(read_only)]
async fn count(to: u64, cx: &Context) -> Result<NumberValue, ToolError> {
    for n in 1..=to {
        cx.log(LogLevel::Notice, format!("now {n}").as_str()).await;
        cx.progress(
            Progress::default()
                .with_steps(n, to)?
                .with_message("counting"),
        )
        .await;
    }
    Ok(NumberValue::success(i64::try_from(to)?))
}

/// How many events have been sent.
pub(crate) static EMITTED: AtomicU64 = AtomicU64::new(0);

/// Sends so many events of so many bytes, one after another.
#[tool(read_only)]
async fn events(count: u64, bytes: usize, cx: &Context) -> Result<EventStream<String>, ToolError> {
    for number in 0..count {
        let event = EventStream::new("part")?.with_id(&number.to_string())?;
        cx.emit(&event.with_data("x".repeat(bytes))).await?;
        EMITTED.fetch_add(1, Ordering::SeqCst);
    }
    Ok(EventStream::new("end")?)
}

pub(crate) fn registry() -> Registry {
    let registry = Registry::new();
    let all = tools![
        add,
        divide,
        effect,
        repeatable_effect,
        wait,
        whoami,
        panics,
        words,
        count,
        events
    ];
    registry.add_all(all).unwrap();
    registry
}
