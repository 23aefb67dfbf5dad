use super::parameters;
use crate::json::{Limits, Value};
use crate::repair::{RepairKind, repair};

#[test]
fn every_kind_has_a_code() {
    let codes: std::collections::HashSet<_> = RepairKind::ALL.map(RepairKind::code).into();
    assert_eq!(codes.len(), RepairKind::ALL.len());
}

/// Combinations that multiply, JSON in JSON in JSON, and depth: given up quickly.
#[test]
fn what_takes_too_much_stays() {
    let alternative = r##"{"properties": {"l": {"$ref": "#/$defs/t"}, "r": {"$ref": "#/$defs/t"}, "n": {"type": "integer"}}}"##;
    let tree = format!(
        r##"{{"type": "object", "$defs": {{"t": {{"type": "object", "anyOf": [{alternative},{alternative},{alternative}]}}}}, "properties": {{"t": {{"$ref": "#/$defs/t"}}}}}}"##
    );
    let mut value = r#"{"n":"x"}"#.to_owned();
    for _ in 0..60 {
        value = format!(r#"{{"n":"5","l":{value}}}"#);
    }
    let args = Value::from_json(format!(r#"{{"t":{value}}}"#)).unwrap();
    assert_eq!(repair(&parameters(&tree), &args).value, args);

    let nested = r##"{"type": "object", "properties": {"v": {"type": "array", "items": {"$ref": "#/properties/v"}}}}"##;
    let mut text = "[]".to_owned();
    for _ in 0..12 {
        text = format!("[{}]", serde_json::to_string(&text).unwrap());
    }
    let args = format!(r#"{{"v":{text}}}"#);
    let repaired = repair(&parameters(nested), &Value::from_json(args).unwrap());
    assert_eq!(
        repaired.value.text(),
        format!(r#"{{"v":{}{}}}"#, "[".repeat(13), "]".repeat(13))
    );
    assert_eq!(repaired.repairs.len(), 12);

    let deep = format!(r#"{{"v":{}"5"{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
    let limits = Limits::default().depth(6_000);
    let args = Value::from_json_within(deep, &limits).unwrap();
    assert_eq!(repair(&parameters(nested), &args).value.text(), args.text());
}
