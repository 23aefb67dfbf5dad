//! Values that are checked while they are written: the text is that of `serde_json`, and the verdict
//! is that of the text.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};
use toolpact_core::check::Checker;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::{Level, Returns, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::toolset::Function;

use crate::differential::{Choices, make, with_bytes};

/// Objects as structs, whose keys are written in another way than those of maps.
struct AsStructs<'a>(&'a serde_json::Value);

impl Serialize for AsStructs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            serde_json::Value::Object(members) => {
                let mut out = serializer.serialize_struct("Anything", members.len())?;
                for (key, value) in members {
                    let key: &'static str = Box::leak(key.clone().into_boxed_str());
                    out.serialize_field(key, &AsStructs(value))?;
                }
                out.end()
            }
            serde_json::Value::Array(items) => serializer.collect_seq(items.iter().map(AsStructs)),
            other => other.serialize(serializer),
        }
    }
}

fn compare<T: Serialize>(checker: &Checker, value: &T) {
    let plain = serde_json::to_vec(value).unwrap();
    let shown = String::from_utf8_lossy(&plain);
    match checker.to_vec(value) {
        Ok(json) => {
            assert_eq!(String::from_utf8_lossy(&json), shown);
            assert!(checker.check_json(&plain).is_ok(), "{shown}");
        }
        Err(violations) => {
            let expected = checker.check_json(&plain).unwrap_err();
            assert_eq!(violations.to_string(), expected.to_string(), "{shown}");
        }
    }
}

#[test]
fn same_text_and_same_verdict() {
    with_bytes(1_500, |bytes| {
        let choices = &mut Choices(bytes);
        let text = make::schema(choices);
        let Ok(schema) = Value::from_json(&text).and_then(|v| JsonSchema::from_value(&v)) else {
            return;
        };
        let parsed = serde_json::from_str(&text).unwrap();
        for checker in [schema.checker(), schema.shape_checker()] {
            let value = make::value_for(&parsed, &parsed, choices, 5);
            let Ok(value) = serde_json::from_str::<serde_json::Value>(&value) else {
                continue;
            };
            compare(&checker, &value);
            compare(&checker, &AsStructs(&value));
        }
    });
}

/// A function that takes one argument.
fn taking(schema: &serde_json::Value) -> Option<Function> {
    let definitions = schema.get("$defs").cloned();
    let contract = serde_json::json!({"name": "take", "description": "Takes.", "returns": "opaque",
        "parameters": {"type": "object", "properties": {"it": schema}, "required": ["it"],
            "$defs": definitions.unwrap_or_else(|| serde_json::json!({}))}});
    let contract = Contract::from_json(contract.to_string()).ok()?;
    Some(Function::of_contract(&contract, Level::Meaning))
}

#[test]
fn typed_arguments_have_the_verdict_of_their_text() {
    #[derive(Serialize)]
    struct Args<'a> {
        it: AsStructs<'a>,
    }
    let (accepted, valid) = (Cell::new(0), Cell::new(0));
    with_bytes(1_500, |bytes| {
        let choices = &mut Choices(bytes);
        let schema = serde_json::from_str(&make::schema(choices)).unwrap_or_default();
        let Some(function) = taking(&schema) else {
            return;
        };
        let value = make::value_for(&schema, &schema, choices, 5);
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&value) else {
            return;
        };
        let args = Args {
            it: AsStructs(&value),
        };
        let plain = serde_json::to_string(&args).unwrap();
        let is_valid = function.accepts(plain.as_bytes());
        let is_accepted = function.accepts_typed(&args);
        assert!(is_valid || !is_accepted, "{schema} {plain}");
        let written = function.typed_to_json(&args);
        assert_eq!(written.is_some(), is_accepted, "{schema} {plain}");
        assert!(
            written.is_none_or(|json| json == plain.as_bytes()),
            "{plain}"
        );
        accepted.update(|count| count + u32::from(is_accepted));
        valid.update(|count| count + u32::from(is_valid));
    });
    // Only few are left to their text.
    let found = (accepted.get(), valid.get());
    assert!(found.0 > 100 && found.0 * 2 > found.1, "{found:?}");
}

#[test]
fn absent_arguments_are_left_out_and_numbers_that_json_lacks_are_not() {
    #[derive(Serialize)]
    struct Inner {
        first: Option<u8>,
        second: Option<Vec<Option<u8>>>,
        last: Option<f64>,
    }
    #[derive(Serialize)]
    struct Args {
        inner: Vec<Inner>,
        named: BTreeMap<String, Option<u8>>,
    }
    #[derive(Serialize)]
    struct Whole {
        it: Args,
    }
    let schema = serde_json::json!({"type": "object", "required": ["inner", "named"], "properties": {
        "inner": {"type": "array", "items": {"type": "object", "properties": {
            "first": {"type": "integer"}, "last": {"type": "number"},
            "second": {"type": "array", "items": {"type": "integer"}}}}},
        "named": {"type": "object", "additionalProperties": {"type": "integer"}}}});
    let function = taking(&schema).unwrap();
    let whole = |first, second: Option<Vec<Option<u8>>>, last, named: Option<u8>| Whole {
        it: Args {
            inner: vec![Inner {
                first,
                second,
                last,
            }],
            named: BTreeMap::from([("inner".to_owned(), named)]),
        },
    };
    for (args, expected) in [
        (whole(None, None, None, Some(1)), Some("{}")),
        (
            whole(None, Some(vec![Some(2)]), None, Some(1)),
            Some(r#"{"second":[2]}"#),
        ),
        (
            whole(Some(1), None, Some(0.5), Some(1)),
            Some(r#"{"first":1,"last":0.5}"#),
        ),
        // What is absent from a list or a map is null.
        (whole(None, Some(vec![None]), None, Some(1)), None),
        (whole(None, None, None, None), None),
        (whole(None, None, Some(f64::NAN), Some(1)), None),
    ] {
        let text = expected
            .map(|inner| format!(r#"{{"it":{{"inner":[{inner}],"named":{{"inner":1}}}}}}"#));
        let written = function.typed_to_json(&args);
        assert_eq!(written.map(|json| String::from_utf8(json).unwrap()), text);
        assert_eq!(function.accepts_typed(&args), text.is_some());
    }
}

#[test]
fn results_with_their_meaning() {
    with_bytes(600, |bytes| {
        let choices = &mut Choices(bytes);
        for standard in StandardType::all() {
            let returns = Returns::Standard {
                standard,
                refinement: None,
            };
            let enforcer = returns.enforcer(Level::Meaning);
            for example in standard.examples() {
                let text = make::changed(example.text(), choices);
                let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else {
                    continue;
                };
                let plain = serde_json::to_vec(&value).unwrap();
                let written = enforcer.to_vec(&AsStructs(&value));
                assert_eq!(
                    written.is_ok(),
                    enforcer.check_json(&plain).is_ok(),
                    "{standard} {text}"
                );
                assert!(written.is_err() || written.unwrap() == plain);
            }
        }
    });
}

fn checker(schema: &str) -> Checker {
    JsonSchema::from_value(&Value::from_json(schema).unwrap())
        .unwrap()
        .checker()
}

#[derive(Serialize)]
enum Shape {
    Point,
    Circle(f64),
    Box { width: u8 },
    Line(i8, i8),
}

#[test]
fn every_kind_of_value() {
    let any = checker("true");
    let numbers = checker(r#"{"type": ["number", "null"], "minimum": -5}"#);
    for number in [0.0, -0.0, 1.5, 1e300, -6.0, f64::NAN, f64::INFINITY] {
        compare(&any, &number);
        compare(&numbers, &number);
    }
    compare(&numbers, &1.1_f32);
    compare(&numbers, &u64::MAX);
    compare(&numbers, &i64::MIN);
    compare(&numbers, &u128::MAX);
    let strings = checker(r#"{"type": "string", "maxLength": 3}"#);
    for text in ["", "äöü", "four", "\"\\\n", "\u{1}"] {
        compare(&any, &text);
        compare(&strings, &text);
    }
    compare(&strings, &'c');
    compare(&any, &(1, "two", [3.5], Some(()), None::<u8>));
    for shape in [
        Shape::Point,
        Shape::Circle(1.0),
        Shape::Box { width: 2 },
        Shape::Line(1, 2),
    ] {
        compare(&any, &shape);
        compare(&strings, &shape);
        compare(
            &checker(r#"{"properties": {"Box": {"required": ["height"]}}}"#),
            &shape,
        );
    }
    compare(&any, &BTreeMap::from([(1, "a"), (2, "b")]));
    compare(
        &checker(r#"{"maxProperties": 1}"#),
        &BTreeMap::from([("a", 1), ("b", 2)]),
    );
    compare(
        &checker(r#"{"properties": {"q\"x": {"type": "null"}}}"#),
        &BTreeMap::from([("q\"x", 2)]),
    );
}

/// A value that writes the same key twice.
struct Twice(&'static str);

impl Serialize for Twice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.0, &1)?;
        map.serialize_entry("b", &2)?;
        map.serialize_entry(self.0, &3)?;
        map.end()
    }
}

#[test]
fn keys_that_come_twice() {
    for schema in [
        "true",
        r#"{"properties": {"a": true}}"#,
        r#"{"properties": {"b": true}}"#,
    ] {
        for key in ["a", "a key that is longer than others", "\n"] {
            let violations = checker(schema).to_vec(&Twice(key)).unwrap_err();
            assert_eq!(
                violations.iter().next().unwrap().code(),
                "json-duplicate-key"
            );
        }
    }
}

#[test]
fn what_cannot_be_written() {
    let impossible = BTreeMap::from([(vec![1], 2)]);
    let violations = checker("true").to_vec(&impossible).unwrap_err();
    assert_eq!(
        violations.to_string(),
        "error[json-syntax]: expected a value that can be written as JSON, but key must be a string"
    );
}

/// Deeper than any reader goes.
struct Deep(u32);

impl Serialize for Deep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_unit(),
            more => serializer.collect_seq([Deep(more - 1)]),
        }
    }
}

#[test]
fn what_is_too_deep() {
    let any = checker("true");
    for depth in [1, 126, 127, 128, 129, 500] {
        compare(&any, &Deep(depth));
    }
}
