//! What tools send before their results, and nobody reads, takes no more memory than is set aside for results.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;
use toolpact::session::{CallStream, LogLevel, Update};
use toolpact::{Context, Definition, Registry, Session, ToolError, returns::Progress};

use crate::support::{call, contract, soon, value};
use crate::world::{Place as _, leaves_out};

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

/// Calls whose listeners have read one update, and read nothing more, until the tools can send no more.
async fn unread(session: &Session, tool: &str) -> Vec<CallStream> {
    let begun = (0..30).map(|_| async {
        let mut running = session.call_streaming(call(tool));
        soon(running.next()).await;
        running
    });
    let running = join_all(begun).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    running
}

#[tokio::test]
async fn items_are_bounded_together_and_refused_beyond() {
    if leaves_out("unread_updates::items_are_bounded_together_and_refused_beyond") {
        return;
    }
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 300_000);
    let running = unread(&session, "emit").await;
    let peak = memory.peak();
    assert!((MIB..MIB + 301_000).contains(&peak), "{peak}");
    let mut refused = 0;
    for running in running {
        let completed = soon(running.finish()).await;
        let code = completed.error().map(ToolError::code);
        refused += usize::from(code == Some("RATE_LIMIT_CONCURRENCY"));
    }
    assert!(refused >= 26, "{refused}");
    assert_eq!(memory.used(), 0);
    // One after the other is not too much, however many there are.
    let mut running = session.call_streaming(call("emit"));
    let mut items = 0;
    while let Some(update) = soon(running.next()).await {
        assert!(matches!(update, Update::Item(_)));
        assert!(memory.used() >= 300_000, "this one is still read");
        items += 1;
    }
    assert_eq!(items, 20);
    drop(running);
    assert_eq!(memory.used(), 0);
}

#[tokio::test]
async fn progress_and_logs_are_left_out_beyond() {
    if leaves_out("unread_updates::progress_and_logs_are_left_out_beyond") {
        return;
    }
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 300_000);
    let running = unread(&session, "say").await;
    let peak = memory.peak();
    assert!((MIB..MIB + 301_000).contains(&peak), "{peak}");
    for running in running {
        assert!(soon(running.finish()).await.is_success());
    }
    assert_eq!(memory.used(), 0);
}

/// 64 KiB for each call are counted, and there although the memory is taken.
#[tokio::test]
async fn small_items_are_never_refused() {
    if leaves_out("unread_updates::small_items_are_never_refused") {
        return;
    }
    let memory = Arc::new(MemoryBudget::new(MIB));
    let session = session(&memory, 3000);
    let all = memory.take(MIB).unwrap();
    let running = unread(&session, "emit").await;
    let taken = memory.used() - MIB;
    assert!(
        (30 * 16 * 3000..30 * (64 << 10)).contains(&taken),
        "{taken}"
    );
    for running in running {
        assert!(soon(running.finish()).await.is_success());
    }
    drop(all);
    assert_eq!(memory.used(), 0);
}
