//! What the prose promises: for each rule, values that break it and no other, and near misses.

mod batches;
mod binary;
mod envelopes;
mod images;
mod lists;
mod operations;
mod voices;

use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::returns::{Enforcer, Level, Returns, StandardType};
use toolpact_core::violation::{Example, Subject, rules};
use toolpact_core::{Violation, Violations};

#[test]
fn examples_of_rules_break_exactly_that_rule() {
    let family = rules::FAMILIES
        .iter()
        .find(|family| family.title == "Meaning of return types")
        .unwrap();
    assert_eq!(family.rules.len(), 27);
    for rule in family.rules {
        assert!(rule.code.starts_with("returns-"), "{}", rule.code);
        assert_eq!(codes(&look_at(&rule.wrong)), [rule.code]);
        let right = look_at(&rule.right);
        assert!(right.is_empty(), "{}: {right}", rule.code);
    }
}

fn look_at(example: &Example) -> Violations {
    let name = match example.subject {
        Subject::ReturnValue(name) => Some(name),
        _ => None,
    };
    let text = std::str::from_utf8(example.text).expect("text");
    look(name.expect("a return value"), text)
}

/// Everything found in a value that has the shape of its type.
fn look(name: &str, text: &str) -> Violations {
    let standard = StandardType::from_name(name).expect("a standard type");
    let document = Document::json(text.as_bytes(), &Limits::default());
    let shape = standard.check_document(Level::Shape, &document);
    assert!(shape.violations.is_empty(), "{text}\n{}", shape.violations);
    verdicts_agree(standard, text);
    standard
        .check_document(Level::Meaning, &document)
        .violations
}

/// The verdict without reasons is that of the explanation.
fn verdicts_agree(standard: StandardType, text: &str) {
    let explained = enforcer(standard).check(&Value::from_json(text).expect("JSON"));
    let fast = enforcer(standard).is_valid(text.as_bytes());
    assert_eq!(fast, explained.is_ok(), "{text}\n{explained:?}");
}

fn enforcer(standard: StandardType) -> Enforcer {
    let returns = Returns::Standard {
        standard,
        refinement: None,
    };
    returns.enforcer(Level::Meaning)
}

fn codes(violations: &Violations) -> Vec<&'static str> {
    violations.iter().map(Violation::code).collect()
}

/// The value breaks this rule once and no other.
fn breaks(rule: &str, name: &str, text: &str) {
    assert_eq!(codes(&look(name, text)), [rule], "{text}");
}

/// The value breaks no rule.
fn holds(name: &str, text: &str) {
    let violations = look(name, text);
    assert!(violations.is_empty(), "{text}\n{violations}");
}

/// The only thing wrong with the value, in words.
fn says(name: &str, text: &str, expected: &str) {
    let violations = look(name, text);
    let lines: Vec<String> = violations.iter().map(|v| v.message().to_owned()).collect();
    assert_eq!(lines, [expected], "{text}");
}

/// What is wrong with a value of any shape.
fn everything(name: &str, text: &str) -> Vec<&'static str> {
    let standard = StandardType::from_name(name).expect("a standard type");
    let document = Document::json(text.as_bytes(), &Limits::default());
    codes(
        &standard
            .check_document(Level::Meaning, &document)
            .violations,
    )
}
