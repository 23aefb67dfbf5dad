//! ADL 1.0 says only what ADL 1.0 has.

use super::export;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;

fn paint(parameters: &str) -> Contract {
    Contract::from_json(format!(
        r#"{{"name": "paint", "description": "Paints.", "returns": "VoidResult", "parameters": {{
            "type": "object", "additionalProperties": false, "required": ["colour"],
            "properties": {parameters}
        }}}}"#
    ))
    .unwrap()
}

#[test]
fn a_parameter_of_adl_1_0_has_five_fields() {
    let contract = paint(
        r#"{
            "colour": {"type": "string", "enum": ["red", "blue"], "description": "Which."},
            "width": {"type": "integer", "minimum": 1, "default": 2, "description": "How wide."},
            "name": {"type": ["string", "null"], "description": "What it is called."}
        }"#,
    );
    let (text, losses) = export(Dialect::Adl1_0, &contract);
    let (_, parameters) = text.split_once("\"parameters\":").unwrap();
    let (parameters, _) = parameters.split_once(",\"returns\"").unwrap();
    assert_eq!(
        parameters,
        r#"[{"name":"colour","type":"string","description":"Which.\n\nOne of \"red\",\"blue\".","required":true},{"name":"width","type":"integer","description":"How wide.\n\nAt least 1.","default":2,"required":false},{"name":"name","type":"any","description":"What it is called.","required":false}]"#
    );
    let calls: Vec<&str> = losses
        .iter()
        .filter(|loss| loss.contains("/parameters/"))
        .map(|loss| loss.split_once(':').unwrap().0)
        .collect();
    assert_eq!(
        calls,
        [
            "loss[enum] at /parameters/properties/colour/enum",
            "loss[constraint] at /parameters/properties/width/minimum",
            "loss[union] at /parameters/properties/name/type",
        ]
    );
}

#[test]
fn a_default_that_adl_refuses_is_left_out() {
    let contract =
        paint(r#"{"colour": {"type": "string", "default": 5, "description": "Which."}}"#);
    for dialect in [Dialect::Adl, Dialect::Adl1_0] {
        let (text, losses) = export(dialect, &contract);
        assert!(!text.contains("default"), "{text}");
        let told = "loss[annotation] at /parameters/properties/colour/default: a default that the \
                    parameter refuses; it was left out (documentation only)";
        assert!(losses.iter().any(|loss| loss == told), "{losses:?}");
    }
}
