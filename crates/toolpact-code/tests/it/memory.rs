//! What a script can make its host hold.

use std::sync::Arc;
use std::time::Duration;

use toolpact::code::{ScriptLimits, ScriptTools, TracedValue};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;
use toolpact::{Context, Definition, Registry, ToolError};

use crate::bench::{Bench, options, tool};

/// `big(bytes)` returns a text.
fn big() -> Definition {
    let contract = r#"{"name": "big", "description": "A text of this size.", "parameters": {"type": "object", "properties": {"bytes": {"type": "integer"}}, "required": ["bytes"]}, "returns": {"type": "string"}}"#;
    tool(contract, |args| {
        let bytes = args.root().get("bytes").unwrap().text();
        Ok(Value::from(&*"x".repeat(bytes.parse().unwrap())))
    })
}

#[test]
fn a_trace_keeps_so_many_bytes_and_the_sizes_of_the_rest() {
    let bench = Bench::with([big()]);
    let limits = options().limits.trace(5 << 20);
    let script = "sum([len(big(2000000)) for _ in range(8)]) + len(big(3))";
    let ran = bench.ran_with(script, &options().limits(limits));
    let outcomes = ran.trace.iter().map(|call| call.outcome.clone().unwrap());
    let outcomes: Vec<TracedValue> = outcomes.map(Result::unwrap).collect();
    let is_whole: Vec<bool> = outcomes.iter().map(|one| one.value().is_some()).collect();
    assert_eq!(is_whole[..4], [true, true, false, false]);
    assert!(is_whole[8], "a small one still has room");
    assert!(
        outcomes[..8].iter().all(|one| one.bytes() == 2_000_002),
        "{:?}",
        outcomes[7].bytes()
    );
    assert_eq!(
        ran.value().unwrap().text(),
        "16000003",
        "the script got all"
    );
}

/// Results beside each other in a trace were once all that a script of 200 calls made its host hold.
#[cfg(target_os = "linux")]
#[test]
fn the_results_of_many_calls_are_not_held() {
    let bench = Bench::with([big()]);
    let before = peak();
    let ran = bench.ran("for _ in range(60):\n    big(8000000)");
    assert_eq!(ran.trace.len(), 60);
    ran.end.unwrap();
    let grown = peak() - before;
    assert!(grown < 250_000, "{grown} kB");
}

/// Calls that run hold their arguments.
#[test]
fn arguments_of_calls_at_once_take_their_share() {
    let contract = r#"{"name": "slow", "description": "Waits.", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "returns": {"type": "integer"}}"#;
    let slow = Definition::new(
        Contract::from_json(contract).unwrap(),
        async |_: Value, _: Context| {
            tokio::time::sleep(Duration::from_secs(6)).await;
            Ok::<_, ToolError>(Value::from(1))
        },
    );
    let memory = Arc::new(MemoryBudget::new(8 << 20));
    let registry = Registry::builder()
        .result_memory(Arc::clone(&memory))
        .build();
    registry.add(slow).unwrap();
    let mut bench = Bench::with([]);
    bench.tools = ScriptTools::of(&registry.session().open().unwrap());
    let script = "x = 'x' * 1000000\nfound = []\ntasks = [tool_task(slow, x) for _ in range(20)]\nfor task in tasks:\n    try:\n        found.append(str(await task))\n    except ToolError as e:\n        found.append(tool_error(e)['code'])\n[found.count('1'), found.count('RATE_LIMIT_CONCURRENCY')]";
    let ran = bench.ran_with(script, &options().limits(limits()));
    assert_eq!(ran.trace.len(), 20);
    assert_eq!(ran.value().unwrap().text(), "[9,11]");
    assert_eq!(memory.used(), 0);
}

fn limits() -> ScriptLimits {
    options().limits.memory(200 << 20)
}

/// The most memory that this process had, in kB.
#[cfg(target_os = "linux")]
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.unwrap().trim().trim_end_matches(" kB");
    number.parse().unwrap()
}
