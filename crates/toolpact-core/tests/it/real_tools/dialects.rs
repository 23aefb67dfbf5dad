//! Declarations of functions for Gemini, and what is taken for one.

use super::{contract, export, read};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;
use toolpact_core::returns::Returns;

#[test]
fn the_response_of_a_lower_case_declaration_is_its_promise() {
    for tool in [
        r#"{"name": "f", "description": "F.", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}, "response": {"type": "object", "properties": {"n": {"type": "integer"}}}}"#,
        r#"{"type": "function", "function": {"name": "f", "description": "F.", "parameters": {"type": "object"}, "response": {"type": "object", "properties": {"n": {"type": "integer"}}}}}"#,
    ] {
        let contract = contract(tool);
        let returns = contract.returns();
        assert!(matches!(returns, Returns::Custom(_)), "{tool}: {returns:?}");
    }
}

#[test]
fn a_response_is_no_reason_to_leave_a_tool_out() {
    let next = |n: usize| {
        format!(
            r##""d{n}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{}"}}}}}}"##,
            n + 1
        )
    };
    let definitions: Vec<String> = (0..60).map(next).collect();
    let contract = format!(
        r##"{{"name": "deep", "description": "D.",
            "parameters": {{"type": "object", "properties": {{"q": {{"type": "string"}}}}}},
            "returns": {{"$ref": "#/$defs/d0", "$defs": {{{}, "d60": {{"type": "string"}}}}}}}}"##,
        definitions.join(", ")
    );
    let contract = Contract::from_json(contract).unwrap();
    let (text, losses) = export(Dialect::Gemini, &contract);
    assert!(!text.contains("response"), "{text}");
    let told = losses
        .iter()
        .find(|loss| loss.starts_with("loss[returns] at /returns: what the tool returns: "));
    assert!(told.is_some(), "{losses:?}");
}

#[test]
fn the_wrapper_in_camel_case_is_of_gemini() {
    let declaration = r#"{"name": "f", "description": "F.", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}"#;
    for document in [
        format!(r#"{{"functionDeclarations": [{declaration}]}}"#),
        format!(r#"[{{"functionDeclarations": [{declaration}]}}]"#),
        format!(r#"{{"tools": [{{"functionDeclarations": [{declaration}]}}]}}"#),
    ] {
        let found = read(&document);
        let [tool] = found.tools() else {
            panic!("{document}")
        };
        assert_eq!(tool.dialect, Dialect::Gemini, "{document}");
        let parameters = tool.contract.parameters().to_json_schema();
        assert!(
            !parameters.text().contains("additionalProperties"),
            "{parameters}"
        );
    }
}

#[test]
fn nullable_has_no_meaning_in_json_schema() {
    let contract = Contract::from_json(
        r#"{"name": "f", "description": "F.", "returns": "VoidResult", "parameters": {"type": "object", "properties": {"a": {"type": "string", "nullable": true}}}}"#,
    )
    .unwrap();
    for dialect in [Dialect::Gemini, Dialect::OpenApi3_0] {
        let (_, losses) = export(dialect, &contract);
        let told = "loss[annotation] at /parameters/properties/a/nullable: `nullable`, which is no keyword of JSON Schema; it was left out (documentation only)";
        assert!(
            losses.iter().any(|loss| loss == told),
            "{dialect}: {losses:?}"
        );
    }
    let (text, _) = export(Dialect::Gemini, &contract);
    assert!(!text.contains("nullable"), "{text}");
    // Where it has one, it keeps it.
    let gemini = super::contract(
        r#"{"functionDeclarations": [{"name": "f", "description": "F.", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": true}}}}]}"#,
    );
    let schema = gemini.parameters().to_json_schema();
    assert!(schema.text().contains(r#"["string","null"]"#), "{schema}");
    let (text, _) = export(Dialect::Gemini, &gemini);
    assert!(text.contains("\"nullable\":true"), "{text}");
}
