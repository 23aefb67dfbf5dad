//! The verdicts of `vectors/adm_verdicts.json`, all of them, through the library.

use serde_json::Value;
use toolpact_core::Violation;
use toolpact_core::json::{Document, Limits};
use toolpact_core::model::{FunctionDeclaration, Schema, ToolDocument, ToolName, ToolResult};

const VERDICTS: &str = include_str!("../../../../vectors/adm_verdicts.json");

struct Case {
    group: String,
    id: String,
    schema: String,
    /// The raw text, so that spelling survives.
    json: String,
    valid: bool,
}

#[test]
fn every_verdict() {
    let cases = cases();
    assert_eq!(cases.len(), 81);
    for case in &cases {
        let accepted = match case.group.as_str() {
            "schema_value" => accepts_value(case),
            "schema_wellformed" => Schema::from_json(&case.schema).is_ok(),
            "tool_result" => ToolResult::from_json(&case.json).is_ok(),
            "name" => accepts_name(&case.json),
            other => panic!("unknown group {other}"),
        };
        assert_eq!(accepted, case.valid, "{}: {}", case.group, case.id);
    }
}

/// The verdict that says so is a warning.
#[test]
fn a_keyword_without_effect_warns() {
    let cases = cases();
    let case = cases.iter().find(|case| case.id == "items_on_string");
    let text = &case.unwrap().schema;
    let checked = Schema::check(&Document::json(text.as_bytes(), &Limits::default()));
    assert!(checked.value.is_some());
    let codes: Vec<_> = checked.violations.iter().map(Violation::code).collect();
    assert_eq!(codes, ["schema-keyword-no-effect"]);
}

fn cases() -> Vec<Case> {
    let verdicts: Value = serde_json::from_str(VERDICTS).unwrap();
    let text = |case: &Value, key: &str| case[key].as_str().unwrap_or_default().to_owned();
    let cases = verdicts["cases"].as_array().unwrap();
    cases
        .iter()
        .map(|case| Case {
            group: text(case, "group"),
            id: text(case, "id"),
            schema: case["schema"].to_string(),
            json: text(case, "json"),
            valid: case["valid"].as_bool().unwrap(),
        })
        .collect()
}

/// As the argument `v` of a function that takes exactly it.
fn accepts_value(case: &Case) -> bool {
    let tool = format!(
        r#"{{"function_declarations": [{{"name": "f", "description": "Takes v.", "parameters":
            {{"type": "OBJECT", "properties": {{"v": {}}}, "required": ["v"]}}}}]}}"#,
        case.schema
    );
    let tool = ToolDocument::from_json(tool).unwrap();
    let call = format!(r#"{{"name": "f", "args": {{"v": {}}}}}"#, case.json);
    let checked = tool.check_call_document(&Document::json(call.as_bytes(), &Limits::default()));
    assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
    checked.value.is_some()
}

/// In a declaration and on its own.
fn accepts_name(json: &str) -> bool {
    let declaration = format!(
        r#"{{"name": {json}, "description": "Does it.", "parameters": {{"type": "OBJECT"}}}}"#
    );
    let accepted = FunctionDeclaration::from_json(declaration).is_ok();
    let name: String = serde_json::from_str(json).unwrap();
    assert_eq!(ToolName::new(&name).is_ok(), accepted, "{name:?}");
    accepted
}
