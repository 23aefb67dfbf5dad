//! Names of parameters in Python.

use toolpact_core::contract::Contract;
use toolpact_core::stubs::python;

fn stub(keys: &[&str]) -> String {
    let properties = keys
        .iter()
        .map(|key| format!(r#""{key}": {{"type": "string"}}"#));
    let properties: Vec<String> = properties.collect();
    let contract = Contract::from_json(format!(
        r#"{{"name": "find", "description": "Finds.", "parameters": {{"type": "object", "properties": {{{}}}, "additionalProperties": false}}}}"#,
        properties.join(", ")
    ))
    .unwrap();
    python::preamble([&contract]).text().clone()
}

#[test]
fn names_that_python_allows_are_kept() {
    let text = stub(&["_id", "_class"]);
    assert!(
        text.contains("def find(_id: str | None = None, _class: str | None = None)"),
        "{text}"
    );
    assert!(!text.contains("sent as"), "{text}");
}

#[test]
fn a_new_name_is_told() {
    let text = stub(&["from", "__name"]);
    assert!(text.contains("from_: It is sent as `from`."), "{text}");
    assert!(text.contains("name: It is sent as `__name`."), "{text}");
}
