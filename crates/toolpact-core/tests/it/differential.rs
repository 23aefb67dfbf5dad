//! The two paths never disagree: the fast one on bytes, and the one that explains.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::ToolDocument;
use toolpact_core::returns::{Level, Returns, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::toolset::{Function, Toolset};

pub(crate) mod make;

pub(crate) use make::Choices;

/// Runs `check` with random bytes, each time others.
pub(crate) fn with_bytes(cases: u32, check: impl Fn(&[u8])) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&vec(any::<u8>(), 0..400), |bytes| {
            check(&bytes);
            Ok(())
        })
        .unwrap();
}

fn toolset(tool: &ToolDocument) -> Toolset {
    Toolset::new(tool.declarations().map(Function::from)).unwrap()
}

/// Whether a text is valid by the path that explains.
fn explained(checker: &toolpact_core::check::Checker, text: &[u8]) -> bool {
    Value::from_json(text).is_ok_and(|value| checker.check(&value).is_ok())
}

#[test]
fn json_schemas() {
    let (fast, valid, all) = (Counter::default(), Counter::default(), Counter::default());
    with_bytes(4_000, |bytes| {
        let choices = &mut Choices(bytes);
        let text = make::schema(choices);
        let Ok(schema) = Value::from_json(&text).and_then(|value| JsonSchema::from_value(&value))
        else {
            return;
        };
        let parsed = serde_json::from_str(&text).unwrap();
        for checker in [schema.checker(), schema.shape_checker()] {
            for _ in 0..3 {
                let value = make::value_for(&parsed, &parsed, choices, 5);
                let value = make::spoil(value, choices);
                let expected = explained(&checker, &value);
                let shown = String::from_utf8_lossy(&value);
                assert_eq!(checker.is_valid(&value), expected, "{text}\n{shown}");
                all.add(true);
                fast.add(checker.uncovered().is_none());
                valid.add(expected);
            }
        }
    });
    // The test would say nothing if one side were empty.
    assert!(
        fast.share(&all) > 0.5,
        "{fast:?} of {all:?} on the fast path"
    );
    assert!(
        (0.1..0.9).contains(&valid.share(&all)),
        "{valid:?} of {all:?} valid"
    );
}

/// Every keyword about numbers with every number, one by one and two together.
#[test]
fn numbers_at_their_limits() {
    let keywords = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
    ];
    let limits = [
        "-1",
        "0",
        "-0.0",
        "1.0",
        "1.5",
        "3",
        "0.1",
        "9007199254740993",
        "1e300",
    ];
    let numbers = [
        "-2",
        "-1",
        "-1.0",
        "-0",
        "0.0",
        "0.1",
        "0.3",
        "1",
        "1.0",
        "1.49",
        "1.5",
        "1.50",
        "1.51",
        "15e-1",
        "3",
        "3.0",
        "4.5",
        "9007199254740992",
        "9007199254740993",
        "9007199254740994.0",
        "1e300",
        "1.0000000000000000000001",
    ];
    let mut compared = 0;
    for (keyword, limit) in keywords
        .iter()
        .flat_map(|k| limits.map(|limit| (*k, limit)))
    {
        for other in [
            "",
            r#","minimum":0"#,
            r#","type":"integer""#,
            r#","enum":[1,1.5,"a"]"#,
        ] {
            let text = format!(r#"{{"{keyword}":{limit}{other}}}"#);
            let schema = Value::from_json(&text).and_then(|value| JsonSchema::from_value(&value));
            // Among them: the same keyword twice, and multiples of nothing.
            let Ok(schema) = schema else { continue };
            let checker = schema.checker();
            for number in numbers {
                let expected = explained(&checker, number.as_bytes());
                assert_eq!(
                    checker.is_valid(number.as_bytes()),
                    expected,
                    "{text} {number}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 3_000, "{compared}");
}

/// What the fuzzer found.
#[test]
fn found_by_fuzzing() {
    let found = [
        // A condition on keys that names none.
        (
            r#"{"type": "object", "not": {"required": [], "type": "object"}}"#,
            r#"{"b": 1}"#,
        ),
        (
            r#"{"type": "object", "oneOf": [{"required": []}, {"required": []}]}"#,
            "{}",
        ),
    ];
    for (schema, value) in found {
        let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
        let checker = schema.checker();
        assert_eq!(checker.uncovered(), None);
        let expected = explained(&checker, value.as_bytes());
        assert_eq!(
            checker.is_valid(value.as_bytes()),
            expected,
            "{schema:?} {value}"
        );
    }
}

/// Guesses are about the first 64 keys; there may be more, and more than a byte can count.
#[test]
fn objects_of_many_keys() {
    let keys = |list: &[usize]| {
        let members: Vec<String> = list.iter().map(|i| format!(r#""k{i}":1"#)).collect();
        format!("{{{}}}", members.join(","))
    };
    let names = |count: usize, value: &str| {
        let members: Vec<String> = (0..count).map(|i| format!(r#""k{i}"{value}"#)).collect();
        members.join(",")
    };
    let properties = format!(r#""properties":{{{}}}"#, names(300, ":true"));
    let first: Vec<usize> = (0..63).chain([64, 255]).collect();
    let texts = [
        keys(&[63, 255]),
        keys(&[64, 255, 0, 255]),
        keys(&[64, 255, 63]),
        keys(&[63, 64, 63]),
        keys(&first),
        keys(&(0..300).collect::<Vec<_>>()),
        keys(&(0..300).rev().collect::<Vec<_>>()),
    ];
    let required = format!(r#""required":[{}]"#, names(64, ""));
    for other in [
        "\"title\":\"\"",
        &required,
        "\"maxProperties\":2",
        "\"minProperties\":2",
    ] {
        let schema = format!("{{{properties},{other}}}");
        let schema = JsonSchema::from_value(&Value::from_json(&schema).unwrap()).unwrap();
        let checker = schema.checker();
        assert_eq!(checker.uncovered(), None);
        // Twice, because the first teaches what to expect.
        for text in texts.iter().chain(&texts) {
            let expected = explained(&checker, text.as_bytes());
            assert_eq!(
                checker.is_valid(text.as_bytes()),
                expected,
                "{other} {text}"
            );
        }
    }
    let tool = format!(
        r#"{{"function_declarations":[{{"name":"f","description":"d","parameters":{{"type":"OBJECT",
            "properties":{{{}}}}}}}]}}"#,
        names(300, r#":{"type":"INTEGER"}"#)
    );
    let tool = ToolDocument::from_json(&tool).unwrap();
    let tools = toolset(&tool);
    for args in texts.iter().chain(&texts) {
        let call = format!(r#"{{"name":"f","args":{args}}}"#);
        let document = Document::json(call.as_bytes(), &Limits::default());
        let expected = tool.check_call_document(&document).value.is_some();
        assert_eq!(tools.is_valid_call(call.as_bytes()), expected, "{call}");
    }
}

/// A reference is one however it is spelled.
#[test]
fn escaped_references() {
    for (schema, value) in [
        (
            r##"{"type":["array","string"],"contains":{"\u0024ref":"#"}}"##,
            "[1]",
        ),
        (
            r##"{"maxLength":1,"propertyNames":{"\u0024ref":"#"}}"##,
            r#"{"ab":1}"#,
        ),
        (
            r##"{"anyOf":[{"type":"string"},{"type":"array"}],"contains":{"$\u0072ef":"#"}}"##,
            "[1]",
        ),
        (
            r##"{"items":{"$\u0072ef":"#/$defs/a"},"$defs":{"a":{"type":"null"}}}"##,
            "[1]",
        ),
    ] {
        let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
        let checker = schema.checker();
        assert!(!explained(&checker, value.as_bytes()), "{schema:?}");
        assert!(!checker.is_valid(value.as_bytes()), "{schema:?}");
    }
}

/// What the fast path is sure of is valid, however much work it would be for the other.
#[test]
fn values_that_are_much_work() {
    let joined = |count: usize, one: &dyn Fn(usize) -> String| {
        let all: Vec<String> = (0..count).map(one).collect();
        all.join(",")
    };
    let integers = joined(20_000, &|i| i.to_string());
    let fractions = joined(20_000, &|i| format!("{i}.5"));
    let types = joined(5_000, &|_| r#"{"type":["array","number"]}"#.to_owned());
    let long = r#"{"type":"string","pattern":"(a?){300}(b?){300}((ab?c?){0,60}){0,60}$"}"#;
    for (schema, value) in [
        (
            format!(r#"{{"items":{{"enum":[{integers}]}}}}"#),
            format!("[{}]", joined(2_000, &|i| (i * 9).to_string())),
        ),
        (
            format!(r#"{{"items":{{"enum":[{fractions}]}}}}"#),
            format!("[{}]", joined(2_000, &|i| format!("{}.5", i * 9))),
        ),
        (
            format!(r##"{{"allOf":[{types}],"items":{{"$ref":"#"}}}}"##),
            format!("[{}]", joined(400, &|_| "1".to_owned())),
        ),
        (long.to_owned(), format!("\"{}\"", "ab".repeat(2_000))),
    ] {
        let schema = JsonSchema::from_value(&Value::from_json(&schema).unwrap()).unwrap();
        let checkers = [schema.checker(), schema.shape_checker()];
        let enforcer = Returns::Custom(schema).enforcer(Level::Meaning);
        let read = Value::from_json(&value).unwrap();
        let valid = enforcer.is_valid(value.as_bytes());
        assert_eq!(enforcer.check(&read).is_ok(), valid);
        assert_eq!(enforcer.check_json(value.as_bytes()).is_ok(), valid);
        for checker in checkers {
            assert_eq!(checker.is_valid(value.as_bytes()), valid);
            assert_eq!(checker.check(&read).is_ok(), valid);
            assert_eq!(checker.check_json(value.as_bytes()).is_ok(), valid);
        }
    }
}

#[test]
fn calls() {
    let (valid, all) = (Counter::default(), Counter::default());
    with_bytes(3_000, |bytes| {
        let choices = &mut Choices(bytes);
        let text = format!(
            r#"{{"function_declarations":[
                {{"name":"first","description":"d","parameters":{}}},
                {{"name":"second","description":"d","parameters":{}}}]}}"#,
            make::adm_object(choices, 3),
            make::adm_object(choices, 2),
        );
        let tool = ToolDocument::from_json(&text).unwrap();
        let tools = toolset(&tool);
        let schemas = ["first", "second"].map(|name| {
            let schema = tool
                .get(name)
                .unwrap()
                .parameters()
                .to_arguments_json_schema();
            serde_json::from_str::<serde_json::Value>(schema.text()).unwrap()
        });
        for _ in 0..4 {
            let schema = &schemas[usize::from(all.0.get() % 2 == 0)];
            let args = make::value_for(schema, schema, choices, 5);
            let call = make::spoil(make::call(&args, choices), choices);
            let document = Document::json(&call, &Limits::default());
            let expected = tool.check_call_document(&document).value.is_some();
            let shown = String::from_utf8_lossy(&call);
            assert_eq!(tools.is_valid_call(&call), expected, "{text}\n{shown}");
            all.add(true);
            valid.add(expected);
        }
    });
    assert!(
        (0.1..0.9).contains(&valid.share(&all)),
        "{valid:?} of {all:?} valid"
    );
}

/// The standard types, alone and narrowed.
#[test]
fn results() {
    let (valid, all) = (Counter::default(), Counter::default());
    let narrowed = r#"{"required": ["note"], "properties": {"note": {"format": "date"}}}"#;
    let narrowed = JsonSchema::from_value(&Value::from_json(narrowed).unwrap()).unwrap();
    let mut enforcers = Vec::new();
    for standard in StandardType::all() {
        for level in [Level::Shape, Level::Meaning] {
            for refinement in [None, Some(narrowed.clone())] {
                let returns = Returns::Standard {
                    standard,
                    refinement,
                };
                enforcers.push((standard, returns.enforcer(level)));
            }
        }
    }
    for level in [Level::Shape, Level::Meaning] {
        let custom = Returns::Custom(narrowed.clone()).enforcer(level);
        enforcers.push((StandardType::ObjectResult, custom));
        let opaque = Returns::Opaque.enforcer(level);
        enforcers.push((StandardType::VoidResult, opaque));
    }
    for (_, enforcer) in &enforcers {
        assert_eq!(enforcer.uncovered(), None);
    }
    with_bytes(2_000, |bytes| {
        let choices = &mut Choices(bytes);
        for (standard, enforcer) in &enforcers {
            let examples = standard.examples();
            let example = &examples[all.0.get() as usize % examples.len()];
            let mut text = make::changed(example.text(), choices);
            if choices.0.len() % 3 == 0 && text.ends_with('}') {
                text.insert_str(text.len() - 1, ",\"note\":\"2026-02-15\"");
            }
            let text = make::spoil(text, choices);
            let document = Document::json(&text, &Limits::default());
            let expected = enforcer.check_document(&document).value.is_some();
            let shown = String::from_utf8_lossy(&text);
            assert_eq!(enforcer.is_valid(&text), expected, "{standard}\n{shown}");
            all.add(true);
            valid.add(expected);
        }
    });
    assert!(
        (0.1..0.9).contains(&valid.share(&all)),
        "{valid:?} of {all:?} valid"
    );
}

#[derive(Debug, Default)]
struct Counter(std::cell::Cell<u32>);

impl Counter {
    fn add(&self, one: bool) {
        self.0.set(self.0.get() + u32::from(one));
    }

    fn share(&self, all: &Counter) -> f64 {
        f64::from(self.0.get()) / f64::from(all.0.get())
    }
}
