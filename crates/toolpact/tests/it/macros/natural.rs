//! Tools whose functions return natural values, and types with no more derives than tools need.

use toolpact::returns::{
    BooleanValue, File, FileResult, ListResult, NumberValue, ObjectResult, StringValue, VoidResult,
};
use toolpact::{Call, ToolError, tool, tool_type};

use super::harness::{call, returns, session};

use crate::world::leaves_out;

#[tool_type]
#[derive(Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Order {
    order_number: u32,
}

/// A list.
#[tool(returns = ListResult)]
fn list() -> Vec<Order> {
    vec![Order { order_number: 7 }]
}

/// A list, or an error.
#[tool(returns = toolpact::returns::ListResult<Order>)]
async fn list_or_error(fails: bool) -> Result<Vec<Order>, ToolError> {
    match fails {
        true => Err(ToolError::not_found("There are no orders.")),
        false => Ok(Vec::new()),
    }
}

/// An object.
#[tool(returns = ObjectResult)]
fn object() -> Order {
    Order { order_number: 7 }
}

/// A text.
#[tool(returns = StringValue)]
fn text() -> String {
    "text".to_owned()
}

/// A text that is always the same.
#[tool(returns = StringValue)]
fn constant() -> &'static str {
    "constant"
}

/// An integer.
#[tool(returns = NumberValue)]
fn integer() -> usize {
    5
}

/// A number.
#[tool(returns = NumberValue)]
fn number(divisor: f64) -> f64 {
    1.0 / divisor
}

/// A yes or a no.
#[tool(returns = BooleanValue)]
fn yes() -> bool {
    true
}

/// Nothing.
#[tool(returns = VoidResult)]
fn nothing() {}

/// A file.
#[tool(returns = FileResult)]
fn file() -> Result<File, ToolError> {
    Ok(File::from_bytes("a.txt", *b"abc")?)
}

struct Till(i64);

impl Till {
    /// The balance.
    #[tool(returns = NumberValue)]
    fn balance(&self) -> i64 {
        self.0
    }
}

#[tokio::test]
async fn natural_values_become_what_is_promised() {
    if leaves_out("macros::natural::natural_values_become_what_is_promised") {
        return;
    }
    let till = std::sync::Arc::new(Till(3));
    let session = session(toolpact::tools![
        list,
        list_or_error,
        object,
        text,
        constant,
        integer,
        number,
        yes,
        nothing,
        file,
        till.balance
    ]);
    let order = r#"{"orderNumber":7}"#;
    for (tool, args, expected) in [
        (
            "list",
            "{}",
            format!(r#"{{"success":true,"data":[{order}]}}"#),
        ),
        (
            "list_or_error",
            r#"{"fails":false}"#,
            r#"{"success":true,"data":[]}"#.to_owned(),
        ),
        (
            "list_or_error",
            r#"{"fails":true}"#,
            "!There are no orders.".to_owned(),
        ),
        (
            "object",
            "{}",
            format!(r#"{{"success":true,"data":{order}}}"#),
        ),
        (
            "text",
            "{}",
            r#"{"success":true,"value":"text"}"#.to_owned(),
        ),
        (
            "constant",
            "{}",
            r#"{"success":true,"value":"constant"}"#.to_owned(),
        ),
        ("integer", "{}", r#"{"success":true,"value":5}"#.to_owned()),
        (
            "number",
            r#"{"divisor":2}"#,
            r#"{"success":true,"value":0.5}"#.to_owned(),
        ),
        // There is no infinity in JSON, so this is no number that can be returned.
        ("number", r#"{"divisor":0}"#, "!The tool failed.".to_owned()),
        ("yes", "{}", r#"{"success":true,"value":true}"#.to_owned()),
        ("nothing", "{}", r#"{"success":true}"#.to_owned()),
        ("balance", "{}", r#"{"success":true,"value":3}"#.to_owned()),
    ] {
        assert_eq!(call(&session, tool, args).await, expected, "{tool}");
    }
    assert!(call(&session, "file", "{}").await.contains("YWJj"));
    assert_eq!(returns(list::tool()), "ListResult");
    let typed: ListResult<Order> = session.run(list {}).await.unwrap();
    assert_eq!(typed.into_result().unwrap(), [Order { order_number: 7 }]);
}

/// Neither `Clone` nor `Serialize`.
#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Filter {
    status: String,
}

/// Counts orders.
#[tool(returns = NumberValue)]
fn count_orders(filter: Filter, others: Option<Vec<Filter>>) -> usize {
    filter.status.len() + others.map_or(0, |others| others.len())
}

/// Adds two numbers.
#[tool(returns = NumberValue)]
fn add(a: i64, b: i64, #[tool(default = 0)] c: i64) -> i64 {
    a + b + c
}

#[tokio::test]
async fn parameters_need_only_be_read_and_described() {
    if leaves_out("macros::natural::parameters_need_only_be_read_and_described") {
        return;
    }
    let session = session(toolpact::tools![count_orders, add]);
    let args = r#"{"filter":{"status":"open"},"others":[{"status":"paid"}]}"#;
    let request = format!(r#"{{"name":"count_orders","args":{args}}}"#);
    let completed = session.call(Call::from_json(&request).unwrap()).await;
    assert_eq!(completed.output(), Some(&NumberValue::success(5)));
    let input = completed.input::<count_orders>().unwrap();
    let status = "open".to_owned();
    assert_eq!(input.filter, Filter { status });
    assert!(completed.input::<Filter>().is_none());
    // The record has the arguments that were sent, with integers spelled as such.
    let args = r#"{"a": 1.0, "b": 2}"#;
    let request = format!(r#"{{"name":"add","args":{args}}}"#);
    let completed = session.call(Call::from_json(&request).unwrap()).await;
    let record = completed.to_record();
    let input = record.root().get("input").unwrap();
    assert_eq!(input.text().replace(' ', ""), r#"{"a":1,"b":2}"#);
}
