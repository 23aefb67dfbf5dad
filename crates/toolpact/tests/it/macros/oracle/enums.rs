//! Enums in all the ways that serde writes them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{agree, agree_everywhere};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Order {
    number: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Red,
    /// Has a description.
    DarkBlue,
}

#[test]
fn units() {
    agree_everywhere::<Unit>(&[r#""red""#, r#""dark_blue""#]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum External {
    Nothing,
    Number(u8),
    Order(Order),
    Pair(u8, Order),
    Named {
        order: Order,
        #[serde(skip_serializing_if = "Option::is_none")]
        more: Option<bool>,
    },
}

#[test]
fn externally_tagged() {
    agree_everywhere::<External>(&[
        r#""Nothing""#,
        r#"{"Number":1}"#,
        r#"{"Order":{"number":1,"note":"x"}}"#,
        r#"{"Pair":[1,{"number":1}]}"#,
        r#"{"Named":{"order":{"number":1},"more":true}}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal {
    Nothing,
    Order(Order),
    Boxed(Box<Order>),
    Named {
        order: Order,
        #[serde(skip_serializing_if = "Option::is_none")]
        more: Option<bool>,
    },
    Map(BTreeMap<String, u8>),
}

const INTERNAL: [&str; 5] = [
    r#"{"kind":"Nothing"}"#,
    r#"{"kind":"Order","number":1,"note":"x"}"#,
    r#"{"kind":"Boxed","number":1}"#,
    r#"{"kind":"Named","order":{"number":1},"more":true}"#,
    r#"{"kind":"Map","a":1}"#,
];

#[test]
fn internally_tagged() {
    agree::<Internal>(&INTERNAL);
    agree_everywhere::<Internal>(&INTERNAL);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outer")]
enum Tags {
    Inner(Internal),
    Flat(Flat),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    internal: Internal2,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal2 {
    Nothing,
    Order(Order),
    Named { a: u8 },
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Everything {
    tags: Tags,
    internal: Internal2,
    flat: Flat,
    order: Order,
}

#[test]
fn tags_in_tags() {
    let tags = [
        r#"{"outer":"Inner","kind":"Nothing"}"#,
        r#"{"outer":"Inner","kind":"Order","number":1}"#,
        r#"{"outer":"Flat","id":1,"kind":"Order","number":1}"#,
    ];
    agree::<Tags>(&tags);
    agree_everywhere::<Tags>(&tags);
    agree::<Flat>(&[r#"{"id":1,"kind":"Order","number":1,"note":"x"}"#]);
    // Definitions that are used alone and together with others.
    agree::<Everything>(&[
        r#"{"tags":{"outer":"Flat","id":1,"kind":"Named","a":1},"internal":{"kind":"Named","a":1},
            "flat":{"id":1,"kind":"Nothing"},"order":{"number":1}}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value", deny_unknown_fields)]
enum Adjacent {
    Nothing,
    Order(Order),
    Pair(u8, u8),
    Named { a: u8 },
}

#[test]
fn adjacently_tagged() {
    agree_everywhere::<Adjacent>(&[
        r#"{"kind":"Nothing"}"#,
        r#"{"kind":"Order","value":{"number":1}}"#,
        r#"{"kind":"Pair","value":[1,2]}"#,
        r#"{"kind":"Named","value":{"a":1}}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(u8),
    Order(Order),
    Named { id: u8 },
    List(Vec<Order>),
}

const UNTAGGED: [&str; 5] = [
    r#""x""#,
    "1",
    r#"{"number":1,"note":"x"}"#,
    r#"{"id":1}"#,
    r#"[{"number":1}]"#,
];

#[test]
fn untagged() {
    agree_everywhere::<Untagged>(&UNTAGGED);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Order(Order),
    // With a key of its own, values could have the keys of both: the schema would let them, and serde
    // would lose some.
    Named { number: bool },
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct FlatUntagged {
    first: bool,
    #[serde(flatten)]
    either: Either,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct FlatExternal {
    first: bool,
    #[serde(flatten)]
    external: ExternalObjects,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum ExternalObjects {
    Order(Order),
    Named { a: u8 },
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Together {
    flat: FlatUntagged,
    either: Either,
    order: Order,
}

#[test]
fn flattened() {
    let flat = [
        r#"{"first":true,"number":1}"#,
        r#"{"first":true,"number":true}"#,
    ];
    agree::<FlatUntagged>(&flat);
    agree_everywhere::<FlatUntagged>(&flat);
    agree_everywhere::<FlatExternal>(&[
        r#"{"first":true,"Order":{"number":1}}"#,
        r#"{"first":true,"Named":{"a":1}}"#,
    ]);
    agree::<Together>(&[
        r#"{"flat":{"first":true,"number":1},"either":{"number":true},"order":{"number":1}}"#,
    ]);
}
