//! The JSON reader against serde_json: what we accept it accepts, as the same value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value as Theirs;
use toolpact_core::json::{Document, Kind, Limits, Node, Value};
use toolpact_fuzz::{apply_fixes, check_places, limits};

fuzz_target!(|data: &[u8]| {
    let limits = limits(data);
    let document = Document::json(data, &limits);
    let violations = document.violations();
    check_places(&document, &violations);
    if document.root().is_some() {
        let fixed = apply_fixes(&document, &violations);
        assert!(
            Document::json(fixed.as_bytes(), &limits).root().is_some(),
            "{fixed}"
        );
    }
    let Ok(value) = document.into_value() else {
        assert!(violations.errors() > 0);
        return;
    };
    assert!(violations.is_empty());
    canonical_is_a_fixed_point(&value, &limits);
    // serde_json recurses, and stops at 127 levels.
    if Value::from_json_within(data, &Limits::default().depth(100)).is_ok() {
        let theirs: Theirs = serde_json::from_slice(data).expect("serde_json accepts it too");
        assert!(same(value.root(), &theirs), "{value} is not {theirs}");
        let through_serde: Value =
            serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap();
        assert_eq!(through_serde.to_canonical(), value.to_canonical());
    }
});

fn canonical_is_a_fixed_point(value: &Value, limits: &Limits) {
    let canonical = value.to_canonical();
    let again = Value::from_json_within(&canonical, limits).expect("canonical JSON is JSON");
    assert_eq!(again.to_canonical(), canonical);
    assert!(again == *value);
}

fn same(ours: Node<'_>, theirs: &Theirs) -> bool {
    match (ours.kind(), theirs) {
        (Kind::Null, Theirs::Null) => true,
        (Kind::Bool, Theirs::Bool(theirs)) => ours.as_bool() == Some(*theirs),
        (Kind::String, Theirs::String(theirs)) => ours.as_str().as_deref() == Some(theirs),
        (Kind::Number, Theirs::Number(theirs)) => {
            let exact = theirs.is_i64() || theirs.is_u64();
            let spelled = !exact || ours.text() == theirs.to_string();
            spelled && ours.as_number().map(|n| n.as_f64()) == theirs.as_f64()
        }
        (Kind::Array, Theirs::Array(theirs)) => {
            ours.items().count() == theirs.len()
                && ours.items().zip(theirs).all(|(o, t)| same(o, t))
        }
        (Kind::Object, Theirs::Object(theirs)) => {
            ours.members().count() == theirs.len()
                && ours
                    .members()
                    .all(|(key, o)| theirs.get(&*key).is_some_and(|t| same(o, t)))
        }
        _ => false,
    }
}
