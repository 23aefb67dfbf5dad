//! What holds for all values.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::infer::{Observed, Settings};
use crate::json::Value;
use crate::schema::JsonSchema;

/// Values that have much in common: few keys, few words, and now and then anything.
pub(super) fn value() -> BoxedStrategy<String> {
    let words = [
        "\"a\"",
        "\"b\"",
        "\"red\"",
        "\"green\"",
        "\"2026-02-15\"",
        "\"2026-02-15T10:30:00Z\"",
        "\"a@example.com\"",
        "\"https://example.com/a\"",
        "\"123e4567-e89b-12d3-a456-426614174000\"",
        "\"::1\"",
        "\"\\u00e4\\n\"",
        "\"\"",
    ];
    let numbers = [
        "0",
        "1",
        "-3",
        "12.0",
        "0.5",
        "1e3",
        "1e300",
        "9223372036854775808",
        "123456789012345678901234567890",
        "-0.0",
        "9007199254740993",
        "0.30000000000000004",
    ];
    let leaf = prop_oneof![
        4 => select(words.to_vec()).prop_map(str::to_owned),
        3 => select(numbers.to_vec()).prop_map(str::to_owned),
        2 => select(vec!["true", "false", "null"]).prop_map(str::to_owned),
        1 => "\"[a-z]{1,12}\"",
    ];
    let leaf = leaf.boxed();
    let keys = select(vec![
        "id", "name", "kind", "type", "a/b", "", "1", "22", "data", "é",
    ]);
    leaf.prop_recursive(4, 40, 6, move |inner| {
        let members = proptest::collection::btree_map(keys.clone(), inner.clone(), 0..5);
        prop_oneof![
            1 => vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            3 => members.prop_map(|members| {
                let members = members.iter().map(|(key, value)| format!("\"{key}\":{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    })
    .boxed()
}

/// Objects with a tag, so that unions come up.
fn tagged() -> BoxedStrategy<String> {
    let circle = (value(), any::<bool>()).prop_map(|(radius, named)| match named {
        true => format!(r#"{{"type":"circle","radius":{radius},"name":"c"}}"#),
        false => format!(r#"{{"type":"circle","radius":{radius}}}"#),
    });
    let square = value().prop_map(|side| format!(r#"{{"side":{side},"type":"square","name":7}}"#));
    prop_oneof![circle, square].boxed()
}

fn values() -> BoxedStrategy<Vec<Value>> {
    let one = prop_oneof![2 => value(), 1 => tagged()];
    // Repeated, so that there is evidence for something.
    (vec(one, 1..14), select(vec![1_usize, 4, 25]))
        .prop_map(|(texts, times)| {
            let all = texts.iter().cycle().take(texts.len() * times);
            all.map(|text| Value::from_json(text).unwrap()).collect()
        })
        .boxed()
}

fn settings() -> BoxedStrategy<Settings> {
    any::<[bool; 4]>()
        .prop_map(|[ranges, lengths, open, annotate]| {
            let settings = Settings::default().ranges(ranges).lengths(lengths);
            settings.open(open).annotate(annotate)
        })
        .boxed()
}

fn observed(values: &[Value]) -> Observed {
    let mut observed = Observed::new();
    for value in values {
        observed.add(value);
    }
    observed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_value_that_was_inferred_from_is_accepted(values in values(), settings in settings()) {
        let observed = observed(&values);
        for inferred in [observed.schema(&settings), observed.arguments_schema(&settings)] {
            let schema = JsonSchema::from_value(&inferred.schema).unwrap();
            let checker = schema.checker();
            for value in &values {
                let checked = checker.check(value);
                prop_assert!(checked.is_ok(), "{value} by {}: {}", inferred.schema, checked.unwrap_err());
            }
        }
    }

    #[test]
    fn merging_is_associative(a in values(), b in values(), c in values(), settings in settings()) {
        let [x, y, z] = [&a, &b, &c].map(|values| observed(values));
        let (mut left, mut right) = (x.clone(), y.clone());
        left.merge(y);
        left.merge(z.clone());
        right.merge(z);
        let mut first = x;
        first.merge(right);
        let all = observed(&[a, b, c].concat());
        let [left, right, all] = [left, first, all].map(|observed| observed.schema(&settings));
        prop_assert_eq!(left.schema.text(), all.schema.text());
        prop_assert_eq!(right.schema.text(), all.schema.text());
        prop_assert_eq!(&left.evidence, &all.evidence);
        prop_assert_eq!(&right.evidence, &all.evidence);
    }
}

/// So that nothing that is sent takes all the memory.
#[test]
fn memory_is_bounded() {
    let mut observed = Observed::new();
    for n in 0..300 {
        let inner: Vec<String> = (0..300)
            .map(|k| format!("\"k{n}_{k}\":{{\"a{k}\":[{{\"b\":{n}}}]}}"))
            .collect();
        let value = Value::from_json(format!("{{\"x{n}\":{{{}}}}}", inner.join(","))).unwrap();
        observed.add(&value);
        assert!(
            observed.places.len() <= 80_000,
            "{} places",
            observed.places.len()
        );
    }
    let schema = observed.schema(&Settings::default()).schema;
    let checker = JsonSchema::from_value(&schema).unwrap().checker();
    assert!(
        checker.is_valid(br#"{"x5":{"k5_7":{"a7":[{"b":5}]}}}"#),
        "{schema}"
    );
    assert!(schema.text().len() < 2_000_000);
}

#[test]
fn depth_is_bounded() {
    let mut observed = Observed::new();
    let limits = crate::json::Limits::default().depth(100_000);
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    observed.add(&Value::from_json_within(&deep, &limits).unwrap());
    let schema = observed.schema(&Settings::default()).schema;
    assert!(JsonSchema::from_value(&schema).is_ok());
    assert!(schema.text().len() < 10_000, "{schema}");
}
