//! Ten thousand tools registered, and a million calls in a row: how long, and how much memory.
//!
//! `cargo run --release -p toolpact --example endurance`

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

use std::error::Error;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{ListResult, ObjectResult};
use toolpact::{
    Context, Registry, Session, ToolError, tool_fn,
    typed::{RunsOn, ToolSpec},
};

const TOOLS: usize = 10_000;
const CALLS: usize = 1_000_000;

/// What all of them take.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Search {
    /// Whose orders.
    customer: String,
    /// How many at most.
    limit: Option<u32>,
    state: Option<State>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Done,
}

/// What half of them return.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Order {
    number: u32,
    total: f64,
    note: Option<String>,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let registry = register()?;
    let session = registry.session().open()?;
    println!("{:>9} calls  {:>6} MiB", 0, resident() >> 20);
    let mut done = 0;
    for calls in [CALLS / 100, CALLS / 10, CALLS / 2, CALLS] {
        call(&session, calls - done).await?;
        done = calls;
        println!("{calls:>9} calls  {:>6} MiB", resident() >> 20);
    }
    Ok(())
}

fn register() -> Result<Registry, toolpact::Error> {
    let (registry, before, start) = (Registry::new(), resident(), Instant::now());
    for number in 0..TOOLS {
        let about = |kind: &str| {
            let name = format!("{kind}_{number}");
            let description = format!("Works with the orders of shop {number}.");
            ToolSpec::new(name, description).runs_on(RunsOn::Caller)
        };
        match number % 2 {
            0 => registry.add(tool_fn(about("list"), async |input: Search, _: Context| {
                Ok::<_, ToolError>(ListResult::success(vec![order(&input)]))
            }))?,
            _ => registry.add(tool_fn(about("get"), async |input: Search, _: Context| {
                Ok::<_, ToolError>(ObjectResult::success(order(&input)))
            }))?,
        }
    }
    println!(
        "{TOOLS} tools registered in {:.2} s, {} MiB\n",
        start.elapsed().as_secs_f64(),
        (resident() - before) >> 20
    );
    Ok(registry)
}

fn order(input: &Search) -> Order {
    Order {
        number: input.limit.unwrap_or(1),
        total: 12.5,
        note: Some(input.customer.clone()),
    }
}

async fn call(session: &Session, calls: usize) -> Result<(), Box<dyn Error>> {
    let call = br#"{"name":"list_0","args":{"customer":"Ada","limit":3,"state":"open"}}"#;
    for _ in 0..calls {
        let reply = session.call_json(call).await;
        if !reply.starts_with(br#"{"name":"list_0","status":"SUCCESS""#) {
            return Err(String::from_utf8_lossy(&reply).into_owned().into());
        }
    }
    Ok(())
}

/// Bytes of memory in use; 0 where the system does not say.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0usize) * 4096
}
