//! A few lines that double with every step, in the schema or with the value.

use super::{broken, read, refused, soon};

#[test]
fn references_that_double_in_place() {
    let definitions: Vec<String> = (0..40)
        .map(|i| {
            let next = i + 1;
            format!(r##""a{i}":{{"allOf":[{{"$ref":"#/$defs/a{next}"}},{{"$ref":"#/$defs/a{next}"}}]}}"##)
        })
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/a0","$defs":{{{},"a40":{{}}}}}}"##,
        definitions.join(",")
    );
    assert!(schema.len() < 3_000);
    assert_eq!(soon(|| refused(&schema)), ["json-schema-too-large"]);
}

/// To find out what a branch looked at, it is applied again; so is every branch inside of it.
#[test]
fn unevaluated_in_unevaluated() {
    let nested = |levels: usize| {
        let open = r#"{"unevaluatedProperties":false,"anyOf":["#.repeat(levels);
        format!("{open}true{}", "]}".repeat(levels))
    };
    assert!(read(&nested(5)).is_ok());
    assert_eq!(soon(|| refused(&nested(40))), ["json-schema-too-large"]);
}

#[test]
fn references_that_come_back_in_place() {
    let complete: Vec<String> = (0..12)
        .map(|i| {
            let others = (0..12).map(|j| format!(r##"{{"$ref":"#/$defs/a{j}"}}"##));
            let others: Vec<String> = others.collect();
            format!(r#""a{i}":{{"allOf":[{}]}}"#, others.join(","))
        })
        .collect();
    let complete = format!(
        r##"{{"$ref":"#/$defs/a0","$defs":{{{}}}}}"##,
        complete.join(",")
    );
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"anyOf": [{"$ref": "#"}, {"type": "string"}]}"##,
        r##"{"oneOf": [{"not": {"$ref": "#"}}]}"##,
        r##"{"if": {"$ref": "#"}}"##,
        r##"{"then": {"$ref": "#"}}"##,
        r##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##,
        r##"{"$dynamicAnchor": "a", "$dynamicRef": "#a"}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        &complete,
    ] {
        assert_eq!(soon(|| refused(schema)), ["json-schema-circle"], "{schema}");
    }
    for schema in [
        r##"{"items": {"$ref": "#"}}"##,
        r##"{"propertyNames": {"$ref": "#"}}"##,
        r##"{"$defs": {"a": {"$ref": "#"}}}"##,
        r##"{"unevaluatedItems": {"$ref": "#"}}"##,
    ] {
        assert_eq!(refused(schema), [""; 0], "{schema}");
    }
}

/// Two ways to each part, by one keyword after the other: 2^60 ways to the innermost.
#[test]
fn ways_that_double_with_each_level() {
    let both = r##"{"allOf":[{"$ref":"#"},{"$ref":"#"}]}"##;
    let arrays = (format!("{}1{}", "[".repeat(60), "]".repeat(60)), "array");
    let objects = (
        format!("{}1{}", r#"{"a":"#.repeat(60), "}".repeat(60)),
        "object",
    );
    for (schema, (value, kind)) in [
        (r#""items":BOTH"#, &arrays),
        (r#""prefixItems":[BOTH]"#, &arrays),
        (r#""contains":BOTH"#, &arrays),
        (
            r##""items":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
            &arrays,
        ),
        (
            r##""items":{"oneOf":[{"$ref":"#"},false],"allOf":[{"$ref":"#"}]}"##,
            &arrays,
        ),
        (
            r##""items":{"if":{"$ref":"#"},"else":{"$ref":"#"}}"##,
            &arrays,
        ),
        (
            r##""items":{"if":{"not":{"$ref":"#"}},"then":{"not":{"not":{"$ref":"#"}}}}"##,
            &arrays,
        ),
        (r##""items":{"$ref":"#"},"contains":{"$ref":"#"}"##, &arrays),
        (r#""properties":{"a":BOTH}"#, &objects),
        (r#""patternProperties":{"^a":BOTH}"#, &objects),
        (
            r##""patternProperties":{"^a":{"$ref":"#"},"a$":{"$ref":"#"}}"##,
            &objects,
        ),
        (r#""additionalProperties":BOTH"#, &objects),
        (
            r##""additionalProperties":{"dependentSchemas":{"a":{"$ref":"#"}},"allOf":[{"$ref":"#"}]}"##,
            &objects,
        ),
    ] {
        let schema = schema.replace("BOTH", both);
        let strict = format!(r#"{{"type":"{kind}",{schema}}}"#);
        // The innermost value is a number: wrong, but to go every way to it would take years.
        assert_eq!(soon(|| broken(&strict, value)), ["value-work"], "{strict}");
        let lax = format!(r#"{{"type":["number","{kind}"],{schema}}}"#);
        assert_eq!(soon(|| broken(&lax, value)), [""; 0], "{lax}");
    }
}

#[test]
fn ways_that_take_more_than_a_verdict() {
    let arrays = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    for schema in [
        r##"{"unevaluatedItems": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}"##,
        r##"{"$dynamicAnchor": "a", "items": {"allOf": [{"$dynamicRef": "#a"}, {"$dynamicRef": "#a"}]}}"##,
    ] {
        assert_eq!(soon(|| broken(schema, &arrays)), ["value-work"], "{schema}");
        assert_eq!(broken(schema, "[[[1]]]"), [""; 0], "{schema}");
    }
}

/// No reference comes back, so the schema has an end; it is only far away.
#[test]
fn a_chain_that_doubles_without_coming_back() {
    let definitions: Vec<String> = (0..60)
        .map(|i| {
            let next = i + 1;
            format!(r##""a{i}":{{"properties":{{"a":{{"allOf":[{{"$ref":"#/$defs/a{next}"}},{{"$ref":"#/$defs/a{next}"}}]}}}}}}"##)
        })
        .collect();
    let schema = format!(
        r##"{{"$ref":"#/$defs/a0","$defs":{{{},"a60":{{"type":"integer"}}}}}}"##,
        definitions.join(",")
    );
    let value = |inner: &str| format!("{}{inner}{}", r#"{"a":"#.repeat(60), "}".repeat(60));
    assert_eq!(soon(|| broken(&schema, &value("1"))), [""; 0]);
    assert_eq!(soon(|| broken(&schema, &value("\"1\""))), ["value-work"]);
}

#[test]
fn it_says_what_to_do() {
    let schema = r##"{"type": "array", "items": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}"##;
    let checker = read(schema).unwrap().checker();
    let value = super::value(&format!("{}1{}", "[".repeat(60), "]".repeat(60)));
    insta::assert_snapshot!(checker.check(&value).unwrap_err(), @"error[value-work]: expected a value that satisfies its schema, found one that does not; to say why takes more than 204986 steps, or too many at once; nest it less deep, or let the schema lead to each part of a value on fewer ways");
}
