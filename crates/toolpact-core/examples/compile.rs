//! Time and memory of reading many contracts and making them ready.
//!
//! `cargo run --release -p toolpact-core --example compile` measures 1,000 and 10,000 contracts,
//! each in a process of its own; `… -- <count>` measures one count in this process.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use toolpact_core::contract::{ContractDocument, Parameters};
use toolpact_core::json::{Document, Limits};
use toolpact_core::returns::Level;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [count] => println!("{}", measure(count.parse().expect("a count"))),
        _ => table(),
    }
}

fn table() {
    println!(
        "| contracts | input | read | made ready | one contract | peak memory | of one contract |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    let program = std::env::current_exe().expect("this program");
    for count in ["1000", "10000"] {
        let run = Command::new(&program).arg(count).output();
        let run = run.expect("the program runs again");
        println!(
            "| {count} | {} |",
            String::from_utf8_lossy(&run.stdout).trim_end()
        );
    }
}

fn measure(count: usize) -> String {
    let text = document(count);
    let before = memory("VmRSS:");
    let start = Instant::now();
    let document = Document::json(text.as_bytes(), &Limits::default());
    let contracts = ContractDocument::check(&document).into_result();
    let contracts = contracts.expect("contracts");
    let length = text.len();
    drop((document, text));
    let read = start.elapsed();
    let ready: Vec<_> = contracts
        .tools()
        .map(|contract| {
            let takes = match contract.parameters() {
                Parameters::JsonSchema(schema) => Some(schema.checker()),
                Parameters::Adm(_) => None,
            };
            (takes, contract.returns().enforcer(Level::Meaning))
        })
        .collect();
    // Asking for it compiles it.
    let fast = ready.iter().filter(|(takes, gives)| {
        takes
            .as_ref()
            .is_none_or(|takes| takes.uncovered().is_none())
            && gives.uncovered().is_none()
    });
    assert_eq!(fast.count(), count, "all of them are on the fast path");
    let all = start.elapsed();
    let grown = memory("VmHWM:").saturating_sub(before);
    assert_eq!(ready.len(), count);
    format!(
        "{} kB | {} ms | {} ms | {:.1} µs | {} kB | {} bytes",
        length / 1_000,
        read.as_millis(),
        all.saturating_sub(read).as_millis(),
        all.as_secs_f64() * 1e6 / f64::from(u32::try_from(count).unwrap_or(u32::MAX)),
        memory("VmHWM:") / 1_000,
        grown / count.max(1),
    )
}

/// A line of what the kernel says about this process, in bytes.
fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|text| text.strip_prefix(line));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1_024
}

fn document(count: usize) -> String {
    let mut out = r#"{"toolpact":1,"tools":["#.to_owned();
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        contract(&mut out, i);
    }
    out.push_str("]}");
    out
}

/// No two are alike, and all are of the kinds that people write.
fn contract(out: &mut String, i: usize) {
    const RETURNS: [&str; 6] = [
        "ListResult",
        "EntityResult",
        "VoidResult",
        "OperationStatus",
        "StringValue",
        "ObjectResult",
    ];
    let _ = write!(
        out,
        r#"{{"name":"tool_{i}","description":"Finds the things of kind {i} that belong to one customer.","parameters":{{"type":"object","properties":{{"#
    );
    let count = 3 + i % 6;
    for n in 0..count {
        if n > 0 {
            out.push(',');
        }
        parameter(out, i, n);
    }
    let _ = write!(
        out,
        r#"}},"required":["field_{i}_0","field_{i}_1"],"additionalProperties":false}},"returns":"#
    );
    match i % 3 {
        0 => custom_returns(out, i),
        _ => {
            let _ = write!(out, r#""{}""#, RETURNS[i % RETURNS.len()]);
        }
    }
    out.push_str(r#","effects":{"read_only":true},"timeout_ms":5000}"#);
}

fn parameter(out: &mut String, i: usize, n: usize) {
    let _ = write!(out, r#""field_{i}_{n}":"#);
    let _ = match n {
        0 if i.is_multiple_of(10) => write!(
            out,
            r#"{{"type":"string","description":"The identifier of the customer.","pattern":"^cus{i}_[a-z0-9]{{8,24}}$"}}"#
        ),
        0 => write!(
            out,
            r#"{{"type":"string","description":"The identifier of the customer.","minLength":1,"maxLength":{}}}"#,
            40 + i
        ),
        1 => write!(
            out,
            r#"{{"type":"integer","description":"How many to return at most.","minimum":1,"maximum":{},"default":20}}"#,
            100 + i
        ),
        2 => write!(
            out,
            r#"{{"type":"string","enum":["open_{i}","paid","shipped","returned"]}}"#
        ),
        3 => write!(
            out,
            r#"{{"type":"string","format":"date-time","description":"Only what is newer than this."}}"#
        ),
        4 => write!(
            out,
            r#"{{"type":"object","properties":{{"city":{{"type":"string"}},"zip_{i}":{{"type":"string","maxLength":10}},"country":{{"type":"string","minLength":2,"maxLength":2}}}},"required":["city"]}}"#
        ),
        5 => write!(
            out,
            r#"{{"type":"array","items":{{"type":"string","maxLength":{}}},"maxItems":50,"uniqueItems":true}}"#,
            20 + i
        ),
        6 => write!(out, r#"{{"type":"string","format":"email"}}"#),
        _ => write!(
            out,
            r#"{{"anyOf":[{{"type":"number","exclusiveMinimum":{i}}},{{"type":"null"}}]}}"#
        ),
    };
}

fn custom_returns(out: &mut String, i: usize) {
    let _ = write!(
        out,
        r##"{{"type":"object","properties":{{"id":{{"type":"string"}},"total_{i}":{{"type":"number","minimum":0}},"created":{{"type":"string","format":"date-time"}},"lines":{{"type":"array","items":{{"$ref":"#/$defs/line"}}}}}},"required":["id","lines"],"$defs":{{"line":{{"type":"object","properties":{{"sku":{{"type":"string"}},"quantity":{{"type":"integer","minimum":1}}}},"required":["sku"]}}}}}}"##
    );
}
