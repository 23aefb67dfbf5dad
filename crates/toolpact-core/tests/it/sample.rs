//! Values that are made of schemas.

use std::cell::Cell;
use std::collections::HashSet;

use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{Returns, StandardType};
use toolpact_core::sample::Sampler;
use toolpact_core::schema::JsonSchema;

use crate::diff::is_rounded;
use crate::differential::{Choices, make, with_bytes};

fn contract(parameters: &str, returns: &str) -> Contract {
    let text = format!(
        r#"{{"name":"f","description":"Does it.","parameters":{parameters},"returns":{returns}}}"#
    );
    Contract::from_json(text).unwrap()
}

/// Every value is accepted by a validator that is not ours, and for nearly every schema that has a value
/// one is found.
#[test]
fn values_of_random_schemas() {
    let (found, satisfiable, shown) = (Cell::new(0), Cell::new(0), Cell::new(0));
    with_bytes(3_000, |bytes| {
        let choices = &mut Choices(bytes);
        let text = make::schema(choices);
        let Ok(schema) = Value::from_json(&text).and_then(|value| JsonSchema::from_value(&value))
        else {
            return;
        };
        let sampler = Sampler::of_schema(&schema);
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        let made: Vec<Value> = (0..4)
            .flat_map(|seed| [sampler.nth(seed), sampler.unusual(seed)])
            .flatten()
            .chain(sampler.first())
            .collect();
        let judge = jsonschema::options()
            .should_validate_formats(true)
            .build(&parsed)
            .unwrap();
        // Those that the judge reads as others are not shown to it.
        for value in made.iter().filter(|value| !is_rounded(value.text())) {
            shown.set(shown.get() + 1);
            let read = serde_json::from_str(value.text()).unwrap();
            assert!(judge.is_valid(&read), "{text}\n{}", value.text());
        }
        let other = (0..40).any(|_| {
            let value = make::value_for(&parsed, &parsed, choices, 5);
            serde_json::from_str(&value).is_ok_and(|value| judge.is_valid(&value))
        });
        let count = |cell: &Cell<u32>, is: bool| cell.set(cell.get() + u32::from(is));
        count(&satisfiable, other || !made.is_empty());
        count(&found, !made.is_empty());
        if other && made.is_empty() {
            eprintln!("no value: {text}");
        }
    });
    eprintln!(
        "a value for {} of {} schemas that have one",
        found.get(),
        satisfiable.get()
    );
    assert!(satisfiable.get() > 1_000);
    assert!(
        shown.get() > 5_000,
        "{} were shown to the judge",
        shown.get()
    );
    assert!(f64::from(found.get()) > 0.97 * f64::from(satisfiable.get()));
}

/// Valid in meaning, too, and of many different ones.
#[test]
fn results_of_every_standard_type() {
    for standard in StandardType::all() {
        let returns = Returns::Standard {
            standard,
            refinement: None,
        };
        let sampler = Sampler::of_returns(&returns);
        assert!(sampler.first().is_some(), "{standard}");
        let made: HashSet<String> = (0..50)
            .map(|seed| {
                sampler
                    .nth(seed)
                    .unwrap_or_else(|| panic!("{standard} {seed}"))
            })
            .inspect(|value| assert!(sampler.accepts(value), "{standard} {}", value.text()))
            .map(|value| value.to_canonical())
            .collect();
        let least = match standard {
            StandardType::BooleanValue => 3,
            _ => 10,
        };
        assert!(made.len() >= least, "{standard}: {made:?}");
    }
}

#[test]
fn the_same_seed_makes_the_same_value() {
    let contract = contract(
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}"#,
        r#"{"type":"ListResult","schema":{"properties":{"data":{"items":{"type":"object","required":["id"],
            "properties":{"id":{"type":"string","pattern":"^[A-Z]{3}-[0-9]+$"}}}}}}}"#,
    );
    for sampler in [
        Sampler::of_arguments(&contract),
        Sampler::of_result(&contract),
    ] {
        let made: Vec<_> = (0..100).map(|seed| sampler.nth(seed).unwrap()).collect();
        let again: Vec<_> = (0..100).map(|seed| sampler.nth(seed).unwrap()).collect();
        assert_eq!(made, again);
        let different: HashSet<String> = made.iter().map(Value::to_canonical).collect();
        assert!(different.len() > 30, "{}", different.len());
    }
}

/// However large or deep a schema is, and whether or not anything satisfies it, a value is made or given up in
/// bounded time.
#[test]
fn the_work_on_hostile_schemas_is_bounded() {
    let many: Vec<String> = (0..2_000)
        .map(|key| format!(r#""k{key}":{{"type":"string","minLength":5000}}"#))
        .collect();
    let branches: Vec<String> = (0..200).map(|_| r##"{"$ref":"#"}"##.to_owned()).collect();
    let deep = format!("{}1{}", r#"{"items":"#.repeat(90), "}".repeat(90)).replace('1', "true");
    let schemas = [
        format!(r#"{{"type":"object","properties":{{{}}}}}"#, many.join(",")),
        format!(
            r##"{{"type":"object","required":["a"],"properties":{{"a":{{"anyOf":[{}]}},"b":{{"$ref":"#"}}}}}}"##,
            branches.join(",")
        ),
        r##"{"type":"array","minItems":50,"items":{"$ref":"#"}}"##.to_owned(),
        r##"{"type":"object","minProperties":50,"additionalProperties":{"$ref":"#"}}"##.to_owned(),
        r#"{"type":"string","pattern":"^(a{1,1000}b{1,1000}){1,100}$"}"#.to_owned(),
        r#"{"type":"string","minLength":100000000}"#.to_owned(),
        r#"{"type":"array","minItems":100000000}"#.to_owned(),
        r#"{"not":{}}"#.to_owned(),
        r#"{"allOf":[{"minimum":5},{"maximum":4}],"type":"number"}"#.to_owned(),
        deep,
    ];
    let mut read = 0;
    for text in &schemas {
        let Ok(schema) = Value::from_json(text).and_then(|value| JsonSchema::from_value(&value))
        else {
            continue;
        };
        read += 1;
        let sampler = Sampler::of_schema(&schema);
        for value in [
            sampler.first(),
            sampler.nth(1),
            sampler.unusual(2),
            sampler.broken(3),
        ] {
            assert!(
                value.is_none_or(|value| value.text().len() < 10_000_000),
                "{text:.80}"
            );
        }
    }
    assert!(read >= 7, "{read}");
}
