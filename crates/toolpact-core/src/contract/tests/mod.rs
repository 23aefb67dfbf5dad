mod digest;
mod fields;
mod fixtures;
mod page;
mod returns;
mod round_trip;
mod schema;
mod template;

use crate::json::{Document, Limits};
use crate::violation::Checked;

use super::ContractDocument;

/// A YAML document of one tool with these fields; those that are needed and not given are added.
fn tool(fields: &str) -> String {
    let needed = [
        ("name", "ping"),
        ("description", "Checks the connection."),
        ("parameters", "{ type: object }"),
        ("returns", "VoidResult"),
    ];
    let given = |name: &str| {
        fields
            .lines()
            .any(|line| line.starts_with(&format!("{name}:")))
    };
    let mut lines: Vec<String> = fields.lines().map(str::to_owned).collect();
    let missing = needed.iter().filter(|(name, _)| !given(name));
    lines.extend(missing.map(|(name, value)| format!("{name}: {value}")));
    format!("toolpact: 1\ntools:\n  - {}\n", lines.join("\n    "))
}

fn check_yaml(text: &str) -> Checked<ContractDocument> {
    ContractDocument::check(&Document::yaml(text.as_bytes(), &Limits::default()))
}

fn codes(checked: &Checked<ContractDocument>) -> Vec<&'static str> {
    checked
        .violations
        .iter()
        .map(crate::Violation::code)
        .collect()
}

/// The contract of one tool with these fields.
fn contract(fields: &str) -> super::Contract {
    let document = check_yaml(&tool(fields)).into_result();
    document.unwrap().tools().next().unwrap().clone()
}
