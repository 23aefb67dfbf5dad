use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::{self, StreamExt as _};
use toolpact_core::Error;
use toolpact_core::json::Value;
use toolpact_core::returns::StandardError;
use toolpact_core::returns::types::{BatchItem, BatchResult};

use super::Session;
use crate::{Call, Completed};

/// Most calls of a batch that run at once.
const AT_ONCE: usize = 256;

/// The results of several calls, in the order they were given.
#[derive(Debug)]
pub struct Batch {
    id: String,
    completed: Vec<Completed>,
}

impl Session {
    /// Makes calls concurrently, as many at once as the limits allow. One that fails does not stop
    /// the others.
    ///
    /// ```
    /// use toolpact::returns::NumberValue;
    /// use toolpact::{Call, Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(read_only)]
    /// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
    ///
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// let registry = Registry::new();
    /// registry.add(add::tool())?;
    /// let session = registry.session().open()?;
    /// let batch = session.call_batch([
    ///     Call::from_json(r#"{"name": "add", "args": {"a": 1, "b": 2}}"#)?,
    ///     Call::from_json(r#"{"name": "add", "args": {"a": 1}}"#)?,
    /// ]).await;
    /// let result = batch.to_result()?;
    /// assert_eq!((result.total(), result.successful()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # }).unwrap();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn call_batch(&self, calls: impl IntoIterator<Item = Call>) -> Batch {
        // Calls wait here, where no queue can be full.
        let at_once = self.0.limits.at_once.get().min(AT_ONCE);
        let calls = stream::iter(calls).map(|call| self.call(call));
        Batch {
            id: next_id(),
            completed: calls.buffered(at_once).collect().await,
        }
    }
}

impl Batch {
    /// The calls, in the order they were given.
    #[must_use]
    pub fn completed(&self) -> &[Completed] {
        &self.completed
    }

    /// The calls, in the order they were given.
    #[must_use]
    pub fn into_completed(self) -> Vec<Completed> {
        self.completed
    }

    /// The whole as a BatchResult. Its items have the identifiers of the calls, or else their
    /// places, from 1; results that are no objects are under `value`.
    pub fn to_result(&self) -> Result<BatchResult<Value>, Error> {
        let items = self.completed.iter().enumerate();
        BatchResult::new(
            &self.id,
            items.map(|(place, one)| item(place, one)).collect(),
        )
    }
}

fn item(place: usize, completed: &Completed) -> BatchItem<Value> {
    let place = (place + 1).to_string();
    let id = completed.call_id().unwrap_or(&place);
    match completed.error() {
        Some(error) => BatchItem::failure(id, StandardError::clone(error.as_standard())),
        None => match completed.to_value().map(as_object) {
            Some(value) => BatchItem::success(id, value),
            None => BatchItem::done(id),
        },
    }
}

/// A result in a batch is an object.
fn as_object(value: Value) -> Value {
    if value.kind() == toolpact_core::json::Kind::Object {
        return value;
    }
    Value::from_json(format!(r#"{{"value":{value}}}"#)).unwrap_or(value)
}

fn next_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("batch_{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
