//! Our verdict on arguments against that of the jsonschema crate on the schema we export.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use toolpact_core::json::{Document, Limits};
use toolpact_core::model::ToolDocument;

use crate::generate::{Json, Schema, nearly_valid, schema, valid, wild};

const CASES: u32 = 5_000;

/// How a value was made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sort {
    Valid,
    NearlyValid,
    Wild,
}

/// A function's parameters, and arguments for it.
#[derive(Debug, Clone)]
struct Case {
    parameters: Schema,
    args: Json,
    sort: Sort,
}

#[test]
fn agrees_with_jsonschema() {
    let (accepted, refused, accepted_near) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config {
        cases: CASES,
        // A failure prints its input; no files are left in the source tree.
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&case(), |case| {
        let tool = tool(&case.parameters);
        let (ours, theirs) = (ours(&tool, &case.args), theirs(&tool, &case.args));
        prop_assert_eq!(ours, theirs, "ours and theirs of {}", case.args.to_text());
        prop_assert!(ours || case.sort != Sort::Valid, "valid by construction");
        let count = |counter: &Cell<u32>, is: bool| counter.set(counter.get() + u32::from(is));
        count(&accepted, ours);
        count(&refused, !ours);
        count(&accepted_near, ours && case.sort == Sort::NearlyValid);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    // A test that sees only one side of the line proves nothing about the line.
    let shares = (accepted.get(), refused.get(), accepted_near.get());
    assert_eq!(shares.0 + shares.1, CASES);
    assert!(shares.0 >= CASES / 3 && shares.1 >= CASES / 3, "{shares:?}");
    assert!(shares.2 >= CASES / 50, "{shares:?}");
}

/// Mostly one argument `v`; where the schema is an object, half of the time the arguments
/// themselves, because an object without properties means something else there.
fn case() -> BoxedStrategy<Case> {
    let sort = prop_oneof![
        4 => Just(Sort::Valid),
        4 => Just(Sort::NearlyValid),
        1 => Just(Sort::Wild),
    ];
    (schema(), sort, any::<bool>())
        .prop_flat_map(|(schema, sort, whole)| {
            let value = match sort {
                Sort::Valid => valid(&schema),
                Sort::NearlyValid => nearly_valid(&schema),
                Sort::Wild => wild(),
            };
            value.prop_map(move |value| match (&schema, value) {
                (Schema::Object(list), args @ Json::Object(_)) if whole && !list.is_empty() => {
                    let parameters = schema.clone();
                    Case {
                        parameters,
                        args,
                        sort,
                    }
                }
                // Arguments for a function that takes none are not valid by construction.
                (Schema::Object(_), args @ Json::Object(_)) if whole => {
                    let parameters = schema.clone();
                    let sort = if sort == Sort::Valid {
                        Sort::Wild
                    } else {
                        sort
                    };
                    Case {
                        parameters,
                        args,
                        sort,
                    }
                }
                (_, value) => Case {
                    parameters: Schema::Object(vec![("v".to_owned(), schema.clone(), true)]),
                    args: Json::Object(vec![("v".to_owned(), value)]),
                    sort,
                },
            })
        })
        .boxed()
}

fn tool(parameters: &Schema) -> ToolDocument {
    let text = format!(
        r#"{{"function_declarations":[{{"name":"f","description":"Does it.","parameters":{}}}]}}"#,
        parameters.to_json().to_text()
    );
    ToolDocument::from_json(text).unwrap()
}

fn ours(tool: &ToolDocument, args: &Json) -> bool {
    let call = format!(r#"{{"name":"f","args":{}}}"#, args.to_text());
    let document = Document::json(call.as_bytes(), &Limits::default());
    let checked = tool.check_call_document(&document);
    assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
    checked.value.is_some()
}

fn theirs(tool: &ToolDocument, args: &Json) -> bool {
    let parameters = tool.get("f").unwrap().parameters();
    let exported = parameters.to_arguments_json_schema();
    let validator = jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .build(&exported.deserialize().unwrap())
        .unwrap();
    validator.is_valid(&serde_json::from_str(&args.to_text()).unwrap())
}

/// At the edge of 64 bits the oracle rounds, so the verdicts are ours alone: spelling, whether it
/// is an INTEGER, and what the tool gets.
#[test]
fn integers_at_the_edge() {
    let cases: &[(&str, Option<&str>)] = &[
        ("9223372036854775807", Some("9223372036854775807")),
        ("9223372036854775807.0", Some("9223372036854775807")),
        ("9223372036854775807.000e0", Some("9223372036854775807")),
        ("922337203685477580.7e1", Some("9223372036854775807")),
        ("92233720368547758070e-1", Some("9223372036854775807")),
        ("9223372036854775806.9999999999999999999", None),
        ("9223372036854775807.5", None),
        ("9223372036854775808", None),
        ("9.223372036854775808e18", None),
        ("9223372036854775808.0", None),
        ("18446744073709551615", None),
        ("1e19", None),
        ("-9223372036854775808", Some("-9223372036854775808")),
        ("-9223372036854775808.0", Some("-9223372036854775808")),
        ("-9.223372036854775808E+18", Some("-9223372036854775808")),
        ("-9223372036854775809", None),
        ("-9223372036854775808.1", None),
        // Beyond 2^53, where floats have gaps.
        ("9007199254740993", Some("9007199254740993")),
        ("9007199254740993.0", Some("9007199254740993")),
        ("9007199254740992.5", None),
        ("0.1e1", Some("1")),
        ("1e-1", None),
        // Zero to a float, and to the oracle, but not whole by its value.
        ("1e-400", None),
        ("0e400", Some("0")),
        ("-0", Some("0")),
        ("-0.0", Some("0")),
        ("1e400", None),
        ("123456789e-999999999999999999999", None),
    ];
    let integer = tool(&Schema::Object(vec![(
        "v".to_owned(),
        Schema::Integer,
        true,
    )]));
    let number = tool(&Schema::Object(vec![(
        "v".to_owned(),
        Schema::Number,
        true,
    )]));
    for (spelling, expected) in cases {
        let call = format!(r#"{{"name":"f","args":{{"v":{spelling}}}}}"#);
        let document = Document::json(call.as_bytes(), &Limits::default());
        let checked = integer.check_call_document(&document).value;
        let got = checked.map(|call| call.args().root().get("v").unwrap().text().to_owned());
        assert_eq!(got.as_deref(), *expected, "{spelling} as INTEGER");
        // A NUMBER may be of any size that a float can hold, and stays as it was spelled.
        let checked = number.check_call_document(&document).value;
        let got = checked.map(|call| call.args().root().get("v").unwrap().text().to_owned());
        let finite = *spelling != "1e400";
        assert_eq!(
            got.as_deref(),
            finite.then_some(*spelling),
            "{spelling} as NUMBER"
        );
    }
}
