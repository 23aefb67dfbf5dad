//! Exports take time and memory in proportion to the schema, however it is made.

use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json, json};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;
use toolpact_core::json::{Document, Limits};

/// Far more than it takes, and far less than what is quadratic would.
const LONG: Duration = Duration::from_secs(20);

fn all_in_time(parameters: &Json) {
    let contract = json!({"name": "t", "description": "d", "parameters": parameters});
    let contract = Contract::from_json(contract.to_string()).unwrap();
    for dialect in Dialect::ALL {
        let start = Instant::now();
        dialect.export([&contract]);
        let took = start.elapsed();
        assert!(took < LONG, "{dialect} took {took:?}");
    }
}

fn keys(count: usize, schema: impl Fn(usize) -> (String, Json)) -> Map<String, Json> {
    (0..count).map(schema).collect()
}

fn choices(count: usize) -> Json {
    (0..count).map(|n| format!("choice {n}")).collect()
}

fn of_keys(properties: impl Into<Json>) -> Json {
    json!({"type": "object", "properties": properties.into()})
}

#[test]
fn many_keys_with_losses() {
    let lossy = json!({"type": "string", "maxLength": 5, "format": "x"});
    all_in_time(&of_keys(keys(20_000, |n| {
        (format!("key {n}"), lossy.clone())
    })));
}

#[test]
fn many_keys_that_are_forbidden_or_required() {
    all_in_time(&of_keys(keys(40_000, |n| (format!("k{n}"), json!(false)))));
    let mut schema = of_keys(keys(30_000, |n| {
        (format!("k{n}"), json!({"type": "string"}))
    }));
    schema["required"] = (0..30_000).map(|n| format!("k{n}")).collect();
    all_in_time(&schema);
}

#[test]
fn many_unknown_keywords() {
    let mut words = keys(40_000, |n| (format!("x-{n}"), json!(1)));
    words.insert("type".to_owned(), json!("string"));
    all_in_time(&of_keys(json!({"a": words})));
}

#[test]
fn long_lists() {
    let lists = json!([{"enum": choices(50_000)}, {"enum": choices(49_999)}]);
    all_in_time(&of_keys(json!({"a": {"allOf": lists}})));
    let tuple: Vec<Json> = (0..20_000)
        .map(|n| json!({"const": format!("{n}")}))
        .collect();
    all_in_time(&of_keys(
        json!({"a": {"type": "array", "prefixItems": tuple}}),
    ));
}

/// What is large and written once must not be written thousands of times.
#[test]
fn large_copies() {
    let large = json!({"type": "string", "enum": choices(20_000)});
    let mut schema = of_keys(keys(9_000, |n| {
        (format!("p{n}"), json!({"$ref": "#/$defs/d"}))
    }));
    schema["$defs"] = json!({"d": large});
    all_in_time(&schema);

    let mut alternatives = large.clone();
    alternatives["anyOf"] = (0..9_000).map(|n| json!({"minLength": n})).collect();
    all_in_time(&of_keys(json!({"a": alternatives})));

    let required: Vec<String> = (0..20_000).map(|n| format!("k{n}")).collect();
    let rest = json!({"type": "object", "additionalProperties": large, "required": required});
    all_in_time(&of_keys(json!({"a": rest})));
}

/// The names that exports make for shared schemas can be in any document.
#[test]
fn large_copies_in_an_import() {
    let reference = json!({"$ref": "#/$defs/toolpact_shared_1"});
    let mut schema = of_keys(keys(9_000, |n| (format!("p{n}"), reference.clone())));
    schema["$defs"] = json!({"toolpact_shared_1": {"enum": choices(20_000)}});
    let tool = json!([{"type": "function", "name": "t", "description": "d", "parameters": schema}]);
    let document = Document::json(tool.to_string().as_bytes(), &Limits::default());
    let start = Instant::now();
    let import = Dialect::OpenAi.import(&document).unwrap();
    assert_eq!(import.tools().len(), 1, "{:?}", import.left_out());
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
}

#[test]
fn definitions_in_a_row_and_deep() {
    let next = |n: usize| json!({"type": "array", "items": {"$ref": format!("#/$defs/d{n}")}});
    let mut row = keys(15_000, |n| (format!("d{n}"), next(n + 1)));
    row.insert("d15000".to_owned(), json!({"type": "string"}));
    let mut schema = of_keys(json!({"a": {"$ref": "#/$defs/d0"}}));
    schema["$defs"] = row.into();
    all_in_time(&schema);

    let deep = |n: usize| (0..80).fold(next(n), |s, _| json!({"type": "array", "items": s}));
    let mut deep = keys(24, |n| (format!("d{n}"), deep(n + 1)));
    deep.insert("d24".to_owned(), json!({"type": "string"}));
    schema["$defs"] = deep.into();
    all_in_time(&schema);
}
