//! What the diff of two contracts claims, judged by a validator that is not ours.

mod adm;
mod bounds;
mod case;
mod mutate;
mod pairs;
mod places;
mod random_pairs;
mod search;
mod unheard_of;
mod verdicts;
mod words;

use toolpact_core::contract::Contract;
use toolpact_core::diff::ToolDiff;

/// Whether floats hold all numbers of a JSON text. The other validator has no others; ours compares integers
/// exactly, which `large_integers` tests.
pub(crate) fn is_rounded(json: &str) -> bool {
    let mut numbers = json.split(|c: char| !c.is_ascii_digit());
    numbers.any(|digits| digits.len() > 15) || json.contains("e3") || json.contains("E3")
}

fn contract(text: &str) -> Contract {
    Contract::from_json(text).unwrap()
}

/// A contract with these parameters and returns.
fn tool(name: &str, parameters: &str, returns: &str) -> Contract {
    contract(&format!(
        r#"{{"name":"{name}","description":"Finds orders of one customer.","parameters":{parameters},"returns":{returns}}}"#
    ))
}

fn lines(diff: &ToolDiff) -> Vec<String> {
    diff.changes().iter().map(ToString::to_string).collect()
}

fn of_parameters(old: &str, new: &str) -> Vec<String> {
    lines(&ToolDiff::between(
        &tool("f", old, "\"opaque\""),
        &tool("f", new, "\"opaque\""),
    ))
}

fn of_returns(old: &str, new: &str) -> Vec<String> {
    let any = r#"{"type":"object"}"#;
    lines(&ToolDiff::between(
        &tool("f", any, old),
        &tool("f", any, new),
    ))
}
