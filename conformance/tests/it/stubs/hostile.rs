//! Words that mean something to a checker, wherever a contract can have words.

use super::accepted;
use serde_json::{Value, json};
use toolpact_core::contract::Contract;

const WORDS: [&str; 22] = [
    "\"",
    "\"\"\"",
    "\"\"\"\"\"",
    "\\",
    "a\\\"",
    "\\\"\"\"",
    "# type: ignore",
    "x\n# mypy: ignore-errors",
    "# pyright: basic",
    "@ts-ignore",
    "@ts-expect-error",
    "@deprecated",
    "x\n@ts-nocheck",
    "*/ export const x = 1; /*",
    "a\0b",
    "say \"hi\"\u{200b}",
    "line\r\nline\rline\u{2028}x\u{202e}",
    "\u{c}\"",
    "'''",
    "`${x}`",
    "\u{1b}[31m",
    "tab\tx\"  ",
];

const NAMES: [&str; 26] = [
    "list",
    "str",
    "type",
    "print",
    "from",
    "match",
    "None",
    "Any",
    "TypedDict",
    "ToolError",
    "ValueError",
    "_hidden",
    "__",
    "_1",
    "a-b",
    "a_b",
    "delete",
    "await",
    "Promise",
    "Record",
    "Error",
    "undefined",
    "eval",
    "constructor",
    "A-BResponse",
    "ABResponse",
];

#[test]
fn words_in_descriptions_and_values() {
    let contracts = WORDS.iter().enumerate().map(|(i, words)| {
        let object = json!({
            "type": "object",
            "description": words,
            "properties": {
                "from": {"type": "string", "description": words},
                "inside": {"properties": {"key": {"const": words, "description": words}}, "description": words},
                "default": {"type": "string", "default": words},
                (*words): {"enum": [words]},
            },
        });
        let returns = json!({"type": "Custom", "schema": object, "description": words});
        contract(&format!("words_{i}"), words, &object, &returns)
    });
    accepted(&contracts.collect::<Vec<_>>());
}

/// As tools, as parameters and as keys, all in one file.
#[test]
fn names_of_everything() {
    let others = ["self", "args", "kwargs", "1", " ", "ﬁ", "fi", "é", "__x"];
    let properties: serde_json::Map<String, Value> = NAMES
        .iter()
        .chain(&others)
        .map(|key| {
            (
                (*key).to_owned(),
                json!({"type": "array", "items": {"type": "string"}}),
            )
        })
        .collect();
    let schema = json!({"type": "object", "properties": properties, "required": ["None", "1"]});
    let contracts = NAMES.map(|name| {
        let one = json!({"properties": {(name): {"properties": {(name): {"type": "string"}}}}});
        let returns = json!({"type": "Custom", "schema": {"anyOf": [schema, one]}});
        contract(name, "Tries it.", &schema, &returns)
    });
    accepted(&contracts);
}

fn contract(name: &str, description: &str, parameters: &Value, returns: &Value) -> Contract {
    let contract = json!({
        "name": name,
        "description": description,
        "parameters": parameters,
        "returns": returns,
    });
    Contract::from_json(contract.to_string()).unwrap()
}
