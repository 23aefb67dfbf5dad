//! The results that are held at once take no more memory than is set aside for them.

use std::sync::Arc;

use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;
use toolpact::returns::StringValue;
use toolpact::{Call, Registry, Session, ToolError, tool};

use crate::world::Place as _;

/// Returns a text of this size.
#[tool(read_only, inline)]
async fn text_of(bytes: usize) -> StringValue {
    StringValue::success("x".repeat(bytes))
}

fn session(memory: &Arc<MemoryBudget>) -> Session {
    let registry = Registry::builder()
        .result_memory(Arc::clone(memory))
        .build();
    registry.place(text_of::tool()).unwrap();
    registry.session().open().unwrap()
}

fn call(bytes: usize) -> Call {
    Call::new(
        "text_of",
        Value::from_json(format!(r#"{{"bytes": {bytes}}}"#)).unwrap(),
    )
}

#[tokio::test]
async fn results_that_are_held_are_bounded_together() {
    let memory = Arc::new(MemoryBudget::new(1 << 20));
    let session = session(&memory);
    let mut held = Vec::new();
    let refused = loop {
        let completed = session.call(call(300 << 10)).await;
        match completed.error().map(ToolError::to_standard) {
            None => held.push(completed),
            Some(error) => break error,
        }
    };
    // The last one may be larger than what is left.
    assert_eq!(held.len(), 4);
    assert_eq!(refused.code(), "RATE_LIMIT_CONCURRENCY");
    assert_eq!(
        refused.message(),
        "The results that are held take all the memory that is set aside for them. Wait and try again."
    );
    let small = session.call(call(1000)).await;
    assert!(small.is_success(), "small ones are always taken");
    // What was made of a result may be held longer than the result.
    let share = held[0].memory().unwrap();
    drop(held);
    assert!(
        (300 << 10..400 << 10).contains(&memory.used()),
        "{}",
        memory.used()
    );
    assert!(session.call(call(300 << 10)).await.is_success());
    drop(share);
    assert_eq!(memory.used(), 0);
}

#[tokio::test]
async fn a_batch_is_bounded_too() {
    let memory = Arc::new(MemoryBudget::new(1 << 20));
    let batch = session(&memory)
        .call_batch((0..100).map(|_| call(300 << 10)))
        .await;
    let errors = batch.completed().iter().filter_map(|one| one.error());
    let (refused, others): (Vec<_>, Vec<_>) =
        errors.partition(|error| error.code() == "RATE_LIMIT_CONCURRENCY");
    assert_eq!(refused.len(), 96, "{others:?}");
    drop(batch);
    assert_eq!(memory.used(), 0);
}
