//! A result of 10 MB, and an input of 10 MB: how long a call with it takes, and how much memory it needs.
//!
//! `cargo run --release -p toolpact --example large_result`. Each case is a process of its own, so
//! that each has a peak of its own.

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

use std::error::Error;
use std::process::Command;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Call, Completed, Context, Definition, Registry, Session, ToolError, tool};

const ROWS: u32 = 100_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Row {
    id: u32,
    customer: String,
    note: String,
}

/// Returns many rows.
#[tool(read_only, inline)]
fn export() -> Vec<Row> {
    rows()
}

/// Takes many rows.
#[tool(read_only, inline)]
#[expect(clippy::needless_pass_by_value, reason = "a tool owns its arguments")]
fn import(rows: Vec<Row>) -> usize {
    rows.len()
}

fn rows() -> Vec<Row> {
    let row = |id| Row {
        id,
        customer: format!("customer {id}"),
        note: "Leave it with the neighbours if nobody is at home.".to_owned(),
    };
    (0..ROWS).map(row).collect()
}

const CASES: [&str; 11] = [
    "run: the typed result",
    "call: the typed result",
    "call: JSON",
    "call: the text for a model",
    "json_only: JSON",
    "json_only: the text for a model",
    "call_json: JSON",
    "untyped: JSON",
    "untyped: the text for a model",
    "run: a typed input",
    "call_json: a typed input",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    if let Some(case) = std::env::args().nth(1) {
        return one(&case).await;
    }
    println!("| | ms | peak MiB | held MiB |\n|---|---:|---:|---:|");
    for case in CASES {
        let output = Command::new(std::env::current_exe()?).arg(case).output()?;
        print!("{}", String::from_utf8(output.stdout)?);
    }
    Ok(())
}

async fn one(case: &str) -> Result<(), Box<dyn Error>> {
    let session = session()?;
    // The caller of a tool has the input anyway.
    let input = case.ends_with("input").then(rows).unwrap_or_default();
    let before = memory("VmRSS:")?;
    let started = Instant::now();
    let held = make(case, &session, input).await?;
    let took = started.elapsed().as_millis();
    // Of an input that a tool has taken, less may be held than before.
    let peak = memory("VmHWM:")?.saturating_sub(before);
    let now = memory("VmRSS:")?.saturating_sub(before);
    println!("| {case} | {took} | {peak} | {now} |");
    drop(held);
    Ok(())
}

/// What a caller has in hand after a call.
#[expect(dead_code, reason = "it is held and not read")]
enum Held {
    Rows(Vec<Row>),
    Completed(Box<Completed>),
    Json(Vec<u8>),
}

async fn make(case: &str, session: &Session, rows: Vec<Row>) -> Result<Held, Box<dyn Error>> {
    let empty = Value::from_json("{}")?;
    let (how, what) = case.split_once(": ").ok_or("expected a case")?;
    let name = match how {
        "run" if what == "a typed input" => {
            session.run(import { rows }).await?;
            return Ok(Held::Rows(Vec::new()));
        }
        // The caller writes it, and the tool reads it.
        "call_json" if what == "a typed input" => {
            let args = serde_json::to_string(&import { rows })?;
            let call = format!(r#"{{"name": "import", "args": {args}}}"#);
            return Ok(Held::Json(session.call_json(call.as_bytes()).await));
        }
        "run" => return Ok(Held::Rows(session.run(export {}).await?)),
        "call_json" => {
            let call = br#"{"name": "export", "args": {}}"#;
            return Ok(Held::Json(session.call_json(call).await));
        }
        "untyped" => "untyped",
        _ => "export",
    };
    let call = Call::new(name, empty);
    let call = match how {
        "call" => call,
        _ => call.json_only(),
    };
    let completed = session.call(call).await;
    match what {
        "JSON" => drop(completed.to_json().ok_or("expected a result")?),
        "the text for a model" => drop(completed.text_truncated()),
        _ => {
            completed.output::<Vec<Row>>().ok_or("expected rows")?;
        }
    }
    Ok(Held::Completed(Box::new(completed)))
}

fn session() -> Result<Session, Box<dyn Error>> {
    let registry = Registry::new();
    registry.add(export::tool())?;
    registry.add(import::tool())?;
    let contract = Contract::from_json(
        r#"{"name": "untyped", "description": "Returns many rows.", "parameters": {"type": "object"},
            "returns": {"type": "array", "items": {"type": "object", "required": ["id"]}}}"#,
    )?;
    let untyped = async |_: Value, _: Context| {
        Ok::<_, ToolError>(Value::from_json(serde_json::to_vec(&export())?)?)
    };
    registry.add(Definition::new(contract, untyped))?;
    Ok(registry.session().open()?)
}

/// A line of `/proc/self/status`, in MiB.
fn memory(key: &str) -> Result<u64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    Ok(kilobytes.ok_or("expected Linux")?.parse::<u64>()? / 1024)
}
