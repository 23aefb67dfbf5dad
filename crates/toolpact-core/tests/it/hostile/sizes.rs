//! Much of one thing.

use super::{agrees, broken, codes, joined, read, refused, soon, value};

#[test]
fn ten_thousand_levels() {
    for (open, close) in [
        (r#"{"not":"#, "}"),
        (r#"{"items":"#, "}"),
        (r#"{"allOf":["#, "]}"),
        (r#"{"properties":{"a":"#, "}}"),
        (r#"{"unknown":"#, "}"),
        (r#"{"const":["#, "]}"),
    ] {
        let schema = format!("{}true{}", open.repeat(10_000), close.repeat(10_000));
        assert_eq!(
            soon(|| refused(&schema)),
            ["json-schema-too-large"],
            "{open}"
        );
    }
}

#[test]
fn deep_not() {
    let schema = format!(
        "{}{{\"type\":\"string\"}}{}",
        r#"{"not":"#.repeat(90),
        "}".repeat(90)
    );
    assert_eq!(soon(|| broken(&schema, "\"a\"")), [""; 0]);
    assert_eq!(soon(|| broken(&schema, "1")), ["value-schema"]);
}

#[test]
fn an_enormous_enum() {
    let strings = joined(200_000, |i| format!("\"value {i}\""));
    let schema = format!(r#"{{"items":{{"enum":[{strings}]}}}}"#);
    assert_eq!(
        soon(|| broken(&schema, r#"["value 199999","value 0"]"#)),
        [""; 0]
    );
    assert_eq!(
        soon(|| broken(&schema, r#"["value 200000"]"#)),
        ["value-enum"]
    );
}

/// Numbers are compared one by one: 10^10 comparisons.
#[test]
fn an_enormous_enum_for_many() {
    let numbers = joined(100_000, |i| i.to_string());
    let schema = format!(r#"{{"items":{{"enum":[{numbers}]}}}}"#);
    let values = format!("[{}]", joined(100_000, |i| (i + 200_000).to_string()));
    assert_eq!(soon(|| broken(&schema, &values)), ["value-work"]);
    assert_eq!(soon(|| broken(&schema, "[1,99999]")), [""; 0]);
}

#[test]
fn required_by_many() {
    let names = joined(50_000, |i| format!("\"name {i}\""));
    let schema = format!(r#"{{"items":{{"required":[{names}]}}}}"#);
    let values = format!("[{}]", joined(50_000, |_| "{}".to_owned()));
    assert_eq!(soon(|| broken(&schema, &values)), ["value-work"]);
}

#[test]
fn a_hundred_thousand_properties() {
    let properties = joined(100_000, |i| format!(r#""p{i}":{{"type":"integer"}}"#));
    let schema = format!(r#"{{"properties":{{{properties}}},"additionalProperties":false}}"#);
    let many = format!("{{{}}}", joined(100_000, |i| format!(r#""p{i}":{i}"#)));
    soon(|| {
        let checker = read(&schema).unwrap().checker();
        assert!(checker.check(&value(&many)).is_ok());
        agrees(&checker, &many, true);
        let violations = checker.check(&value(r#"{"q":1}"#)).unwrap_err();
        assert_eq!(codes(&violations), ["value-unknown-key"]);
    });
}

/// To look each of them up from the start would be 10^9 steps.
#[test]
fn many_references_to_many_definitions() {
    let definitions = joined(40_000, |i| format!(r#""d{i}":{{"minimum":{i}}}"#));
    let references = joined(40_000, |i| format!(r##""p{i}":{{"$ref":"#/$defs/d{i}"}}"##));
    let schema = format!(r#"{{"$defs":{{{definitions}}},"properties":{{{references}}}}}"#);
    soon(|| read(&schema).unwrap());
    let lists = joined(40_000, |i| format!(r##"{{"$ref":"#/$defs/a/anyOf/{i}"}}"##));
    let targets = joined(40_000, |_| "{}".to_owned());
    let schema = format!(r#"{{"$defs":{{"a":{{"anyOf":[{targets}]}}}},"prefixItems":[{lists}]}}"#);
    soon(|| read(&schema).unwrap());
    let anchors = joined(40_000, |i| {
        format!(r#""d{i}":{{"$id":"d{i}","$anchor":"a{i}"}}"#)
    });
    let schema = format!(r#"{{"$defs":{{{anchors}}}}}"#);
    soon(|| read(&schema).unwrap());
}

/// The validator recurses at each step, and the stack has an end.
#[test]
fn a_chain_of_references() {
    let chain = joined(4_000, |i| {
        format!(r##""d{i}":{{"$ref":"#/$defs/d{}"}}"##, i + 1)
    });
    let schema =
        format!(r##"{{"$defs":{{{chain},"d4000":{{"type":"string"}}}},"$ref":"#/$defs/d0"}}"##);
    assert_eq!(soon(|| broken(&schema, "\"a\"")), [""; 0]);
    assert_eq!(soon(|| broken(&schema, "1")), ["value-work"]);
}

#[test]
fn a_deep_schema_for_a_deep_value() {
    let (open, close) = (r#"{"allOf":["#.repeat(45), "]}".repeat(45));
    let schema = format!(r##"{{"type":"array","items":{open}{{"$ref":"#"}}{close}}}"##);
    let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(120), "]".repeat(120));
    assert_eq!(soon(|| broken(&schema, &nested(""))), [""; 0]);
    assert_eq!(soon(|| broken(&schema, &nested("1"))), ["value-work"]);
}

/// Each alternative has its reason for each element: millions of reasons, or one verdict.
#[test]
fn many_alternatives_for_many() {
    let constants = |count| {
        joined(count, |i| {
            format!(r#"{{"const":{i},"title":"Number {i}"}}"#)
        })
    };
    for schema in [
        format!(r#"{{"items":{{"anyOf":[{}]}}}}"#, constants(5_000)),
        format!(
            r##"{{"items":{{"anyOf":[{},{{"type":"array","allOf":[{{"$ref":"#"}}]}}]}}}}"##,
            constants(500)
        ),
    ] {
        let checker = read(&schema).unwrap().checker();
        let valid = format!("[{}]", joined(5_000, |i| (i % 500).to_string()));
        soon(|| assert!(checker.check(&value(&valid)).is_ok()));
        soon(|| agrees(&checker, &valid, true));
        let invalid = format!("[{}]", joined(5_000, |i| (i + 5_000).to_string()));
        let violations = soon(|| checker.check(&value(&invalid)).unwrap_err());
        assert_eq!(codes(&violations), ["value-work"]);
        soon(|| agrees(&checker, &invalid, false));
        let violations = soon(|| checker.check(&value("[1, 5000]")).unwrap_err());
        assert_eq!(codes(&violations), ["value-alternatives"]);
    }
}

/// Each is looked for among all the others: 10^9 steps.
#[test]
fn many_unknown_keys() {
    let schema = r#"{"properties":{"a":true,"b":{"type":"null"}},"additionalProperties":false}"#;
    let checker = read(schema).unwrap().checker();
    let many = format!("{{{}}}", joined(60_000, |i| format!("\"key{i}\":1")));
    let violations = soon(|| checker.check(&value(&many)).unwrap_err());
    assert_eq!(violations.len(), 1_000);
    let unknown = codes(&violations);
    assert!(unknown.iter().all(|code| *code == "value-unknown-key"));
    let first = violations.iter().next().unwrap();
    assert_eq!(first.pointer().to_string(), "/key0");
}

/// To compare each with each would be 10^9 steps.
#[test]
fn two_lists_that_have_little_in_common() {
    for quote in ["\"", ""] {
        let list = |from: usize| joined(60_000, |i| format!("{quote}{}{quote}", i + from));
        let (one, other) = (list(100_000), list(159_999));
        let schema = format!(r#"{{"allOf":[{{"enum":[{one}]}},{{"enum":[{other}]}}]}}"#);
        for (number, valid) in [(159_999, true), (159_998, false), (160_000, false)] {
            let instance = format!("{quote}{number}{quote}");
            assert_eq!(soon(|| broken(&schema, &instance)).is_empty(), valid);
        }
    }
}

/// Nothing is asked of the members, but every schema would look at each.
#[test]
fn many_schemas_for_many_members() {
    let members = |count| format!("{{{}}}", joined(count, |i| format!("\"{i}\":1")));
    let many = members(150_000);
    let sizes = joined(9_900, |i| format!(r#"{{"minProperties":{}}}"#, i % 10));
    let schema = |also: &str| format!(r#"{{"allOf":[{sizes}]{also}}}"#);
    assert_eq!(soon(|| broken(&schema(""), &many)), [""; 0]);
    let small = schema(r#","maxProperties":9"#);
    assert_eq!(soon(|| broken(&small, &many)), ["value-size"]);
    let others = joined(2_000, |i| format!(r#"{{"properties":{{"a{i}":false}}}}"#));
    let schema = format!(r#"{{"allOf":[{others}]}}"#);
    assert_eq!(soon(|| broken(&schema, &members(30_000))), [""; 0]);
}
