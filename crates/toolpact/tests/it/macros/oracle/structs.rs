//! Structs, maps and what is flattened into others.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{agree, agree_everywhere};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Order {
    number: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default)]
    urgent: bool,
}

#[test]
fn structs() {
    let orders = [
        r#"{"number":1}"#,
        r#"{"number":1,"note":"x","urgent":true}"#,
    ];
    agree::<Order>(&orders);
    agree_everywhere::<Order>(&orders);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Nested {
    order: Order,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<Order>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<(String, Option<u8>)>,
    list: Vec<Order>,
}

#[test]
fn nested() {
    agree::<Nested>(&[
        r#"{"order":{"number":1},"list":[]}"#,
        r#"{"order":{"number":1},"other":{"number":2},"pair":["x",null],"list":[{"number":3}]}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    order: Order,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Both {
    flat: Flat,
    /// The same type, not flattened.
    order: Order,
}

#[test]
fn flattened() {
    let flat = [r#"{"id":1,"number":1,"note":"x"}"#];
    agree::<Flat>(&flat);
    agree_everywhere::<Flat>(&flat);
    agree::<Both>(&[r#"{"flat":{"id":1,"number":1},"order":{"number":1}}"#]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Rest {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[test]
fn flattened_map() {
    agree_everywhere::<Rest>(&[r#"{"id":1}"#, r#"{"id":1,"a":"b"}"#]);
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Defaults {
    least: u8,
    most: u8,
    order: BTreeMap<String, bool>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Denying {
    #[serde(alias = "old_name")]
    new_name: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Order>,
}

#[test]
fn serde_attributes() {
    agree_everywhere::<Defaults>(&["{}", r#"{"least":1,"most":2,"order":{"x":true}}"#]);
    agree_everywhere::<Denying>(&[r#"{"newName":1,"order":{"number":1}}"#]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Maps {
    by_name: HashMap<String, Order>,
    #[serde(default)]
    by_number: BTreeMap<u8, Option<u8>>,
}

#[test]
fn maps() {
    agree::<Maps>(&[
        r#"{"by_name":{},"by_number":{}}"#,
        r#"{"by_name":{"a":{"number":1},"b":{"number":2}},"by_number":{"3":4,"5":null}}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Wrapper(Order);

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Transparent {
    inner: Vec<Order>,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Generic<A, B> {
    a: A,
    b: B,
}

#[test]
fn wrappers() {
    agree_everywhere::<Wrapper>(&[r#"{"number":1}"#]);
    agree_everywhere::<Transparent>(&[r#"[{"number":1}]"#]);
    agree_everywhere::<Generic<Order, Generic<u8, bool>>>(&[
        r#"{"a":{"number":1},"b":{"a":1,"b":true}}"#,
    ]);
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Box<Tree>>,
}

#[test]
fn recursive() {
    let trees = [r#"{"name":"a","children":[{"name":"b","parent":{"name":"c"}}]}"#];
    agree::<Tree>(&trees);
    agree_everywhere::<Tree>(&trees);
}
