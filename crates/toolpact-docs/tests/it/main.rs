//! Pages for people: what it says, that it says it literally, and that its calls work.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy allows them in tests, but does not know helpers of tests"
)]

mod calls;
mod escaping;
mod fields;
mod pages;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_docs::{Docs, Page};

/// A contract with these parameters, given as JSON.
fn contract(parameters: &str) -> Contract {
    let text = format!(
        r#"{{"name": "t", "description": "Does it.", "parameters": {parameters}, "returns": "opaque"}}"#
    );
    Contract::from_json(text).unwrap_or_else(|error| panic!("{parameters}: {error}"))
}

fn page(contract: &Contract) -> Page {
    let docs = Docs::of("Tools", std::slice::from_ref(contract));
    docs.pages()[0].clone()
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    Value::from(text).text().to_owned()
}
