//! A result is held in one form, and the others are made of it. A typed input is handed over as it is.

mod input;

use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Call, Completed, Context, Definition, Registry, Session, ToolError, tool};

use crate::world::Place as _;

/// More than is kept twice.
const LONG: usize = 100_000;

/// Returns a long list.
#[tool(read_only, text = shown)]
fn numbers() -> Vec<usize> {
    (0..LONG).collect()
}

#[expect(clippy::ptr_arg, reason = "the text is of the output as it is")]
fn shown(numbers: &Vec<usize>) -> String {
    format!("{} numbers", numbers.len())
}

/// How often a `Fickle` was written.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// What it is promised to be the first time only.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Fickle(String);

impl Serialize for Fickle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match WRITTEN.fetch_add(1, Ordering::Relaxed) {
            0 => serializer.serialize_str(&self.0),
            _ => serializer.serialize_u8(5),
        }
    }
}

/// Returns a text that changes.
#[tool(read_only)]
fn fickle() -> Fickle {
    Fickle("x".repeat(LONG))
}

fn session() -> Session {
    let contract = r#"{"name": "untyped", "description": "Returns a list.",
        "parameters": {"type": "object"}, "returns": {"type": "array"}}"#;
    let body = async |_: Value, _: Context| {
        Ok::<_, ToolError>(Value::from_json(serde_json::to_vec(&numbers())?)?)
    };
    let untyped = Definition::new(Contract::from_json(contract).unwrap(), body);
    let registry = Registry::new();
    registry.place(numbers::tool()).unwrap();
    registry.place(fickle::tool()).unwrap();
    registry.place(untyped).unwrap();
    registry.session().open().unwrap()
}

fn call(name: &str) -> Call {
    Call::new(name, Value::from_json("{}").unwrap())
}

fn assert_views(completed: &Completed) {
    let json = serde_json::to_vec(&numbers()).unwrap();
    assert_eq!(completed.to_json().unwrap(), json);
    let value = completed.to_value().unwrap();
    assert_eq!(value.text().as_bytes(), json);
    assert_eq!(completed.to_adl(), value);
}

#[tokio::test]
async fn every_view_is_made_of_the_one_form() {
    let session = session();
    let typed = session.call(call("numbers")).await;
    assert_eq!(typed.output::<Vec<usize>>(), Some(&numbers()));
    assert_views(&typed);
    assert_eq!(typed.text(), "100000 numbers");

    let passed_on = session.call(call("numbers").json_only()).await;
    assert_eq!(passed_on.output::<Vec<usize>>(), None);
    assert_views(&passed_on);
    assert_eq!(passed_on.text(), "100000 numbers");

    for call in [call("untyped"), call("untyped").json_only()] {
        let untyped = session.call(call).await;
        assert_views(&untyped);
        // The same value, and not a copy.
        let own = untyped.output::<Value>().unwrap().text().as_ptr();
        assert_eq!(untyped.to_value().unwrap().text().as_ptr(), own);
    }
    assert_eq!(session.run(numbers {}).await.unwrap(), numbers());
}

#[tokio::test]
async fn what_is_written_again_is_checked_again() {
    let completed = session().call(call("fickle")).await;
    assert!(completed.is_success());
    assert_eq!(completed.to_json(), None);
    let adm = completed.to_adm().unwrap().to_json();
    assert!(adm.contains(r#""status":"ERROR""#), "{adm}");
}
