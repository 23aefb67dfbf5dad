//! The exact texts.

mod bounds;
mod docs;
mod hints;
mod names;
mod preamble;
mod responses;
mod signatures;
mod unwrapped;

use crate::contract::Contract;
use crate::json::Value;
use crate::schema::JsonSchema;

fn schema(json: &str) -> JsonSchema {
    let value = Value::from_json(json).unwrap();
    JsonSchema::from_value(&value).unwrap_or_else(|violations| panic!("{json}: {violations}"))
}

/// A contract with this name, these parameters and this `returns`.
fn contract(name: &str, parameters: &str, returns: &str) -> Contract {
    let returns = match returns {
        "" => String::new(),
        returns => format!(r#", "returns": {returns}"#),
    };
    let json = format!(
        r#"{{"name": "{name}", "description": "Tries it.", "parameters": {parameters}{returns}}}"#
    );
    Contract::from_json(&json).unwrap_or_else(|violations| panic!("{json}: {violations}"))
}
