//! Tools in Rust for the rows that need one: a typed value that counts how often it is written, and a
//! stream of events.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value as Json, json};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::IntoDefinition as _;
use toolpact::typed::ToolSpec;
use toolpact::{Context, Definition, Tool, ToolError};

/// The columns of these rows.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RustRow {
    #[serde(default)]
    pub(crate) emits: Vec<Json>,
    #[serde(default)]
    pub(crate) streams: BTreeMap<String, String>,
    pub(crate) typed: Option<u64>,
    #[serde(default)]
    pub(crate) written: BTreeMap<String, usize>,
}

/// How often a value was made, and how often it was written.
static MADE: AtomicUsize = AtomicUsize::new(0);
static WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// It cannot be cloned, so there is one of it.
#[toolpact::tool_type]
struct Numbers {
    #[serde(serialize_with = "counted")]
    #[schemars(with = "Vec<u64>")]
    numbers: Vec<u64>,
}

fn counted<S: Serializer>(numbers: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    WRITTEN.fetch_add(1, Ordering::Relaxed);
    numbers.serialize(serializer)
}

#[toolpact::tool_type]
struct Nothing {}

struct Typed {
    name: String,
    count: u64,
}

impl Tool for Typed {
    type Input = Nothing;
    type Output = Numbers;

    fn spec(&self) -> ToolSpec {
        ToolSpec::new(self.name.clone(), "A case.").read_only()
    }

    async fn call(&self, _: Nothing, _: Context) -> Result<Numbers, ToolError> {
        MADE.fetch_add(1, Ordering::Relaxed);
        let numbers = (0..self.count).collect();
        Ok(Numbers { numbers })
    }
}

impl RustRow {
    pub(crate) fn is_some(&self) -> bool {
        self.typed.is_some() || !self.emits.is_empty()
    }

    /// The result, whatever the boundary.
    pub(crate) fn result(&self, prints: Option<&Json>) -> Json {
        match self.typed {
            Some(count) => json!({"numbers": (0..count).collect::<Vec<_>>()}),
            None => prints.unwrap().clone(),
        }
    }

    pub(crate) fn tool(&self, name: &str, prints: Option<&Json>) -> Definition {
        if let Some(count) = self.typed {
            let name = name.to_owned();
            return Typed { name, count }.into_definition().unwrap();
        }
        let contract = json!({"name": name, "description": "A case.", "returns": "EventStream",
            "parameters": {"type": "object", "properties": {}}});
        let contract = Contract::from_json(contract.to_string()).unwrap();
        let (emits, last) = (self.emits.clone(), prints.unwrap().to_string());
        Definition::new(contract, move |_: Value, context: Context| {
            let (emits, last) = (emits.clone(), last.clone());
            async move {
                for event in &emits {
                    context.emit(event).await?;
                }
                Ok::<_, ToolError>(Value::from_json(last)?)
            }
        })
    }

    /// What a boundary is expected to show of a stream before the result.
    #[track_caller]
    pub(crate) fn check_stream(&self, boundary: &str, items: &[Json]) {
        match self.streams.get(boundary).map(String::as_str) {
            Some("all") => assert_eq!(items, self.emits, "{boundary}"),
            Some("last") => assert_eq!(items, [Json::Null; 0], "{boundary}"),
            None if self.emits.is_empty() => {}
            other => panic!("{boundary}: expected `all` or `last`, found {other:?}"),
        }
    }

    /// Checks that a boundary had the value made once, and written as often as the row says.
    #[track_caller]
    pub(crate) fn check_counts(&self, boundary: &str) {
        let (made, written) = (
            MADE.swap(0, Ordering::Relaxed),
            WRITTEN.swap(0, Ordering::Relaxed),
        );
        if self.typed.is_some() {
            assert_eq!(made, 1, "{boundary}");
            assert_eq!(Some(&written), self.written.get(boundary), "{boundary}");
        }
    }
}
