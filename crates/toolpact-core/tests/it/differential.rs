//! The two paths never disagree: the fast one on bytes, and the one that explains.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};
use toolpact_core::json::Value;
use toolpact_core::schema::JsonSchema;

mod make;

use make::Choices;

/// Runs `check` with random bytes, each time others.
fn with_bytes(cases: u32, check: impl Fn(&[u8])) {
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
