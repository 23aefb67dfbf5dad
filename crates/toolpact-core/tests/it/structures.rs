//! Our verdict on whole documents against that of the JSON Schema we print for each kind.

use std::cell::Cell;
use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};

use toolpact_core::{Severity, Violation};

use crate::generate::{Json, schema, wild};

const CASES: u32 = 4_000;

/// What the JSON Schema cannot say, by the rules that do.
const BEYOND_JSON_SCHEMA: [&str; 2] = ["tool-duplicate-name", "schema-required-unknown"];

#[test]
fn agrees_with_the_printed_schemas() {
    let validators: HashMap<DocumentKind, jsonschema::Validator> = DocumentKind::STRUCTURES
        .into_iter()
        .map(|kind| (kind, validator(kind)))
        .collect();
    let (accepted, refused, beyond) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let count = |counter: &Cell<u32>| counter.set(counter.get() + 1);
    let mut runner = TestRunner::new(Config {
        cases: CASES,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&near_miss(), |(kind, json)| {
        let text = json.to_text();
        let document = Document::json(text.as_bytes(), &Limits::default());
        let checked = AnyDocument::check(&document, Some(kind));
        let errors = checked
            .violations
            .iter()
            .filter(|v| v.severity() == Severity::Error);
        let codes: Vec<_> = errors.map(Violation::code).collect();
        let ours = checked.value.is_some();
        let theirs = validators[&kind].is_valid(&serde_json::from_str(&text).unwrap());
        match (ours, theirs) {
            (true, true) => count(&accepted),
            (true, false) => prop_assert!(false, "only we accept the {} {}", kind, text),
            (false, false) => count(&refused),
            // serde_json keeps the last of two equal keys, so what the first was is unknown to it.
            (false, true) => {
                let explained = codes.contains(&"json-duplicate-key")
                    || codes.iter().all(|code| BEYOND_JSON_SCHEMA.contains(code));
                prop_assert!(
                    explained,
                    "only we refuse the {} {}: {:?}",
                    kind,
                    text,
                    codes
                );
                count(&beyond);
            }
        }
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let shares = (accepted.get(), refused.get(), beyond.get());
    assert!(shares.0 >= CASES / 5 && shares.1 >= CASES / 5, "{shares:?}");
    assert!(shares.2 >= CASES / 50, "{shares:?}");
}

fn validator(kind: DocumentKind) -> jsonschema::Validator {
    let schema: serde_json::Value = serde_json::from_str(&kind.json_schema().unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&schema)
        .unwrap()
}

/// A valid document with up to three changes.
fn near_miss() -> BoxedStrategy<(DocumentKind, Json)> {
    let change = (any::<Index>(), 0..14_u8, odd_text(), wild());
    let document =
        select(&DocumentKind::STRUCTURES[..]).prop_flat_map(|kind| (Just(kind), document(kind)));
    (document, vec(change, 0..4))
        .prop_map(|((kind, mut json), changes)| {
            for (place, change, text, other) in changes {
                let count = json.count();
                json.at(place.index(count), &mut |part| {
                    apply(part, change, &text, &other);
                });
            }
            (kind, json)
        })
        .boxed()
}

fn document(kind: DocumentKind) -> BoxedStrategy<Json> {
    match kind {
        DocumentKind::Tool => vec(declaration(), 1..4)
            .prop_map(|list| object([("function_declarations", Json::Array(list))]))
            .boxed(),
        DocumentKind::Declaration => declaration(),
        DocumentKind::Schema => schema().prop_map(|schema| schema.to_json()).boxed(),
        DocumentKind::Call => (function_name(), wild())
            .prop_map(|(name, arg)| object([("name", name), ("args", object([("a", arg)]))]))
            .boxed(),
        _ => result(),
    }
}

fn declaration() -> BoxedStrategy<Json> {
    (function_name(), schema(), any::<bool>())
        .prop_map(|(name, schema, described)| {
            let mut parameters = schema.to_json();
            if let (true, Json::Object(members)) = (described, &mut parameters) {
                members.push(("description".to_owned(), text("What it is.")));
            }
            object([
                ("name", name),
                ("description", text("Does it.")),
                ("parameters", parameters),
            ])
        })
        .boxed()
}

fn result() -> BoxedStrategy<Json> {
    let success = (function_name(), wild()).prop_map(|(name, content)| {
        object([
            ("name", name),
            ("status", text("SUCCESS")),
            ("content", content),
        ])
    });
    let error = (function_name(), any::<bool>()).prop_map(|(name, typed)| {
        let mut error = vec![("message", text("It failed."))];
        if typed {
            error.push(("type", text("SERVICE_UNAVAILABLE")));
        }
        object([
            ("name", name),
            ("status", text("ERROR")),
            ("error", object(error)),
        ])
    });
    prop_oneof![success, error].boxed()
}

/// Few enough that two functions of a tool often share one.
fn function_name() -> BoxedStrategy<Json> {
    select(&["get", "set", "a-b_c9", "_"][..])
        .prop_map(text)
        .boxed()
}

/// Text on both sides of the rules about names, blank text, types and statuses.
fn odd_text() -> BoxedStrategy<String> {
    let long = ["a".repeat(64), "a".repeat(65), "é".repeat(1_001)];
    let short = [
        "",
        " ",
        "\u{a0}",
        "\u{3000}\u{2003}",
        "\u{200b}",
        "\u{85}",
        "\u{1c}",
        "get",
        "get\n",
        "9a",
        "-a",
        "a b",
        "é",
        "STRING",
        "OBJECT",
        "ARRAY",
        "string",
        "STRING ",
        "SUCCESS",
        "ERROR",
        "success",
        "name",
        "type",
        "enum",
        "required",
        "properties",
        "items",
        "content",
        "error",
    ];
    let all: Vec<String> = short.into_iter().map(str::to_owned).chain(long).collect();
    select(all).boxed()
}

fn apply(part: &mut Json, change: u8, text: &str, other: &Json) {
    match (change, &mut *part) {
        (0 | 1, Json::Object(members)) => drop(members.pop()),
        (2, Json::Object(members)) if !members.is_empty() => drop(members.remove(0)),
        (3, Json::Object(members)) => members.push((text.to_owned(), other.clone())),
        (4, Json::Object(members)) => members.push((text.to_owned(), Json::raw("null"))),
        (5, Json::Object(members)) => {
            let string = Json::String(text.to_owned());
            members.push(("enum".to_owned(), Json::Array(vec![string])));
        }
        (6, Json::Object(members)) => members.extend(members.first().cloned()),
        (7, Json::Object(members)) => members.reverse(),
        (0..4, Json::Array(items)) => items.extend(items.first().cloned()),
        (4..6, Json::Array(items)) => drop(items.pop()),
        (6, Json::Array(items)) => items.push(other.clone()),
        (7, Json::Array(items)) => items.push(Json::String(text.to_owned())),
        (0..9, Json::String(old)) => text.clone_into(old),
        (9, _) => *part = Json::raw("null"),
        (10, _) => *part = other.clone(),
        // Nothing, so that many stay valid.
        _ => {}
    }
}

fn object<'a>(members: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    Json::Object(
        members
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    )
}

fn text(text: &str) -> Json {
    Json::String(text.to_owned())
}
