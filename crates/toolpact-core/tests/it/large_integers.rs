//! Integers beyond 64 bits, which `serde_json` reads as floats. Arithmetic of 128 bits is the judge.

use proptest::prelude::*;
use toolpact_core::json::Value;
use toolpact_core::schema::JsonSchema;

#[derive(Debug, Clone, Copy)]
enum Rule {
    Multiple,
    Minimum,
    Maximum,
    More,
    Less,
    Const,
    Enum,
}

impl Rule {
    fn schema(self, limit: i128) -> String {
        match self {
            Self::Multiple => format!(r#"{{"multipleOf": {}}}"#, limit.unsigned_abs().max(1)),
            Self::Minimum => format!(r#"{{"minimum": {limit}}}"#),
            Self::Maximum => format!(r#"{{"maximum": {limit}}}"#),
            Self::More => format!(r#"{{"exclusiveMinimum": {limit}}}"#),
            Self::Less => format!(r#"{{"exclusiveMaximum": {limit}}}"#),
            Self::Const => format!(r#"{{"const": {limit}}}"#),
            Self::Enum => format!(r#"{{"enum": ["x", {limit}, 1]}}"#),
        }
    }

    fn holds(self, number: i128, limit: i128) -> bool {
        match self {
            Self::Multiple => {
                let limit = limit.unsigned_abs().max(1);
                number.unsigned_abs().is_multiple_of(limit)
            }
            Self::Minimum => number >= limit,
            Self::Maximum => number <= limit,
            Self::More => number > limit,
            Self::Less => number < limit,
            Self::Const => number == limit,
            Self::Enum => number == limit || number == 1,
        }
    }
}

fn rules() -> impl Strategy<Value = Rule> {
    use Rule::{Const, Enum, Less, Maximum, Minimum, More, Multiple};
    prop::sample::select(vec![Multiple, Minimum, Maximum, More, Less, Const, Enum])
}

/// Around the ends of 64 bits, and far beyond.
fn integers() -> impl Strategy<Value = i128> {
    let ends = vec![
        0,
        1 << 53,
        1 << 63,
        1 << 64,
        1 << 100,
        10_i128.pow(20),
        10_i128.pow(36),
    ];
    let near = (prop::sample::select(ends), -3..=3_i128, any::<bool>());
    prop_oneof![
        near.prop_map(|(end, by, negative)| if negative { -end - by } else { end + by }),
        -(10_i128.pow(37))..10_i128.pow(37),
        1..1000_i128,
    ]
}

fn verdicts(schema: &str, value: &str) -> [bool; 3] {
    let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
    let checker = schema.checker();
    let value = Value::from_json(value).unwrap();
    [
        checker.is_valid(value.text().as_bytes()),
        checker.check(&value).is_ok(),
        checker.check_json(value.text().as_bytes()).is_ok(),
    ]
}

proptest! {
    #[test]
    fn compared_exactly(rule in rules(), limit in integers(), number in integers(), is_near in any::<bool>()) {
        let number = match (is_near, rule) {
            (true, Rule::Multiple) => limit * (number % 7) + number % 2,
            (true, _) => limit + number % 3,
            (false, _) => number,
        };
        let expected = [rule.holds(number, limit); 3];
        let schema = rule.schema(limit);
        prop_assert_eq!(verdicts(&schema, &number.to_string()), expected, "{} {}", schema, number);
        // Inside of other schemas, and of a value.
        let within = format!(
            r##"{{"$defs": {{"n": {schema}}}, "properties": {{"a": {{"items": {{"anyOf": [{{"type": "string"}}, {{"$ref": "#/$defs/n"}}]}}}}}}}}"##
        );
        let value = format!(r#"{{"b": 1, "a": ["x", {number}]}}"#);
        prop_assert_eq!(verdicts(&within, &value), expected, "{} {}", within, value);
    }
}

#[test]
fn it_is_said_with_all_digits() {
    let schema = r#"{"properties": {"n": {"multipleOf": 3, "maximum": 100000000000000000001}}}"#;
    let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
    let value = Value::from_json(r#"{"n": 100000000000000000003}"#).unwrap();
    let violations = schema.checker().check(&value).unwrap_err();
    let mut said: Vec<String> = violations.iter().map(ToString::to_string).collect();
    said.sort();
    assert_eq!(
        said,
        [
            "error[value-range] at /n: expected a multiple of 3, found the number 100000000000000000003",
            "error[value-range] at /n: expected at most 100000000000000000001, found the number \
             100000000000000000003",
        ]
    );
}

#[test]
fn parts_of_constants_too() {
    let schema = r#"{"const": {"ids": [18446744073709551617]}}"#;
    assert_eq!(
        verdicts(schema, r#"{"ids": [18446744073709551617]}"#),
        [true; 3]
    );
    assert_eq!(
        verdicts(schema, r#"{"ids": [18446744073709551618]}"#),
        [false; 3]
    );
    // The name of a key is no number.
    let names = r#"{"propertyNames": {"enum": ["18446744073709551617"]}}"#;
    assert_eq!(
        verdicts(names, r#"{"18446744073709551617": 18446744073709551617}"#),
        [true; 3]
    );
    assert_eq!(
        verdicts(names, r#"{"x": 18446744073709551617}"#),
        [false; 3]
    );
}
