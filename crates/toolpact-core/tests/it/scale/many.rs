//! Long strings, many members, many mistakes.

use toolpact_core::Violations;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits, Value};
use toolpact_core::model::{FunctionCall, Schema, ToolDocument};

use super::{MANY, assert_capped, codes, list, tool, tool_text};

/// Properties that are all required.
fn properties(count: usize) -> String {
    let properties = list(count, |i| format!(r#""property_{i}":{{"type":"INTEGER"}}"#));
    let required = list(count, |i| format!(r#""property_{i}""#));
    format!(r#"{{"type":"OBJECT","properties":{{{properties}}},"required":[{required}]}}"#)
}

fn check_call(tool: &ToolDocument, args: &str) -> Violations {
    let call = format!(r#"{{"name":"f","args":{args}}}"#);
    let document = Document::json(call.as_bytes(), &Limits::default());
    tool.check_call_document(&document).violations
}

#[test]
fn a_hundred_thousand_properties() {
    let tool = tool(&properties(MANY));
    let args = list(MANY, |i| format!(r#""property_{i}":{i}.0"#));
    let call = format!(r#"{{"name":"f","args":{{{args}}}}}"#);
    let call = FunctionCall::from_json(call).unwrap();
    let checked = tool.check_call(&call).unwrap();
    assert!(
        checked
            .args()
            .text()
            .ends_with(r#""property_99999":99999}"#)
    );
    assert!(tool == tool.clone());
    assert_eq!(
        ToolDocument::from_json(tool.to_canonical())
            .unwrap()
            .digest(),
        tool.digest()
    );

    assert_capped(&check_call(&tool, "{}"), MANY);
    let unknown = list(MANY, |i| format!(r#""porperty_{i}":1"#));
    assert_capped(&check_call(&tool, &format!("{{{unknown}}}")), 2 * MANY);
    let wrong = list(MANY, |i| format!(r#""property_{i}":null"#));
    assert_capped(&check_call(&tool, &format!("{{{wrong}}}")), MANY);
}

#[test]
fn a_hundred_thousand_functions() {
    let function = |name: String| {
        format!(r#"{{"name":"{name}","description":"Does it.","parameters":{{"type":"OBJECT"}}}}"#)
    };
    let tool = |name: fn(usize) -> String| {
        let functions = list(MANY, |i| function(name(i)));
        ToolDocument::from_json(format!(r#"{{"function_declarations":[{functions}]}}"#))
    };
    assert_eq!(
        tool(|i| format!("f{i}")).unwrap().declarations().len(),
        MANY
    );
    assert_capped(&tool(|_| "f".to_owned()).unwrap_err(), MANY - 1);
    assert_capped(&tool(|i| format!("{i}f")).unwrap_err(), MANY);
}

#[test]
fn a_hundred_thousand_values_in_an_enum() {
    let values = list(MANY, |i| format!(r#""value {i}""#));
    let schema = format!(r#"{{"type":"STRING","enum":[{values}]}}"#);
    let items = format!(r#"{{"type":"ARRAY","items":{schema}}}"#);
    let tool = tool(&format!(
        r#"{{"type":"OBJECT","properties":{{"v":{items}}}}}"#
    ));
    let good = check_call(&tool, &format!(r#"{{"v":[{values}]}}"#));
    assert!(good.is_empty());
    let bad = list(MANY, |i| format!(r#""Value {i}""#));
    assert_capped(&check_call(&tool, &format!(r#"{{"v":[{bad}]}}"#)), MANY);

    let twice = format!(r#"{{"type":"STRING","enum":[{values},{values}]}}"#);
    assert_capped(&Schema::from_json(twice).unwrap_err(), MANY);
}

/// The longest names that are still compared: suggestions stop before they cost too much.
#[test]
fn suggestions_have_a_bound() {
    let name = |i: usize| format!("{i:0>64}");
    let properties = list(1_000, |i| format!(r#""{}":{{"type":"STRING"}}"#, name(i)));
    let tool = tool(&format!(
        r#"{{"type":"OBJECT","properties":{{{properties}}}}}"#
    ));
    let args = list(1_000, |i| {
        format!(r#""{}":"""#, name(i).replacen('0', "o", 2))
    });
    let violations = check_call(&tool, &format!("{{{args}}}"));
    assert_eq!(violations.errors(), 1_000);
    let suggested = violations
        .iter()
        .filter(|v| v.suggestion().is_some())
        .count();
    assert!((1..100).contains(&suggested), "{suggested}");
}

/// What is not listed still counts.
#[test]
fn a_limit_of_no_violations() {
    let none = Limits::default().violations(0);
    let document = Document::json(br#"{"type":"string","enum":[],"a":1,"a":2}"#, &none);
    let checked = Schema::check(&document);
    assert!(checked.value.is_none());
    assert_eq!(
        (checked.violations.len(), checked.violations.errors()),
        (0, 5)
    );
    assert!(!checked.violations.is_empty());
}

#[test]
fn a_hundred_thousand_duplicate_keys() {
    for key in [r#""key":1"#, r#""k\u0065y":1"#] {
        let text = format!("{{{}}}", list(MANY, |_| key.to_owned()));
        assert_capped(&Value::from_json(text).unwrap_err(), MANY - 1);
    }
}

#[test]
fn a_hundred_thousand_mistakes_that_can_be_fixed() {
    let items = list(MANY, |_| "[1,]/* c */".to_owned());
    let document = Document::json(format!("[{items}]").as_bytes(), &Limits::default());
    assert_capped(&document.violations(), 2 * MANY);
    let types = list(MANY, |i| {
        format!(r#""p{i}":{{"type":"string","description":null}}"#)
    });
    let schema = format!(r#"{{"type":"OBJECT","properties":{{{types}}}}}"#);
    let document = Document::json(schema.as_bytes(), &Limits::default());
    let all = Limits::default().violations(usize::MAX);
    assert_capped(&Schema::check(&document).violations, 2 * MANY);
    let document = Document::json(schema.as_bytes(), &all);
    let violations = Schema::check(&document).violations;
    assert_eq!((violations.len(), violations.omitted()), (2 * MANY, 0));
}

#[test]
fn a_string_of_ten_megabytes() {
    let long = "bcd\\u0041é".repeat(1_000_000);
    let parameters = format!(
        r#"{{"type":"OBJECT","properties":{{"v":{{"type":"STRING","enum":["{long}","x"]}}}}}}"#
    );
    let tool = ToolDocument::from_json(tool_text(&parameters)).unwrap();
    assert!(check_call(&tool, &format!(r#"{{"v":"{long}"}}"#)).is_empty());
    assert_eq!(tool.digest(), tool.clone().digest());
    let violations = check_call(&tool, &format!(r#"{{"v":"{long}x"}}"#));
    assert_eq!(codes(&violations), ["value-enum"]);
    assert!(violations.to_string().len() < 1_000);
    let violations = check_call(&tool, &format!(r#"{{"{long}":1}}"#));
    assert_eq!(codes(&violations), ["value-unknown-key"]);
    assert!(violations.to_string().len() < 1_000);

    let digits = "1".repeat(1_000_000);
    let violations = check_call(&tool, &format!(r#"{{"v":0.{digits}}}"#));
    assert_eq!(codes(&violations), ["value-type"]);
    assert_eq!(
        codes(&Value::from_json(&digits).unwrap_err()),
        ["json-number-overflow"]
    );
}

/// A thousand pointers through one key of a megabyte share it, and messages shorten it.
#[test]
fn a_key_of_a_megabyte_with_many_mistakes_under_it() {
    let key = "k".repeat(1_000_000);
    let under = list(MANY, |i| format!(r#""p{i}":{{"type":"bogus"}}"#));
    let schema = format!(
        r#"{{"type":"OBJECT","properties":{{"{key}":{{"type":"OBJECT","properties":{{{under}}}}}}}}}"#
    );
    assert_capped(&Schema::from_json(schema).unwrap_err(), MANY);

    // All at the key itself.
    let inner = properties(MANY);
    let tool = tool(&format!(
        r#"{{"type":"OBJECT","properties":{{"{key}":{inner}}}}}"#
    ));
    let violations = check_call(&tool, &format!(r#"{{"{key}":{{}}}}"#));
    assert_capped(&violations, MANY);
    let first = violations.iter().next().unwrap();
    assert_eq!(
        first.pointer().to_string().len(),
        "/args/".len() + key.len()
    );
}

#[test]
fn one_line_of_many_mistakes() {
    let items = list(MANY, |_| r#"{"name":"9","args":{}}"#.to_owned());
    let document = Document::json(format!("[{items}]").as_bytes(), &Limits::default());
    let violations = AnyDocument::check_each(&document, Some(DocumentKind::Call)).violations;
    assert_capped(&violations, MANY);
    let last = violations.iter().last().unwrap();
    assert_eq!(last.location().unwrap().line, 1);
    assert_eq!(last.location().unwrap().column, 2 + 999 * 23 + 8);
}
