//! `dependencies`, which 2020-12 does not have any more and the validator still applies.

use super::{broken, joined, refused, soon};

#[test]
fn they_double_in_place() {
    let definitions = joined(40, |i| {
        let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, i + 1);
        format!(r#""d{i}":{{"dependencies":{{"a":{{"allOf":[{next},{next}]}}}}}}"#)
    });
    let schema = format!(
        r##"{{"$defs":{{{definitions},"d40":{{}}}},"dependencies":{{"a":{{"$ref":"#/$defs/d0"}}}}}}"##
    );
    assert_eq!(soon(|| refused(&schema)), ["json-schema-too-large"]);
}

#[test]
fn they_come_back_in_place() {
    let schema = r##"{"dependencies": {"a": {"$ref": "#"}}}"##;
    assert_eq!(refused(schema), ["json-schema-circle"]);
}

#[test]
fn their_patterns_are_looked_at() {
    let schema = r#"{"dependencies": {"a": {"propertyNames": {"pattern": "(?=a)"}}}}"#;
    assert_eq!(refused(schema), ["json-schema-invalid"]);
}

#[test]
fn they_are_applied() {
    let schema = r##"{"$defs": {"x": {"required": ["b"]}},
        "dependencies": {"a": {"$ref": "#/$defs/x"}, "c": ["d"]}}"##;
    assert_eq!(broken(schema, r#"{"a": 1}"#), ["value-missing-key"]);
    assert_eq!(broken(schema, r#"{"c": 1}"#), ["value-missing-key"]);
    assert_eq!(
        broken(schema, r#"{"a": 1, "b": 1, "c": 1, "d": 1}"#),
        [""; 0]
    );
}

/// 2^60 ways, so that there is a verdict without reasons, in which they have a say.
#[test]
fn they_are_applied_where_ways_double() {
    let schema = |also: &str| {
        format!(
            r##"{{"$ref":"#/$defs/x","$defs":{{"x":{{"type":["array","object"],
            "items":{{"allOf":[{{"$ref":"#/$defs/x"}},{{"$ref":"#/$defs/x"}}]}},
            "dependencies":{{"a":{{"$ref":"#/$defs/y"}}{also}}}}},"y":{{"required":["b"]}}}}}}"##
        )
    };
    let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(60), "]".repeat(60));
    for schema in [schema(""), schema(r#","c":["d"]"#)] {
        assert_eq!(soon(|| broken(&schema, &nested(""))), [""; 0]);
        assert_eq!(
            soon(|| broken(&schema, &nested(r#"{"a":1,"b":1}"#))),
            [""; 0]
        );
        assert_eq!(
            soon(|| broken(&schema, &nested(r#"{"a":1}"#))),
            ["value-work"]
        );
    }
    let inner = nested(r#"{"c":1}"#);
    assert_eq!(
        soon(|| broken(&schema(r#","c":["d"]"#), &inner)),
        ["value-work"]
    );
    assert_eq!(soon(|| broken(&schema(""), &inner)), [""; 0]);
}
