//! What tools return.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::define::IntoDefinition as _;
use toolpact::returns::{FileResult, ListResult, NumberValue, StringValue, VoidResult};
use toolpact::{Definition, ToolError, tool, tools};

use super::harness::{call, returns, session};

/// A result of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Report<T> {
    lines: Vec<T>,
}

/// Is standard.
#[tool]
fn standard() -> StringValue {
    StringValue::success("x")
}

/// Has a parameter.
#[tool]
fn list() -> ListResult<Report<u8>> {
    ListResult::success(vec![Report { lines: vec![1] }])
}

/// Is of its own kind.
#[tool]
fn custom() -> Report<BTreeMap<String, u8>> {
    Report { lines: Vec::new() }
}

/// Is many.
#[tool]
fn many() -> Vec<u8> {
    vec![1, 2]
}

/// Is text.
#[tool(opaque)]
async fn text() -> Result<String, ToolError> {
    Ok("text".to_owned())
}

/// Is nothing.
#[tool]
fn nothing() -> () {}

fn three() -> NumberValue {
    NumberValue::success(3)
}

/// Shows what it returns.
#[tool(example = three)]
fn shown() -> NumberValue {
    three()
}

fn a_file() -> serde_json::Value {
    serde_json::json!({"success": true, "file": {"name": "a.csv", "url": "https://example.com/a.csv"}})
}

/// Says what is in the file.
#[tool(example = a_file, content_type = "text/csv")]
fn file() -> Result<FileResult, ToolError> {
    Err(ToolError::not_found("There is none."))
}

/// Shows something else than it returns.
#[tool(example = a_file)]
fn wrongly_shown() -> NumberValue {
    three()
}

/// Shows what nobody can write.
#[tool(example = unwritable)]
fn unshown() {}

fn unwritable() -> BTreeMap<[u8; 2], u8> {
    BTreeMap::from([([1, 2], 3)])
}

#[test]
fn examples_are_part_of_the_contract_and_held_to_it() {
    let contract = |tool: Definition| tool.contract().clone();
    let shown = contract(shown::tool().into_definition().unwrap());
    let examples = shown.return_type().unwrap().examples();
    assert_eq!(examples[0].text(), r#"{"success":true,"value":3}"#);
    let file = contract(file::tool().into_definition().unwrap());
    assert_eq!(file.return_type().unwrap().content_type(), "text/csv");
    assert_eq!(file.return_type().unwrap().examples().len(), 1);
    let wrong = wrongly_shown::tool().into_definition().unwrap_err();
    assert!(wrong.violations().is_some(), "{wrong}");
    let unshown = unshown::tool().into_definition().unwrap_err();
    assert!(
        unshown.to_string().contains("key must be a string"),
        "{unshown}"
    );
}

#[test]
fn promises() {
    assert_eq!(returns(standard::tool()), "StringValue");
    assert_eq!(returns(list::tool()), "ListResult");
    assert_eq!(returns(custom::tool()), "Custom");
    assert_eq!(returns(many::tool()), "Custom");
    assert_eq!(returns(text::tool()), "opaque");
    assert_eq!(returns(nothing::tool()), "VoidResult");
}

/// An alias of one parameter.
type Result<T, E = Failed> = std::result::Result<T, E>;

#[derive(Debug)]
struct Failed(&'static str);

/// What callers are told.
impl From<Failed> for ToolError {
    fn from(failed: Failed) -> Self {
        ToolError::conflict(failed.0)
    }
}

/// Fails in a way of its own.
#[tool]
fn of_alias() -> Result<NumberValue> {
    Err(Failed("It is so."))
}

/// Fails to read.
#[tool]
fn of_io(path: &str) -> std::io::Result<StringValue> {
    std::fs::read_to_string(path).map(StringValue::success)
}

/// Fails and says why.
#[tool]
async fn of_standard() -> Result<(), StandardError> {
    Err(StandardError::new(ErrorKind::NotFound, "There is none."))
}

/// Does not fail.
#[tool]
async fn works() -> Result<VoidResult, std::fmt::Error> {
    Ok(VoidResult::success())
}

#[tokio::test]
async fn failures() {
    let session = session(tools![of_alias, of_io, of_standard, works, many, nothing]);
    let call = async |name: &str, args: &str| call(&session, name, args).await;
    insta::assert_snapshot!(call("of_alias", "{}").await, @"!It is so.");
    insta::assert_snapshot!(call("of_io", r#"{"path":"/no/such/file"}"#).await, @"!The tool failed.");
    insta::assert_snapshot!(call("of_standard", "{}").await, @"!There is none.");
    insta::assert_snapshot!(call("works", "{}").await, @r#"{"success":true}"#);
    insta::assert_snapshot!(call("many", "{}").await, @"[1,2]");
    insta::assert_snapshot!(call("nothing", "{}").await, @r#"{"success":true}"#);
}

mod texts {
    use super::Report;

    pub(super) fn report(report: &Report<u8>) -> String {
        format!("{} lines", report.lines.len())
    }
}

/// Is read in a way of its own.
#[tool(text = texts::report, inline)]
fn with_text() -> Report<u8> {
    Report { lines: vec![1, 2] }
}

/// Is read by a template.
#[tool(template = "{{ lines | length }} lines", blocking)]
async fn with_template() -> Report<u8> {
    with_text()
}

#[tokio::test]
async fn texts_of_results() {
    let session = session(tools![with_text, with_template]);
    for name in ["with_text", "with_template"] {
        let json = format!(r#"{{"name":"{name}","args":{{}}}}"#);
        let completed = session
            .call(toolpact::Call::from_json(&json).unwrap())
            .await;
        assert_eq!(completed.text(), "2 lines");
    }
}
