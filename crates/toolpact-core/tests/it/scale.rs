//! Sizes that nobody writes by hand and somebody will send.
//!
//! Nothing here is timed. The sizes are such that work which grows with the square of the input
//! runs into the time limit of the test runner, and recursion into the end of the stack.

mod deep;
mod many;
mod yaml;

use std::fmt::Write as _;

use toolpact_core::Violations;
use toolpact_core::json::Limits;
use toolpact_core::model::ToolDocument;

const MANY: usize = 100_000;

/// No limit of depth.
fn unlimited() -> Limits {
    Limits::default().depth(usize::MAX)
}

/// A tool with one function `f` of these parameters.
fn tool(parameters: &str) -> ToolDocument {
    ToolDocument::from_json_within(tool_text(parameters), &unlimited()).unwrap()
}

fn tool_text(parameters: &str) -> String {
    format!(
        r#"{{"function_declarations":[{{"name":"f","description":"Does it.","parameters":{parameters}}}]}}"#
    )
}

/// `one(0),one(1),…`
fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for i in 0..count {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{}", one(i));
    }
    out
}

/// The first thousand are listed and the rest are counted.
fn assert_capped(violations: &Violations, total: usize) {
    assert_eq!(violations.errors(), total);
    assert_eq!(violations.len(), 1_000);
    assert_eq!(violations.omitted(), total - 1_000);
    let shown = violations.to_string();
    assert!(shown.ends_with(&format!("and {} more", total - 1_000)));
    assert!(shown.len() < 2_000_000, "{} bytes", shown.len());
}

fn codes(violations: &Violations) -> Vec<&'static str> {
    violations
        .iter()
        .map(toolpact_core::Violation::code)
        .collect()
}
