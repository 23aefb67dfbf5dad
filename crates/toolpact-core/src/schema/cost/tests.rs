//! The memoised verdict agrees with the validator.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::super::graph::Graph;
use super::super::resolve::Resolver;
use super::Walk;
use crate::json::Value;

/// The verdict for any schema, bounded or not.
fn verdict(schema: &Json, instance: &Json) -> Option<bool> {
    let schema = Value::from_json(schema.to_string()).unwrap();
    let value = Value::from_json(instance.to_string()).unwrap();
    let resolver = Resolver::new(schema.root());
    let graph = Graph::new(schema.root(), &resolver);
    let work = Walk::of(&graph, &resolver, true)?;
    work.verdict_of_each(value.root(), instance)
}

fn oracle(schema: &Json, instance: &Json) -> bool {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(schema).unwrap().is_valid(instance)
}

fn schemas() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({})),
        Just(json!({"$ref": "#/$defs/a"})),
        Just(json!({"type": "integer", "minimum": 1})),
        Just(json!({"type": ["string", "null"], "maxLength": 1})),
        Just(json!({"enum": [1, "a", []]})),
        Just(json!({"pattern": "^a", "uniqueItems": true})),
        Just(json!({"required": ["a"], "maxProperties": 1, "minItems": 1})),
    ];
    leaf.prop_recursive(4, 32, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3);
        let pair = || (inner.clone(), inner.clone());
        prop_oneof![
            (
                prop_oneof![
                    Just("allOf"),
                    Just("anyOf"),
                    Just("oneOf"),
                    Just("prefixItems")
                ],
                list
            )
                .prop_map(|(keyword, list)| json!({keyword: list})),
            inner.clone().prop_map(|s| json!({"not": s})),
            pair().prop_map(|(a, b)| json!({"if": a, "then": b, "else": {"type": "array"}})),
            pair().prop_map(|(a, b)| json!({"if": a, "else": b})),
            pair().prop_map(|(a, b)| json!({"properties": {"a": a}, "additionalProperties": b})),
            pair().prop_map(|(a, b)| json!({"patternProperties": {"^a": a}, "propertyNames": b})),
            pair().prop_map(|(a, b)| json!({"prefixItems": [a], "items": b})),
            pair().prop_map(|(a, b)| json!({"contains": a, "maxContains": 1, "items": b})),
            pair().prop_map(
                |(a, b)| json!({"contains": a, "minContains": 0, "dependentSchemas": {"a": b}})
            ),
            pair().prop_map(|(a, b)| json!({"dependencies": {"a": a, "c": b, "ab": ["c"]}})),
        ]
    })
}

fn instances() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!(0)),
        Just(json!(1.0)),
        Just(json!("a")),
        Just(json!("ba")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            prop::collection::vec((prop_oneof![Just("a"), Just("ab"), Just("c")], inner), 0..3)
                .prop_map(|members| members
                    .into_iter()
                    .map(|(k, v)| (k.to_owned(), v))
                    .collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn agrees_with_the_validator(schema in schemas(), inner in schemas(), instance in instances()) {
        // A definition with an in-place cycle is refused elsewhere.
        let schema = json!({"$defs": {"a": {"items": inner}}, "allOf": [schema]});
        if let Some(verdict) = verdict(&schema, &instance) {
            prop_assert_eq!(verdict, oracle(&schema, &instance), "{} {}", schema, instance);
        }
    }
}
