//! What makes no difference does not change the canonical form or the digest; the rest does.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use toolpact_core::json::Value;
use toolpact_core::model::{FunctionCall, FunctionDeclaration, Schema};

use crate::generate::{self, Json, wild};

const CASES: u32 = 1_000;

#[test]
fn spelling_does_not_matter_in_declarations() {
    run(&(generate::schema(), entropy()), |(schema, entropy)| {
        let parameters = schema.to_json();
        let plain = declaration(&parameters.to_text());
        let mut choices = Choices::new(&entropy);
        let reordered = reorder_required(&parameters, &mut choices);
        let respelled = declaration(&choices.respell(&reordered));
        let first = FunctionDeclaration::from_json(&plain).unwrap();
        let second = FunctionDeclaration::from_json(&respelled).unwrap();
        prop_assert_eq!(first.to_canonical(), second.to_canonical());
        prop_assert_eq!(first.digest(), second.digest());
        prop_assert!(first == second);
        Ok(())
    });
}

#[test]
fn spelling_does_not_matter_in_calls() {
    run(&(wild(), entropy()), |(arg, entropy)| {
        let call = |arg: &str| format!(r#"{{"name":"f","args":{{"a":{arg}}}}}"#);
        let first = FunctionCall::from_json(call(&arg.to_text())).unwrap();
        let respelled = Choices::new(&entropy).respell(&arg);
        let second = FunctionCall::from_json(call(&respelled)).unwrap();
        prop_assert_eq!(first.to_canonical(), second.to_canonical());
        prop_assert_eq!(first.digest(), second.digest());
        Ok(())
    });
}

/// A model sees the values in their order, so it is part of what was promised.
#[test]
fn the_order_of_enum_matters() {
    let schema = |values: &str| {
        let text = format!(r#"{{"type": "STRING", "enum": [{values}]}}"#);
        Schema::from_json(text).unwrap()
    };
    let (ab, ba) = (schema(r#""a", "b""#), schema(r#""b", "a""#));
    assert_ne!(ab.to_canonical(), ba.to_canonical());
    assert_ne!(ab.digest(), ba.digest());
    assert!(ab != ba);
    assert_eq!(ab.digest(), schema(r#""\u0061", "\u0062""#).digest());
}

/// One of each thing that is left out, put in, or put in order.
#[test]
fn the_canonical_form_itself() {
    let schema = Schema::from_json(
        r#"{
            "required": ["b", "a"],
            "type": "OBJECT",
            "properties": {
                "b": {"type": "STRING", "enum": ["y", "x"], "description": "\u00e9"},
                "a": {"required": [], "type": "OBJECT", "properties": {}}
            }
        }"#,
    );
    insta::assert_snapshot!(
        schema.unwrap().to_canonical(),
        @r#"{"properties":{"a":{"properties":{},"type":"OBJECT"},"b":{"description":"é","enum":["y","x"],"type":"STRING"}},"required":["a","b"],"type":"OBJECT"}"#
    );
}

/// What a caller or a model could tell apart has another digest.
#[test]
fn differences_have_different_digests() {
    let texts = [
        r#"{"type": "OBJECT"}"#,
        r#"{"type": "OBJECT", "properties": {}}"#,
        r#"{"type": "OBJECT", "description": ""}"#,
        r#"{"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}"#,
        r#"{"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}"#,
        r#"{"type": "OBJECT", "properties": {"A": {"type": "STRING"}}}"#,
    ];
    let digests: std::collections::HashSet<_> = texts
        .iter()
        .map(|text| Schema::from_json(text).unwrap().digest())
        .collect();
    assert_eq!(digests.len(), texts.len());
}

/// Serde has integers and floats; a float must not take digits from an integer.
#[test]
fn serde_keeps_every_number() {
    let numbers = [
        "0",
        "-0",
        "-0.0",
        "5.0",
        "1e3",
        "1.5",
        "-2.25e-3",
        "5e-324",
        "1.7976931348623157e308",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740993e0",
        "-9007199254740993.0",
        "9223372036854775807",
        "9223372036854775807.0",
        "-9223372036854775808.0",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e19",
    ];
    for number in numbers {
        let value = Value::from_json(number).unwrap();
        let by_text: Value = serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap();
        assert_eq!(by_text.to_canonical(), value.to_canonical(), "{number}");
        let by_tree = Value::try_from(&serde_json::to_value(&value).unwrap()).unwrap();
        assert_eq!(by_tree.to_canonical(), value.to_canonical(), "{number}");
    }
}

fn declaration(parameters: &str) -> String {
    format!(r#"{{"name":"f","description":"Does it.","parameters":{parameters}}}"#)
}

fn entropy() -> BoxedStrategy<Vec<u8>> {
    vec(any::<u8>(), 1..64).boxed()
}

fn run<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{failure}");
    }
}

/// Random decisions.
struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn below(&mut self, n: usize) -> usize {
        self.at += 1;
        // The position takes part, so that few bytes still make many decisions.
        (usize::from(self.bytes[self.at % self.bytes.len()]) + self.at / self.bytes.len()) % n
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.below(i + 1);
            list.swap(i, j);
        }
    }

    /// The same value in another spelling: members in another order, other escapes, other
    /// numbers, more white space.
    fn respell(&mut self, json: &Json) -> String {
        let text = match json {
            Json::Raw(text) => self.number(text),
            Json::String(text) => self.string(text),
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.respell(item)).collect();
                format!("[{}]", items.join(","))
            }
            Json::Object(members) => {
                let mut members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| format!("{}:{}", self.string(key), self.respell(value)))
                    .collect();
                self.shuffle(&mut members);
                format!("{{{}}}", members.join(","))
            }
        };
        let space = ["", " ", "\n\t", "\r\n"];
        format!("{}{text}{}", space[self.below(4)], space[self.below(4)])
    }

    fn string(&mut self, text: &str) -> String {
        let mut out = "\"".to_owned();
        for c in text.chars() {
            if self.below(2) == 0 {
                let mut units = [0; 2];
                let escaped = c.encode_utf16(&mut units).iter();
                out.extend(escaped.map(|unit| format!("\\u{unit:04X}")));
            } else {
                let plain = serde_json::to_string(&c).unwrap();
                out.push_str(&plain[1..plain.len() - 1]);
            }
        }
        out + "\""
    }

    fn number(&mut self, text: &str) -> String {
        let plain = text
            .trim_start_matches('-')
            .bytes()
            .all(|b| b.is_ascii_digit());
        match self.below(4) {
            0 if plain => format!("{text}.000"),
            // Not `000e-2`: JSON has no leading zeros.
            1 if plain && !text.ends_with('0') => format!("{text}00e-2"),
            2 if plain => format!("{text}E+0"),
            3 if text == "1.5" => "0.15e1".to_owned(),
            _ => text.to_owned(),
        }
    }
}

/// The same schema with `required` in another order, or an empty one where there was none.
fn reorder_required(schema: &Json, choices: &mut Choices<'_>) -> Json {
    let Json::Object(members) = schema else {
        return schema.clone();
    };
    let mut members = members.clone();
    for (key, value) in &mut members {
        match (key.as_str(), &mut *value) {
            ("required", Json::Array(names)) => choices.shuffle(names),
            ("items", items) => *items = reorder_required(items, choices),
            ("properties", Json::Object(list)) => {
                for (_, property) in list {
                    *property = reorder_required(property, choices);
                }
            }
            _ => {}
        }
    }
    let empty = |value: &Json| *value == Json::Array(Vec::new());
    members.retain(|(key, value)| !(key == "required" && empty(value)));
    let is_object = members.contains(&("type".to_owned(), Json::String("OBJECT".to_owned())));
    let has_required = members.iter().any(|(key, _)| key == "required");
    if is_object && !has_required && choices.below(2) == 0 {
        members.push(("required".to_owned(), Json::Array(Vec::new())));
    }
    Json::Object(members)
}
