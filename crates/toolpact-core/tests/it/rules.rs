//! The table of rules shows what it says: each wrong example breaks its rule and no other.

use std::collections::HashSet;

use toolpact_core::adl::AgentDocument;
use toolpact_core::contract::ContractDocument;
use toolpact_core::document::AnyDocument;
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::lint;
use toolpact_core::model::{FunctionCall, FunctionDeclaration, Schema, ToolDocument, ToolResult};
use toolpact_core::returns::{Level, ReturnType, Returns, StandardType};
use toolpact_core::schema::JsonSchema;
use toolpact_core::toolset::Toolset;
use toolpact_core::violation::{Example, Subject, rules};
use toolpact_core::{Violation, Violations};

#[test]
fn codes_are_unique_and_kebab_case() {
    let mut seen = HashSet::new();
    for rule in rules::all() {
        let kebab = |word: &str| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        assert!(rule.code.split('-').all(kebab), "{}", rule.code);
        assert!(seen.insert(rule.code), "{} is there twice", rule.code);
        assert!(std::ptr::eq(rules::find(rule.code).unwrap(), rule));
    }
    assert!(rules::find("no-such-rule").is_none());
}

#[test]
fn every_rule_explains_itself() {
    for rule in rules::all() {
        assert!(rule.title.ends_with('.'), "{}: {}", rule.code, rule.title);
        assert!(rule.explanation.ends_with('.'), "{}", rule.code);
        assert!(!rule.wrong.text.is_empty(), "{}", rule.code);
        assert!(!rule.right.text.is_empty(), "{}", rule.code);
        assert_eq!(rule.wrong.subject, rule.right.subject, "{}", rule.code);
    }
}

#[test]
fn every_wrong_example_breaks_exactly_its_rule() {
    for rule in rules::all() {
        let violations = check(&rule.wrong);
        let codes: Vec<_> = violations.iter().map(Violation::code).collect();
        assert_eq!(codes, [rule.code], "{violations}");
        assert_eq!(violations.omitted(), 0);
        assert_eq!(violations.iter().next().unwrap().severity(), rule.severity);
    }
}

#[test]
fn every_right_example_breaks_none() {
    for rule in rules::all() {
        let violations = check(&rule.right);
        assert!(violations.is_empty(), "{}: {violations}", rule.code);
    }
}

fn check(example: &Example) -> Violations {
    let limits = match example.subject {
        Subject::LimitedJson { depth, bytes } => Limits::default().depth(depth).bytes(bytes),
        _ => Limits::default(),
    };
    let document = match example.subject {
        Subject::Yaml => Document::yaml(example.text, &limits),
        _ => Document::json(example.text, &limits),
    };
    match example.subject {
        Subject::Json | Subject::LimitedJson { .. } | Subject::Yaml => document.violations(),
        Subject::Any => AnyDocument::check(&document, None).violations,
        Subject::Tool => ToolDocument::check(&document).violations,
        Subject::Declaration => FunctionDeclaration::check(&document).violations,
        Subject::Schema => Schema::check(&document).violations,
        Subject::Call => FunctionCall::check(&document).violations,
        Subject::CallTo(tool) => {
            let tool = ToolDocument::from_json(tool).unwrap();
            tool.check_call_document(&document).violations
        }
        Subject::Result => ToolResult::check(&document).violations,
        Subject::ResultOf(call) => {
            let call = Some(call.as_bytes());
            Toolset::open()
                .check_result_message(example.text, call, &limits)
                .violations
        }
        Subject::JsonSchema => JsonSchema::check_document(&document).violations,
        Subject::ValueOf(schema) => {
            let schema = JsonSchema::from_value(&Value::from_json(schema).unwrap()).unwrap();
            let enforcer = Returns::Custom(schema).enforcer(Level::Meaning);
            enforcer.check_document(&document).violations
        }
        Subject::ReturnType => ReturnType::check(&document).violations,
        Subject::ReturnValue(name) => {
            let standard = StandardType::from_name(name).unwrap();
            standard
                .check_document(Level::Meaning, &document)
                .violations
        }
        Subject::Contract => ContractDocument::check(&document).violations,
        Subject::Lint => {
            let read = AnyDocument::check(&document, None).violations;
            read.and(lint::document(&document, None, &lint::Selection::all()))
        }
        Subject::Agent => AgentDocument::check(&document).violations,
        other => panic!("no way to check {other:?}"),
    }
}
