mod keys;
mod places;
mod strings;
mod work;

use super::repair;
use crate::contract::{Contract, Parameters};
use crate::json::Value;

fn parameters(schema: &str) -> Parameters {
    let contract = format!(r#"{{"name": "f", "description": "d", "parameters": {schema}}}"#);
    Contract::from_json(contract).unwrap().parameters().clone()
}

/// The repaired value of the key `v`, which is to satisfy a schema, and the codes of the repairs.
fn of(schema: &str, value: &str) -> (String, Vec<&'static str>) {
    let schema = format!(
        r#"{{"type": "object", "properties": {{"v": {schema}}},
            "$defs": {{"whole": {{"type": "integer"}}, "words": {{"type": "array", "items": {{"type": "string"}}}}}}}}"#
    );
    let args = Value::from_json(format!(r#"{{"v":{value}}}"#)).unwrap();
    let repaired = repair(&parameters(&schema), &args);
    let codes = repaired.repairs.iter().map(|repair| repair.kind.code());
    let became = repaired
        .value
        .root()
        .get("v")
        .map(|node| node.text().to_owned());
    (became.unwrap_or_default(), codes.collect())
}

fn becomes(cases: &[(&str, &str, &str, &str)]) {
    for (schema, value, expected, code) in cases {
        let expected = ((*expected).to_owned(), vec![*code]);
        assert_eq!(of(schema, value), expected, "{value} for {schema}");
    }
}

fn stays(cases: &[(&str, &str)]) {
    for (schema, value) in cases {
        let expected = ((*value).to_owned(), Vec::new());
        assert_eq!(of(schema, value), expected, "{value} for {schema}");
    }
}

const WHOLE: &str = r#"{"type": "integer"}"#;
const NUMBER: &str = r#"{"type": "number"}"#;
const FLAG: &str = r#"{"type": "boolean"}"#;
const LIST: &str = r#"{"type": "array", "items": {"type": "string"}}"#;
const OBJECT: &str =
    r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#;
