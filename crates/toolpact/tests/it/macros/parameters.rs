//! The schemas that parameters make.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolpact::returns::StringValue;
use toolpact::{tool, tools};

use super::harness::{call, session, takes};

/// How to sort.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sort {
    Up,
    Down,
}

const MOST: u8 = 9;

/// Has defaults.
#[tool]
fn defaults(
    #[tool(default)] least: u8,
    #[tool(default = MOST)] most: u8,
    #[tool(default = -1.5)] factor: f64,
    #[tool(default = "all")] what: String,
    #[tool(default = "x")] name: &str,
    #[tool(default = Sort::Down)] sort: Sort,
    #[tool(default = vec![1, 2])] list: &[u8],
    #[serde(default)] of_serde: Option<u8>,
    #[tool(default = Some(3))] optional: Option<u8>,
) -> StringValue {
    let numbers = format!("{least} {most} {factor} {list:?} {of_serde:?} {optional:?}");
    StringValue::success(format!("{numbers} {what} {name} {sort:?}"))
}

#[tokio::test]
async fn with_defaults() {
    assert_saved!("with_defaults", takes(defaults::tool()));
    let session = session([defaults::tool()]);
    insta::assert_snapshot!(call(&session, "defaults", "{}").await, @r#"{"success":true,"value":"0 9 -1.5 [1, 2] None Some(3) all x Down"}"#);
    insta::assert_snapshot!(call(&session, "defaults", r#"{"most":1,"sort":"up"}"#).await, @r#"{"success":true,"value":"0 1 -1.5 [1, 2] None Some(3) all x Up"}"#);
}

/// Has attributes of serde and schemars.
#[tool]
fn attributes(
    #[serde(rename = "from")] start: u8,
    #[serde(alias = "end")]
    #[schemars(range(min = 1, max = 5))]
    to: u8,
    #[schemars(length(min = 2), regex(pattern = "^[a-z]+$"))] word: &str,
    #[serde(flatten)] rest: HashMap<String, bool>,
    #[schemars(with = "u8", description = "Said here.")] other: Option<i64>,
) -> StringValue {
    StringValue::success(format!("{start} {to} {word} {} {other:?}", rest.len()))
}

#[tokio::test]
async fn with_attributes() {
    let session = session([attributes::tool()]);
    assert_saved!("with_attributes", takes(attributes::tool()));
    let call = async |args: &str| call(&session, "attributes", args).await;
    insta::assert_snapshot!(call(r#"{"from":1,"to":2,"word":"ab","more":true}"#).await, @r#"{"success":true,"value":"1 2 ab 1 None"}"#);
    insta::assert_snapshot!(call(r#"{"from":1,"to":6,"word":"a"}"#).await, @r#"
!/to: expected at most 5, found the number 6
/word: expected at least 2 characters, found the string "a"
"#);
}

/// A point in time.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct When(#[schemars(extend("format" = "date-time"))] String);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Address {
    /// The street
    /// and number.
    street: String,
    zip: Option<String>,
}

/// Who it is for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Customer {
    name: String,
    address: Option<Address>,
    others: Vec<Address>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Delivery {
    /// To the door.
    Post(Address),
    PickUp {
        at: Option<When>,
    },
}

/// Takes types of all kinds.
#[tool]
async fn kinds(
    /// For whom.
    customer: Customer,
    delivery: Option<Delivery>,
    due: Option<When>,
    sizes: (u8, f32, Option<bool>),
    counts: BTreeMap<String, u32>,
    sort: Sort,
    anything: serde_json::Value,
) -> StringValue {
    let text =
        format!("{customer:?} {delivery:?} {due:?} {sizes:?} {counts:?} {sort:?} {anything}");
    StringValue::success(text)
}

#[tokio::test]
async fn of_all_kinds() {
    assert_saved!("of_all_kinds", takes(kinds::tool()));
    let session = session(tools![kinds]);
    let args = r#"{"customer":{"name":"Ada","others":[]},"sizes":[1,2,null],"counts":{"a":1},
        "sort":"up","anything":null,"delivery":{"by":"post","street":"Main"},"due":"2026-01-01T00:00:00Z"}"#;
    insta::assert_snapshot!(call(&session, "kinds", args).await, @r#"{"success":true,"value":"Customer { name: \"Ada\", address: None, others: [] } Some(Post(Address { street: \"Main\", zip: None })) Some(When(\"2026-01-01T00:00:00Z\")) (1, 2.0, None) {\"a\": 1} Up null"}"#);
    let args = r#"{"customer":{"name":"Ada","others":[],"address":null},"sizes":[1,2],"counts":{"a":-1},
        "sort":"UP","anything":null,"delivery":{"by":"post","street":"Main","floor":3}}"#;
    insta::assert_snapshot!(call(&session, "kinds", args).await, @r#"
!/customer/address: expected the type object, found null
/sizes: expected at least 3 elements, found 2
/counts/a: expected at least 0, found the number -1
/sort: expected one of `up` and `down`, found the string "UP"; did you mean `up`?
/delivery: expected one of 2 alternatives, found an object, which matches none; the nearest says: at /delivery/by expected "pick_up", found the string "post"
"#);
}
