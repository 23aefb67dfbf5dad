//! What `#[tool]` makes of functions.

#![expect(
    clippy::unwrap_used,
    reason = "clippy allows it in tests, but does not know helpers of tests"
)]
#![expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    clippy::unused_unit,
    reason = "the functions are there for their signatures"
)]

/// Compares a text to the file of this name, whichever crate the tests are in.
macro_rules! assert_saved {
    ($name:literal, $text:expr) => {
        insta::with_settings!({prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!($name, $text);
        })
    };
}

mod harness;
mod natural;
mod oracle;
mod outputs;
mod parameters;
mod recursion;
mod signatures;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::{ListResult, StringValue, VoidResult};
use toolpact::{Call, Context, Registry, Session, ToolError, tool, tools};

use crate::world::{Place as _, leaves_out};

/// Greets someone.
///
/// Politely.
#[tool(read_only)]
async fn greet(
    /// Who to greet.
    name: &str,
    /// How often.
    #[tool(default = 1u32)]
    times: u32,
    title: Option<String>,
) -> StringValue {
    let title = title.map(|title| format!("{title} ")).unwrap_or_default();
    StringValue::success(format!("Hello, {title}{name}! ").repeat(times as usize))
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Order {
    /// Its number.
    number: u32,
    note: Option<String>,
}

struct Shop {
    orders: Vec<Order>,
}

impl Shop {
    /// Finds orders.
    #[tool(read_only, timeout_ms = 500)]
    fn search(&self, least: u32, cx: &Context) -> Result<ListResult<Order>, ToolError> {
        if cx.is_cancelled() {
            return Err(ToolError::conflict("too late"));
        }
        let found = self.orders.iter().filter(|order| order.number >= least);
        Ok(ListResult::success(found.cloned().collect()))
    }

    /// Removes an order.
    #[tool(name = "cancel-order", destructive)]
    async fn cancel(&self, order: Order) -> Result<(), std::num::ParseIntError> {
        order.note.unwrap_or_default().parse::<u32>().map(drop)
    }
}

/// Says something.
#[tool(opaque, inline)]
fn say() -> String {
    "something".to_owned()
}

/// Does nothing.
#[tool]
async fn nothing() {}

fn session() -> Session {
    let shop = Arc::new(Shop {
        orders: vec![
            Order {
                number: 1,
                note: None,
            },
            Order {
                number: 7,
                note: Some("7".to_owned()),
            },
        ],
    });
    let registry = Registry::new();
    registry
        .place_all(tools![greet, shop.search, shop.cancel, say, nothing])
        .unwrap();
    registry.session().open().unwrap()
}

#[test]
fn contracts() {
    let session = session();
    let contracts: Vec<String> = session
        .contracts()
        .map(|(_, contract)| contract.to_json())
        .collect();
    assert_saved!("contracts", contracts.join("\n"));
}

#[tokio::test]
async fn calls() {
    let session = session();
    let reply =
        async |json: &str| String::from_utf8(session.call_json(json.as_bytes()).await).unwrap();
    let mut replies = Vec::new();
    for call in [
        r#"{"name":"greet","args":{"name":"Ada"}}"#,
        r#"{"name":"greet","args":{"name":"Ada","times":2.0,"title":"Dr"}}"#,
        r#"{"name":"greet","args":{"name":"Ada","title":null}}"#,
        r#"{"name":"greet","args":{"nam":"Ada"}}"#,
        r#"{"name":"search","args":{"least":5}}"#,
        r#"{"name":"search","args":{"least":-5}}"#,
        r#"{"name":"cancel-order","args":{"order":{"number":1,"note":"x"}}}"#,
        r#"{"name":"cancel-order","args":{"order":{"number":1,"note":"7"}}}"#,
        r#"{"name":"say","args":{}}"#,
        r#"{"name":"say","args":{"what":1}}"#,
        r#"{"name":"nothing","args":{}}"#,
        r#"{"name":"nothng","args":{}}"#,
        r#"{"args":{},"name":"nothing"}"#,
        r#"{"name":"nothing"}"#,
        "[]",
    ] {
        replies.push(format!("{call}\n  {}", reply(call).await));
    }
    assert_saved!("calls", replies.join("\n"));
}

#[tokio::test]
async fn by_type() {
    if leaves_out("macros::by_type") {
        return;
    }
    let session = session();
    let input = greet {
        name: "Ada".to_owned(),
        times: 1,
        title: None,
    };
    let output = session.run(input).await.unwrap();
    assert_eq!(output, StringValue::success("Hello, Ada! "));
    assert_eq!(
        session.run(nothing {}).await.unwrap(),
        VoidResult::success()
    );
    // The function is still one.
    assert_eq!(
        greet("Bo", 1, None).await,
        StringValue::success("Hello, Bo! ")
    );
    let call = Call::from_json(r#"{"name":"greet","args":{"name":"Ada","times":1}}"#).unwrap();
    let completed = session.call(call).await;
    assert_eq!(completed.input::<greet>().unwrap().name, "Ada");
    assert_eq!(
        completed.to_record().text(),
        r#"{"tool":"greet","input":{"name":"Ada","times":1},"output":{"success":true,"value":"Hello, Ada! "}}"#
    );
}
