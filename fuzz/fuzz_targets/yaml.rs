//! The YAML reader: no input makes it panic, and what it accepts is the JSON it says it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::json::{Document, Value};
use toolpact_fuzz::{check_places, limits};

fuzz_target!(|data: &[u8]| {
    let limits = limits(data);
    let document = Document::yaml(data, &limits);
    let violations = document.violations();
    check_places(&document, &violations);
    let Ok(value) = document.into_value() else {
        assert!(violations.errors() > 0);
        return;
    };
    assert!(violations.is_empty());
    let as_json = Value::from_json_within(value.text(), &limits).expect("its text is JSON");
    assert_eq!(as_json.to_canonical(), value.to_canonical());
});
