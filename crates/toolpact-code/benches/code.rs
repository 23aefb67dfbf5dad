//! What scripts cost: declarations, the type checker, calls.
//!
//! `cargo bench -p toolpact-code`

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that fails has nothing to say"
)]
#![expect(clippy::print_stdout, reason = "it is what a benchmark is for")]

use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use toolpact::code::{RunOptions, Sandbox, ScriptLimits, ScriptTools};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Call, Context, Definition, Registry, Session, ToolError};

const CALLS: usize = 10_000;

fn main() {
    let runtime = Runtime::new().unwrap();
    let few = session(10);
    let many = session(500);
    let declared = best(20, || ScriptTools::of(&many));
    row("declare 500 tools", declared);
    for (name, session) in [("10 tools", &few), ("500 tools", &many)] {
        let tools = ScriptTools::of(session);
        checks(&runtime, name, &tools);
    }
    calls(&runtime, &few);
}

/// The first script of a worker, and those after it: the same again, and others. Scripts name ten
/// of the tools, or all of them.
fn checks(runtime: &Runtime, name: &str, tools: &ScriptTools) {
    let count = tools.session().names().count();
    for named in if count > 10 {
        vec![10, count]
    } else {
        vec![count]
    } {
        let script = |number: usize| {
            let uses =
                (0..named).map(|tool| format!("a{number} = get_{tool}('x')['total'] + {number}\n"));
            uses.collect::<String>()
        };
        let options = RunOptions::default();
        let mut first = Duration::MAX;
        for _ in 0..5 {
            let sandbox = Sandbox::at(env!("CARGO_BIN_EXE_toolpact-code"));
            let start = Instant::now();
            runtime
                .block_on(sandbox.check(&script(0), tools, &options))
                .unwrap();
            first = first.min(start.elapsed());
        }
        let sandbox = Sandbox::at(env!("CARGO_BIN_EXE_toolpact-code"));
        let mut number = 0;
        let others = best(20, || {
            number += 1;
            runtime
                .block_on(sandbox.check(&script(number), tools, &options))
                .unwrap()
        });
        let same = best(20, || {
            runtime
                .block_on(sandbox.check(&script(1), tools, &options))
                .unwrap()
        });
        row(
            &format!("{name}, a script that names {named}: first, with the start of a worker"),
            first,
        );
        row(
            &format!("{name}, a script that names {named}: another one"),
            others,
        );
        row(
            &format!("{name}, a script that names {named}: the same again"),
            same,
        );
    }
}

/// Calls through a script, beside the same calls without one.
fn calls(runtime: &Runtime, session: &Session) {
    let tools = ScriptTools::of(session);
    let sandbox = Sandbox::at(env!("CARGO_BIN_EXE_toolpact-code"));
    let limits = ScriptLimits::default()
        .calls(CALLS)
        .time(Duration::from_mins(1));
    let options = RunOptions::default().limits(limits);
    let script = format!("for i in range({CALLS}):\n    get_0('x')\n");
    let through = best(3, || {
        let ran = runtime.block_on(sandbox.run(&script, &tools, &options));
        assert_eq!(ran.trace.len(), CALLS);
        ran.value().unwrap()
    });
    let args = Value::from_json(r#"{"order": "x"}"#).unwrap();
    let alone = best(3, || {
        runtime.block_on(async {
            for _ in 0..CALLS {
                assert!(
                    session
                        .call(Call::new("get_0", args.clone()))
                        .await
                        .is_success()
                );
            }
        });
    });
    let each = |all: Duration| all / u32::try_from(CALLS).unwrap();
    row("10,000 calls, each: in a script", each(through));
    row("10,000 calls, each: without one", each(alone));
}

/// Tools of some size that return at once.
fn session(count: usize) -> Session {
    let registry = Registry::new();
    for number in 0..count {
        let contract = format!(
            r#"{{"name": "get_{number}", "description": "Gets one thing of kind {number}, with its lines.", "parameters": {{"type": "object", "properties": {{"order": {{"type": "string", "description": "Its number"}}, "page": {{"type": "integer", "default": 1}}, "sort": {{"enum": ["newest", "oldest"]}}}}, "required": ["order"]}}, "returns": {{"type": "object", "properties": {{"total": {{"type": "number"}}, "lines": {{"type": "array", "items": {{"type": "object", "properties": {{"sku": {{"type": "string"}}, "count": {{"type": "integer"}}}}, "required": ["sku", "count"]}}}}}}, "required": ["total"]}}}}"#
        );
        let contract = Contract::from_json(contract).unwrap();
        let result =
            Value::from_json(r#"{"total": 1.5, "lines": [{"sku": "a", "count": 2}]}"#).unwrap();
        let tool = Definition::new(contract, move |_: Value, _: Context| {
            let result = result.clone();
            async move { Ok::<_, ToolError>(result) }
        });
        registry.add(tool).unwrap();
    }
    registry.session().open().unwrap()
}

/// The best of several times: what else the machine does can only make one longer.
fn best<T>(times: usize, mut run: impl FnMut() -> T) -> Duration {
    let times = (0..times).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap()
}

fn row(name: &str, took: Duration) {
    println!("{name:<72} {:>12.3} ms", took.as_secs_f64() * 1_000.0);
}
