//! What tools send before their results, and nobody reads, takes no more memory than is set aside for results.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;
use toolpact::session::{CallStream, LogLevel, Update};
use toolpact::{Context, Definition, Registry, Session, ToolError, returns::Progress};

use crate::support::{call, contract, soon, value};
use crate::world::Place as _;

const MIB: usize = 1 << 20;

fn event(bytes: usize) -> Value {
    value(&format!(
        r#"{{"event": "tick", "data": "{}"}}"#,
        "x".repeat(bytes)
    ))
}

/// A tool that sends twenty events of so many bytes, and one that says as much in its log and of its progress.
fn session(memory: &Arc<MemoryBudget>, bytes: usize) -> Session {
    let registry = Registry::builder()
        .result_memory(Arc::clone(memory))
        .build();
    let emit = contract("emit", r#""returns": "EventStream""#);
    let emit = Definition::new(emit, move |_: Value, cx: Context| async move {
        for _ in 0..20 {
            cx.emit(&event(bytes)).await?;
        }
        Ok::<_, ToolError>(event(1))
    });
    registry.place(emit).unwrap();
    let say = contract("say", r#""returns": "VoidResult""#);
    let say = Definition::new(say, move |_: Value, cx: Context| async move {
        let text = "x".repeat(bytes);
        for _ in 0..10 {
            cx.log(LogLevel::Info, &*text).await;
            cx.progress(Progress::default().with_message(&text)).await;
        }
        Ok::<_, ToolError>(value(r#"{"success": true}"#))
    });
    registry.place(say).unwrap();
    registry.session().open().unwrap()
}

/// Calls whose listeners have read one update, and read nothing more, until so many bytes were there and the tools can send no
/// more.
async fn unread(
    session: &Session,
    tool: &str,
    (memory, bytes): (&MemoryBudget, usize),
) -> Vec<CallStream> {
    let begun = (0..30).map(|_| async {
        let mut running = session.call_streaming(call(tool));
        soon(running.next()).await;
        running
    });
    let running = join_all(begun).await;
    let are_there = async {
        while memory.peak() < bytes {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    soon(are_there).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    running
}

#[tokio::test]
async fn items_are_bounded_together_and_refused_beyond() {
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 300_000);
    let running = unread(&session, "emit", (&memory, MIB)).await;
    let peak = memory.peak();
    assert!((MIB..MIB + 301_000).contains(&peak), "{peak}");
    let mut ended = Vec::new();
    for running in running {
        ended.push(soon(running.finish()).await);
    }
    let errors = ended.iter().filter_map(|completed| completed.error());
    let errors: Vec<String> = errors.map(ToString::to_string).collect();
    let is_refused = |error: &&String| error.starts_with("RATE_LIMIT_CONCURRENCY");
    let refused = errors.iter().filter(is_refused).count();
    assert!(refused >= 26 && refused == errors.len(), "{errors:?}");
    drop(ended);
    assert_eq!(memory.used(), 0);
    // One after the other is not too much, however many there are.
    let mut running = session.call_streaming(call("emit"));
    let mut items = 0;
    while let Some(update) = soon(running.next()).await {
        assert!(matches!(update, Update::Item(_)));
        assert!(memory.used() >= 300_000, "this one is still read");
        items += 1;
    }
    let completed = soon(running.finish()).await;
    assert_eq!(items, 20, "{completed:?}");
    drop(completed);
    assert_eq!(memory.used(), 0);
}

#[tokio::test]
async fn progress_and_logs_are_left_out_beyond() {
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 300_000);
    let running = unread(&session, "say", (&memory, MIB)).await;
    let peak = memory.peak();
    assert!((MIB..MIB + 301_000).contains(&peak), "{peak}");
    for running in running {
        let completed = soon(running.finish()).await;
        assert!(completed.is_success(), "{completed:?}");
    }
    assert_eq!(memory.used(), 0);
}

/// 64 KiB for each call are counted, and there although the memory is taken.
#[tokio::test]
async fn small_items_are_never_refused() {
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 3000);
    let all = memory.take(MIB).unwrap();
    let all_wait = MIB + 30 * 16 * 3000;
    let running = unread(&session, "emit", (&memory, all_wait)).await;
    let peak = memory.peak();
    assert!((all_wait..MIB + 30 * (64 << 10)).contains(&peak), "{peak}");
    for running in running {
        let completed = soon(running.finish()).await;
        assert!(completed.is_success(), "{completed:?}");
    }
    drop(all);
    assert_eq!(memory.used(), 0);
}
