//! Schemas that are hard to say elsewhere: what becomes of each in every dialect.
//!
//! Dialects with the same outcome stand together, and those that say all of it are only named.

use std::fmt::Write as _;

use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Export, Loss};
use toolpact_core::json::{Document, Limits, Node, Value};

const CASES: &str = include_str!("../../cases/hard.yaml");

#[test]
fn every_case_is_as_expected() {
    let cases = contracts();
    assert!(cases.len() >= 60, "{}", cases.len());
    for contract in cases {
        insta::assert_snapshot!(contract.name().as_str(), exports(&contract));
    }
}

/// The cases, each as a contract of its name.
pub(super) fn contracts() -> Vec<Contract> {
    let document = Document::yaml(CASES.as_bytes(), &Limits::default());
    let cases = document.root().unwrap().members();
    let cases = cases.map(|(name, schema)| (name.into_owned(), schema.to_value()));
    let cases = cases.chain([huge_enum()]);
    cases
        .map(|(name, schema)| contract(&name, &schema))
        .collect()
}

/// Too long to be written out.
fn huge_enum() -> (String, Value) {
    let values: Vec<String> = (0..1_200).map(|n| format!("value-{n}")).collect();
    let schema = serde_json::json!({"type": "object", "properties": {"one": {"enum": values}}});
    let schema = Value::from_json(schema.to_string()).unwrap();
    ("enum_huge".to_owned(), schema)
}

fn contract(name: &str, schema: &Value) -> Contract {
    let text =
        format!(r#"{{"name": "{name}", "description": "Tries it.", "parameters": {schema}}}"#);
    Contract::from_json(text).unwrap_or_else(|violations| panic!("{name}: {violations}"))
}

fn exports(contract: &Contract) -> String {
    let mut outcomes: Vec<(String, Vec<&str>)> = Vec::new();
    for dialect in Dialect::ALL {
        let outcome = outcome(&dialect.export([contract]));
        match outcomes.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, names)) => names.push(dialect.as_str()),
            None => outcomes.push((outcome, vec![dialect.as_str()])),
        }
    }
    let mut text = String::new();
    for (outcome, names) in outcomes {
        writeln!(text, "{}\n{outcome}", names.join(" ")).unwrap();
    }
    text
}

fn outcome(export: &Export) -> String {
    if let Some(bad) = export.left_out().first() {
        return format!("  left out: {}\n", bad.reason);
    }
    let tool = &export.tools()[0];
    if tool.losses().is_empty() {
        return "  all of it\n".to_owned();
    }
    let mut text = format!("  {}\n", shorten(parameters(tool.definition().root())));
    for loss in tool.losses() {
        writeln!(text, "  {}", line(loss)).unwrap();
    }
    text
}

fn line(loss: &Loss) -> String {
    let (effect, kind) = (loss.effect().as_str(), loss.kind().as_str());
    let pointer = loss.pointer().to_string();
    let place = pointer.strip_prefix("/parameters").unwrap_or(&pointer);
    format!("{effect:13} {kind:14} {place} {}", loss.instead())
}

/// The part of a definition that is the schema of the arguments.
fn parameters(tool: Node<'_>) -> &str {
    let tool = tool.get("function").unwrap_or(tool);
    let names = [
        "parameters",
        "parametersJsonSchema",
        "input",
        "input_schema",
        "inputSchema",
    ];
    names
        .iter()
        .find_map(|name| tool.get(name))
        .or_else(|| body(tool))
        .map_or("no parameters", Node::text)
}

/// The schema of what is sent to an operation.
fn body(operation: Node<'_>) -> Option<Node<'_>> {
    let path = ["requestBody", "content", "application/json", "schema"];
    path.iter().try_fold(operation, |node, key| node.get(key))
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 2_000;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
