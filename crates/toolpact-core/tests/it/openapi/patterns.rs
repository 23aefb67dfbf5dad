//! Patterns that cannot be checked in linear time are left out, and never a tool because of them.

use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Effect, Loss};
use toolpact_core::json::{Document, Limits, Value};

use super::import_one;

const PATTERNS: [(&str, &str); 4] = [
    (r"^(?!aws:).+", "look-around"),
    (r"(a)\\1", "back-references"),
    (r"[\\w-.+]", "no regular expression of ECMA-262"),
    (r"\\p{Graph}", "no regular expression of ECMA-262"),
];

fn of_openapi(schema: &str) -> (Contract, Vec<toolpact_core::dialect::Loss>) {
    import_one(&format!(
        r#"{{"openapi":"3.0.0","paths":{{"/a":{{"get":{{"operationId":"a","parameters":[
        {{"name":"x","in":"query","schema":{schema}}}]}}}}}}}}"#
    ))
}

#[test]
fn the_same_is_lost_from_every_dialect() {
    for (pattern, why) in PATTERNS {
        let schema = format!(r#"{{"type":"string","pattern":"{pattern}"}}"#);
        let (contract, losses) = of_openapi(&schema);
        let mcp = format!(
            r#"{{"tools":[{{"name":"a","inputSchema":{{"type":"object","properties":{{"x":{schema}}}}}}}]}}"#
        );
        let document = Document::json(mcp.as_bytes(), &Limits::default());
        let import = toolpact_core::dialect::import(&document).unwrap();
        let other = &import.tools()[0];
        for (contract, losses) in [(&contract, &losses), (&other.contract, &other.losses)] {
            let schema = contract.parameters().to_json_schema();
            assert!(!schema.text().contains("pattern"), "{schema}");
            let wider = |loss: &&toolpact_core::dialect::Loss| loss.effect() == Effect::Wider;
            let told: Vec<&str> = losses.iter().filter(wider).map(Loss::lost).collect();
            assert!(
                told.len() == 1 && told[0].contains(why),
                "{pattern}: {told:?}"
            );
        }
    }
}

/// What is left out allows more, and never less.
#[test]
fn conditions_go_as_a_whole() {
    for (schema, allowed) in [
        (r#"{"not":{"pattern":"^(?!a)"}}"#, r#"{"x":"b"}"#),
        (
            r#"{"oneOf":[{"pattern":"^(?!a)"},{"pattern":"^a"}]}"#,
            r#"{"x":"ab"}"#,
        ),
        (
            r#"{"type":"object","additionalProperties":false,"patternProperties":{"^(?!a)":{}}}"#,
            r#"{"x":{"b":1}}"#,
        ),
    ] {
        let text = format!(
            r#"{{"openapi":"3.1.0","paths":{{"/a":{{"post":{{"operationId":"a","requestBody":{{"content":{{"application/json":
            {{"schema":{{"type":"object","properties":{{"x":{schema}}}}}}}}}}}}}}}}}}}"#
        );
        let (contract, _) = import_one(&text);
        let schema = contract.parameters().to_json_schema();
        let checker = toolpact_core::schema::JsonSchema::from_value(&schema).unwrap();
        let value = Value::from_json(allowed).unwrap();
        assert!(checker.checker().check(&value).is_ok(), "{schema}");
    }
}

/// What no engine takes is a mistake, and refuses the tool wherever it is from.
#[test]
fn a_broken_pattern_is_an_error() {
    let text = r#"{"openapi":"3.0.0","paths":{"/a":{"get":{"operationId":"a","parameters":[
        {"name":"x","in":"query","schema":{"type":"string","pattern":"("}}]}}}}"#;
    let import = super::import_text(text).unwrap();
    let wrong = import.left_out()[0].violations.to_string();
    assert!(
        wrong.contains("expected a regular expression of ECMA-262"),
        "{wrong}"
    );
}

#[test]
fn look_around_is_blamed_only_where_it_is() {
    for (pattern, why) in PATTERNS {
        let text = format!(r#"{{"pattern":"{pattern}"}}"#);
        let schema = Value::from_json(text).unwrap();
        let wrong = toolpact_core::schema::JsonSchema::from_value(&schema).unwrap_err();
        let blames = wrong.to_string().contains("look-around");
        assert_eq!(
            blames,
            why.contains("look-") || why.contains("back-"),
            "{wrong}"
        );
    }
}
