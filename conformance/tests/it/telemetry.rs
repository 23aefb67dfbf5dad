//! The official SDK of OpenTelemetry as the caller, and its types as the reader of what we export.

use std::collections::HashMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::toolpact::toolpact;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: program
    description: Says which trace it is part of.
    parameters: { type: object, additionalProperties: false }
    returns: StringValue
    effects: { read_only: true }
    run: { command: [sh, -c, 'printf "{\\"success\\": true, \\"value\\": \\"%s\\"}" "$TRACEPARENT"'] }
"#;

/// What the judge has seen, if it is installed.
fn judged(folder: &std::path::Path) -> Option<Json> {
    let package = conformance::suite("opentelemetry").or_leave_out()?;
    std::fs::write(folder.join("tools.yaml"), TOOLS).unwrap();
    let config = "sources:\n  - files: { paths: [tools.yaml] }\n";
    std::fs::write(folder.join("toolpact.yaml"), config).unwrap();
    let program = toolpact().get_program().to_str().unwrap().to_owned();
    let task = json!({
        "serve": [program, "serve", "--port", "0"],
        "stdio": [program, "serve", "--stdio"],
        "tools": ["program"],
    });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/telemetry_judge.py");
    let mut judge = Command::new("python3")
        .arg(script)
        .arg(package)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = judge.stdin.take().unwrap();
    input.write_all(task.to_string().as_bytes()).unwrap();
    drop(input);
    let output = judge.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

fn list<'j>(json: &'j Json, key: &str) -> &'j Vec<Json> {
    json[key].as_array().unwrap()
}

#[test]
fn our_spans_are_children_of_those_of_the_official_sdk() {
    let folder = tempfile::tempdir().unwrap();
    let Some(seen) = judged(folder.path()) else {
        return;
    };
    let all = list(&seen, "spans").iter().chain(list(&seen, "own"));
    let parents: HashMap<&str, &Json> = all
        .map(|span| (span["span"].as_str().unwrap(), span))
        .collect();
    let calls = list(&seen, "calls");
    let ways: Vec<&str> = calls
        .iter()
        .map(|call| call["way"].as_str().unwrap())
        .collect();
    assert_eq!(ways, ["mcp legacy", "mcp auto", "rest", "mcp legacy"]);
    for call in calls {
        // The program says which span it is part of: `00-trace-span-01`.
        let text = call["text"].as_str().unwrap();
        let said: Vec<&str> = text.split('-').collect();
        assert_eq!(said[1], call["trace"], "{call}");
        let mut names = Vec::new();
        let mut span = said[2];
        while span != call["span"] {
            let found = parents
                .get(span)
                .unwrap_or_else(|| panic!("{span} of {call} is lost"));
            names.push(found["name"].as_str().unwrap());
            span = found["parent"].as_str().unwrap();
        }
        let expected: &[&str] = match call["way"].as_str() {
            Some("rest") => &["sh", "execute_tool program", "POST /v1/tools/{name}"],
            // The client of MCP has a span of its own.
            _ => &[
                "sh",
                "execute_tool program",
                "tools/call program",
                "MCP send tools/call program",
            ],
        };
        assert_eq!(names, expected, "{call}");
    }
}

#[test]
fn metrics_and_logs_are_what_the_official_types_expect() {
    let folder = tempfile::tempdir().unwrap();
    let Some(seen) = judged(folder.path()) else {
        return;
    };
    let mut durations = list(&seen, "metrics")
        .iter()
        .filter(|metric| metric["name"] == "gen_ai.execute_tool.duration");
    let duration = durations.next().unwrap();
    assert_eq!(duration["unit"], "s");
    assert_eq!(duration["cumulative"], true);
    let (buckets, bounds) = (list(duration, "buckets"), list(duration, "bounds"));
    assert_eq!(buckets.len(), bounds.len() + 1);
    let counted: u64 = buckets.iter().filter_map(Json::as_u64).sum();
    assert_eq!(Some(counted), duration["value"].as_u64());
    let traces: Vec<&Json> = list(&seen, "calls")
        .iter()
        .map(|call| &call["trace"])
        .collect();
    let of_calls = |line: &&Json| traces.contains(&&line["trace"]);
    assert!(list(&seen, "logs").iter().filter(of_calls).count() >= traces.len());
}
