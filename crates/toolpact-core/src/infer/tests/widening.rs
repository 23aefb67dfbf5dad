//! Contracts that are widened by what was seen.

use proptest::collection::vec;
use proptest::prelude::*;

use super::properties::value;
use crate::contract::Contract;
use crate::infer::{Observed, Settings, Widening};
use crate::json::Value;
use crate::returns::Level;

fn contract(returns: &str) -> Contract {
    Contract::from_json(format!(
        r#"{{"name":"f","description":"Does it.","parameters":{{"type":"object","properties":{{"a":{{"type":"integer"}}}},
            "additionalProperties":false}},"returns":{returns},"effects":{{"read_only":true}},"timeout_ms":5}}"#
    ))
    .unwrap()
}

/// What `returns` is after these results.
fn widened(returns: &str, results: &[&str]) -> String {
    let mut widening = Widening::new(contract(returns)).unwrap();
    for result in results {
        widening.result(Value::from_json(result).unwrap().root());
    }
    assert_eq!(widening.hopeless(), 0);
    let promise = widening.contract().returns().enforcer(Level::Meaning);
    for result in results {
        assert!(promise.is_valid(result.as_bytes()), "{result}");
    }
    for key in ["effects", "timeout_ms", "description", "parameters"] {
        let (now, before) = (field(widening.contract(), key), field(&contract("{}"), key));
        assert_eq!(now, before, "{key} stays");
    }
    field(widening.contract(), "returns").text().to_owned()
}

fn field(contract: &Contract, key: &str) -> Value {
    let json = Value::from_json(contract.to_json()).unwrap();
    json.root().get(key).unwrap().to_value()
}

#[test]
fn just_as_much_as_is_needed() {
    let cases: [(&str, &[&str], &str); 13] = [
        (
            r#"{"type":"string","maxLength":9}"#,
            &["\"a\""],
            r#"{"type":"string","maxLength":9}"#,
        ),
        (
            r#"{"type":"string"}"#,
            &["null"],
            r#"{"type":["string","null"]}"#,
        ),
        (r#"{"type":"integer"}"#, &["1.5"], r#"{"type":"number"}"#),
        (
            r#"{"enum":["a","b"]}"#,
            &["\"c\""],
            r#"{"enum":["a","b","c"]}"#,
        ),
        (r#"{"const":"a"}"#, &["\"b\""], r#"{"enum":["a","b"]}"#),
        (
            r#"{"minimum":3,"exclusiveMaximum":9}"#,
            &["1", "9"],
            r#"{"minimum":1,"maximum":9}"#,
        ),
        (
            r#"{"type":"string","format":"date"}"#,
            &["\"soon\""],
            r#"{"type":"string"}"#,
        ),
        (
            r#"{"type":"object","required":["a","b"],"properties":{"a":{"type":"integer"}}}"#,
            &[r#"{"a":1}"#],
            r#"{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}"#,
            &[r#"{"a":1,"b":"x"}"#, r#"{"b":null}"#],
            r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":["string","null"]}},"additionalProperties":false}"#,
        ),
        (
            r##"{"type":"array","items":{"$ref":"#/$defs/one"},"$defs":{"one":{"type":"integer","maximum":3}}}"##,
            &["[1,5]"],
            r##"{"type":"array","items":{"$ref":"#/$defs/one"},"$defs":{"one":{"type":"integer","maximum":5}}}"##,
        ),
        (
            r#"{"type":"array","items":false}"#,
            &["[]", "[1]"],
            r#"{"type":"array","items":{"type":"integer"}}"#,
        ),
        (
            r#"{"type":"string"}"#,
            &[r#"{"a":1}"#],
            r#"{"anyOf":[{"type":"string"},{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}]}"#,
        ),
        (
            r#"{"type":"Custom","schema":{"type":"integer"},"description":"A number."}"#,
            &["true"],
            r#"{"type":"Custom","schema":{"type":["integer","boolean"]},"description":"A number."}"#,
        ),
    ];
    for (before, results, after) in cases {
        assert_eq!(widened(before, results), after, "{before} by {results:?}");
    }
}

#[test]
fn a_result_that_is_not_of_the_standard_type() {
    let after = widened("\"NumberValue\"", &["5", "[1]"]);
    assert_eq!(
        after,
        r#"{"anyOf":[{"$ref":"https://adl.io/schemas/returns/NumberValue"},{"type":"array","items":{"type":"integer"}}]}"#
    );
}

#[test]
fn arguments() {
    let mut widening = Widening::new(contract("{}")).unwrap();
    widening.arguments(Value::from_json(r#"{"a":2,"more":[true]}"#).unwrap().root());
    let parameters = field(widening.contract(), "parameters");
    assert!(
        parameters
            .text()
            .contains(r#""more":{"type":"array","items":{"type":"boolean"}}"#),
        "{parameters}"
    );
    assert_eq!(widening.refused(), (1, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// From some values a schema is inferred; then others come, and each is accepted, and so is what was before.
    #[test]
    fn accepts_what_was_seen_and_all_that_it_accepted(
        before in vec(value(), 1..6), times in 1..12_usize, after in vec(value(), 1..12)
    ) {
        let [before, after] = [before, after].map(|texts| {
            texts.iter().map(|text| Value::from_json(text).unwrap()).collect::<Vec<_>>()
        });
        let mut observed = Observed::new();
        for value in before.iter().cycle().take(before.len() * times) {
            observed.add(value);
        }
        let schema = observed.schema(&Settings::default()).schema;
        let mut widening = Widening::new(contract(schema.text())).unwrap();
        for value in &after {
            widening.result(value.root());
        }
        prop_assert_eq!(widening.hopeless(), 0);
        let promise = widening.contract().returns().enforcer(Level::Meaning);
        for value in before.iter().chain(&after) {
            prop_assert!(promise.is_valid(value.text().as_bytes()), "{value} by {}", widening.contract().to_json());
        }
    }
}
