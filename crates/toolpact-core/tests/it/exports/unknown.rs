//! What is no tool in a list of tools is named, and what is no list of tools is none.

use toolpact_core::dialect::{Import, import};
use toolpact_core::json::{Document, Limits};

fn read(text: &str) -> Option<Import> {
    import(&Document::json(text.as_bytes(), &Limits::default())).ok()
}

#[test]
fn tools_of_other_kinds_are_left_out_by_name() {
    let text = r#"[
        {"name": "a", "description": "d", "input_schema": {"type": "object"}},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "code_interpreter"},
        {"googleSearch": {}},
        null
    ]"#;
    let import = read(text).unwrap();
    assert_eq!(import.tools().len(), 1);
    let names: Vec<&str> = import.left_out().iter().map(|bad| &*bad.name).collect();
    assert_eq!(
        names,
        ["web_search", "code_interpreter", "googleSearch", "/4"]
    );
    let violation = import.left_out()[0].violations.iter().next().unwrap();
    assert_eq!(violation.pointer().to_string(), "/1");
}

#[test]
fn a_name_alone_makes_no_tool() {
    assert!(read(r#"[{"name": "bob", "age": 3}]"#).is_none());
}

#[test]
fn what_is_there_twice_has_its_place() {
    let tool = r#"{"name": "a", "description": "d", "input_schema": {"type": "object"}}"#;
    let import = read(&format!("[{tool}, {tool}]")).unwrap();
    let violation = import.left_out()[0].violations.iter().next().unwrap();
    assert_eq!(violation.pointer().to_string(), "/1/name");
}

#[test]
fn the_reference_of_2019_to_the_whole_is_kept() {
    let text = r##"[{"name": "a", "description": "d", "input_schema": {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "type": "object",
        "properties": {"x": {"$recursiveRef": "#"}}
    }}]"##;
    let import = read(text).unwrap();
    let schema = import.tools()[0].contract.parameters().to_json_schema();
    assert!(schema.text().contains(r##""$ref":"#""##), "{schema}");
}
