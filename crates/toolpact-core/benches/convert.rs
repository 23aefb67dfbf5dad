//! Many tools in every dialect: the time for each tool must not grow with their number.
//!
//! `cargo bench -p toolpact-core --bench convert`

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;
use toolpact_core::json::Value;

/// How much slower a tool may be among many, before it is no longer linear.
const MOST: f64 = 1.5;

fn main() {
    // Without `--bench` it is only to be seen that it works: that is how tests run it.
    let measured = std::env::args().any(|arg| arg == "--bench");
    let (few, many) = if measured { (1_000, 10_000) } else { (10, 100) };
    let contracts: Vec<Contract> = (0..many).map(contract).collect();
    println!("| dialect | {few} tools | {many} tools | one of {many} | beside one of {few} |");
    println!("|---|---:|---:|---:|---:|");
    let mut slowest = 0.0_f64;
    let mut all = [Duration::ZERO; 2];
    for dialect in Dialect::ALL {
        // In turn, so that whatever else the machine does slows both alike.
        let times = [
            best(*dialect, &contracts[..few], many / few),
            best(*dialect, &contracts, 1),
        ];
        let ratio = per_tool(times[1], many) / per_tool(times[0], few);
        slowest = slowest.max(ratio);
        all = [all[0] + times[0], all[1] + times[1]];
        row(dialect.as_str(), times, many, ratio);
    }
    let ratio = per_tool(all[1], many) / per_tool(all[0], few);
    row("all", all, many, ratio);
    if measured {
        let verdict = if ratio <= MOST { "PASS" } else { "FAIL" };
        println!(
            "{verdict}: a tool among {many} takes {ratio:.2} of one among {few}, at most {MOST} allowed"
        );
        println!("the most in one dialect: {slowest:.2}");
    }
}

/// The best of three, each so many times.
fn best(dialect: Dialect, contracts: &[Contract], times: usize) -> Duration {
    let once = || {
        let start = worked();
        for _ in 0..times {
            black_box(convert(dialect, contracts));
        }
        worked().saturating_sub(start) / u32::try_from(times).unwrap_or(1)
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}

/// The time that this program has worked. The clock on the wall also counts what others do.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

/// The document, as it would be sent.
fn convert(dialect: Dialect, contracts: &[Contract]) -> Value {
    let export = dialect.export(contracts);
    assert!(export.left_out().is_empty());
    export.document()
}

fn per_tool(time: Duration, tools: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let tools = tools as f64;
    time.as_secs_f64() / tools
}

fn row(name: &str, [few, many]: [Duration; 2], tools: usize, ratio: f64) {
    let one = per_tool(many, tools) * 1e6;
    println!("| {name} | {few:.1?} | {many:.1?} | {one:.1} µs | {ratio:.2} |");
}

/// A tool as people write them: six parameters, one nested, a reference, a union, limits.
fn contract(number: usize) -> Contract {
    let text = format!(
        r##"{{
        "name": "search_orders_{number}",
        "description": "Finds the orders of a customer, newest first. Variant {number}.",
        "parameters": {{
            "type": "object",
            "properties": {{
                "customer": {{"type": "string", "minLength": 1, "description": "The customer's number."}},
                "status": {{"type": "string", "enum": ["open", "paid", "shipped", "v{number}"]}},
                "since": {{"type": ["string", "null"], "format": "date-time"}},
                "limit": {{"type": "integer", "minimum": 1, "maximum": 100, "default": 20}},
                "address": {{"$ref": "#/$defs/address"}},
                "sort": {{"oneOf": [{{"type": "string"}}, {{"type": "array", "items": {{"type": "string"}}}}]}}
            }},
            "required": ["customer"],
            "additionalProperties": false,
            "$defs": {{"address": {{
                "type": "object",
                "properties": {{"city": {{"type": "string"}}, "zip": {{"type": "string", "pattern": "^[0-9]+$"}}}},
                "required": ["city"],
                "additionalProperties": false
            }}}}
        }},
        "returns": "ListResult",
        "effects": {{"read_only": true}}
    }}"##
    );
    Contract::from_json(text).expect("a contract")
}
