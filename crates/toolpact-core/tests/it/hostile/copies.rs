//! What is said once and copied many times: by the compiler to each alternative, by the validator to
//! each reason.

use super::{agrees, broken, joined, left_out, read, soon};

#[test]
fn many_allowed_values_for_many_alternatives() {
    let values = joined(8_000, |i| format!("\"{i:05}\""));
    let sizes = joined(1_000, |i| format!(r#"{{"minLength":{i}}}"#));
    let schema = format!(r#"{{"enum":[{values}],"anyOf":[{sizes}]}}"#);
    assert!(soon(|| left_out(&schema)).is_some());
    assert_eq!(soon(|| broken(&schema, "\"00001\"")), [""; 0]);
}

#[test]
fn many_properties_for_many_alternatives() {
    let properties = joined(4_000, |i| format!(r#""k{i}":true"#));
    let sizes = joined(2_000, |i| format!(r#"{{"minProperties":{i}}}"#));
    let schema = format!(r#"{{"properties":{{{properties}}},"anyOf":[{sizes}]}}"#);
    assert!(soon(|| left_out(&schema)).is_some());
    assert_eq!(soon(|| broken(&schema, "{}")), [""; 0]);
}

#[test]
fn many_schemas_for_many_places() {
    let items = joined(3_000, |i| format!(r#"{{"items":{{"minimum":{i}}}}}"#));
    let prefix = joined(9_000, |_| "{}".to_owned());
    let schema = format!(r#"{{"allOf":[{items},{{"prefixItems":[{prefix}]}}]}}"#);
    assert!(soon(|| left_out(&schema)).is_some());
}

/// A reason has a copy of the value that it is about: gigabytes of them, or one verdict.
#[test]
fn a_copy_of_the_value_for_each_alternative() {
    let sizes = joined(4_000, |i| format!(r#"{{"minItems":{}}}"#, 100_000_000 + i));
    let numbers = format!("[{}]", joined(40_000, |_| "1".to_owned()));
    let schema = format!(r#"{{"anyOf":[{sizes}]}}"#);
    assert_eq!(soon(|| broken(&schema, &numbers)), ["value-work"]);
    let few = joined(90, |i| format!(r#"{{"minItems":{}}}"#, 100_000_000 + i));
    let schema = format!(r#"{{"anyOf":[{few}]}}"#);
    let numbers = format!("[{}]", joined(500_000, |_| "1".to_owned()));
    assert_eq!(soon(|| broken(&schema, &numbers)), ["value-work"]);
    assert_eq!(soon(|| broken(&schema, "[1]")), ["value-alternatives"]);
}

#[test]
fn a_copy_of_the_keys_for_each_alternative() {
    let closed = joined(1_000, |i| {
        format!(r#"{{"additionalProperties":false,"minProperties":{i}}}"#)
    });
    let key = format!("{{\"{}\":1}}", "x".repeat(1_000_000));
    for group in ["anyOf", "allOf"] {
        let schema = format!(r#"{{"{group}":[{closed}]}}"#);
        assert_eq!(soon(|| broken(&schema, &key)), ["value-work"], "{group}");
    }
}

/// A reason has a copy of what is excluded too.
#[test]
fn a_copy_of_the_schema_for_each_element() {
    let schema = format!(
        r#"{{"items":{{"not":{{"description":"{}"}}}}}}"#,
        "x".repeat(1_000_000)
    );
    let numbers = format!("[{}]", joined(10_000, |_| "1".to_owned()));
    assert_eq!(soon(|| broken(&schema, &numbers)), ["value-work"]);
    assert_eq!(soon(|| broken(&schema, "[1]")), ["value-schema"]);
}

/// Large values under ordinary schemas are explained as ever.
#[test]
fn an_ordinary_schema_and_a_large_value() {
    let schema = r#"{"items":{"anyOf":[{"type":"null"},
        {"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}}}]}}"#;
    let checker = read(schema).unwrap().checker();
    let member = |n: &str| format!(r#"{{"kind":"a","n":{n}}}"#);
    let many = joined(100_000, |i| member(if i == 70_000 { "true" } else { "1" }));
    let many = format!("[{many}]");
    let violations = checker.check(&super::value(&many)).unwrap_err();
    assert_eq!(super::codes(&violations), ["value-type"]);
    agrees(&checker, &many, false);
}
