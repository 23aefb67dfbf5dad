//! Regular expressions.

use super::{broken, refused, soon};

fn both_ways(pattern: &str) -> [String; 2] {
    let pattern = serde_json::Value::from(pattern);
    [
        format!(r#"{{"pattern": {pattern}}}"#),
        format!(r#"{{"patternProperties": {{{pattern}: true}}}}"#),
    ]
}

#[test]
fn look_around_and_back_references() {
    for pattern in [
        "(?=a)b",
        "(?!a)b",
        "(?<=a)b",
        "(?<!a)b",
        r"(a)\1",
        r"(?<x>a)\k<x>",
        "(",
        "[",
        "a{2,1}",
        "*",
    ] {
        for schema in both_ways(pattern) {
            assert_eq!(refused(&schema), ["json-schema-invalid"], "{schema}");
        }
    }
}

#[test]
fn patterns_that_compile_to_much() {
    for pattern in [
        "(a{1000}){1000}",
        r"\p{L}{500}",
        "((((a{100}){100}){100}){100}){100}",
        r"((\p{L}|\p{N}){100}){100}",
        r"(?:\W{1000}){100}",
        r"[^\x00-\x7f]{100000}",
        ".{4000000000}",
    ] {
        for schema in both_ways(pattern) {
            assert_eq!(
                soon(|| refused(&schema)),
                ["json-schema-too-large"],
                "{schema}"
            );
        }
    }
}

#[test]
fn patterns_that_people_write() {
    for pattern in [
        r"^\p{L}{1,100}$",
        r"^[\p{L}\p{N} '-]{1,64}$",
        r"^.{1,5000}$",
        r"^[A-Za-z0-9+/]*={0,2}$",
        r"^[\w.%+-]{1,64}@[\w.-]{1,255}$",
        r"^(?:\d{4}-\d{2}-\d{2}|today|tomorrow)$",
    ] {
        for schema in both_ways(pattern) {
            assert_eq!(soon(|| refused(&schema)), [""; 0], "{schema}");
        }
    }
}

/// Each is allowed alone; all together would be gigabytes.
#[test]
fn hundreds_of_large_patterns() {
    let list = |one: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..500)
            .map(|i| format!(r#"{{"pattern":"{}"}}"#, one(i)))
            .collect();
        format!(r#"{{"anyOf":[{}]}}"#, all.join(","))
    };
    let large = list(&|i| format!(r"\\p{{L}}{{50}}{i}"));
    let codes = soon(|| refused(&large));
    assert!(codes.iter().all(|code| *code == "json-schema-too-large"));
    assert!(codes.len() > 400, "{}", codes.len());
    let small = list(&|i| format!("^[a-z]{{1,20}}{i}$"));
    assert_eq!(soon(|| broken(&small, r#""ab499""#)), [""; 0]);
}

/// In 40,000 states at once for each character, of which there are many.
#[test]
fn a_slow_pattern_and_a_long_text() {
    let text = |times: usize| format!("\"{}\"", "ab".repeat(times));
    let schema = r#"{"pattern": "(a|b){1,20000}c"}"#;
    assert_eq!(soon(|| broken(schema, &text(500_000))), ["value-work"]);
    assert_eq!(soon(|| broken(schema, &text(20))), ["value-format"]);
    let names = r#"{"patternProperties": {"(a|b){1,20000}c": false}}"#;
    let object = format!("{{{}: 1}}", text(500_000));
    assert_eq!(soon(|| broken(names, &object)), ["value-work"]);
    assert_eq!(
        soon(|| broken(r#"{"pattern": "^(ab){1,200}"}"#, &text(2_000_000))),
        [""; 0]
    );
}
