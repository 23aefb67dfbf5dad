//! What a tool says before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, Level, Returns, StandardType};
use toolpact::returns::{Progress, StandardResult as _};
use toolpact::{Context, Definition, ToolError, call::Enforcement, session::Update, testing};

use crate::support::{call, contract, session, soon, value};
use crate::world::AHEAD;

fn event(n: usize) -> Value {
    value(&format!(r#"{{"event": "tick", "data": {n}}}"#))
}

/// A tool that hands out so many events, and counts them.
fn ticking(events: usize) -> (Arc<AtomicUsize>, Definition) {
    let emitted = Arc::new(AtomicUsize::new(0));
    let count = emitted.clone();
    let contract = contract("tick", r#""returns": "EventStream""#);
    let tool = Definition::new(contract, move |_: Value, cx: Context| {
        let count = count.clone();
        async move {
            for n in 0..events {
                cx.emit(&event(n)).await?;
                count.fetch_add(1, Ordering::SeqCst);
            }
            Ok::<_, ToolError>(event(events))
        }
    });
    (emitted, tool)
}

#[tokio::test]
async fn progress_is_an_operation_status() {
    let contract = contract("work", r#""returns": "VoidResult""#);
    let tool = Definition::new(contract, |_: Value, cx: Context| async move {
        for percent in [0, 50, 100] {
            cx.progress(Progress::default().with_percent(percent)?)
                .await;
        }
        Ok::<_, ToolError>(value(r#"{"success": true}"#))
    });
    let session = session(tool);
    let mut running = session.call_streaming(call("work").id("c7"));
    let enforcer = Returns::Standard {
        standard: StandardType::OperationStatus,
        refinement: None,
    }
    .enforcer(Level::Meaning);
    let mut percents = Vec::new();
    while let Some(update) = soon(running.next()).await {
        let Update::Progress(status) = update else {
            panic!("{update:?}");
        };
        let json = status.to_value().unwrap();
        enforcer.check(&json).unwrap();
        assert_eq!(json.root().get("operation_id").unwrap().text(), "\"c7\"");
        percents.push(
            json.root()
                .get("progress")
                .unwrap()
                .get("percent")
                .unwrap()
                .text()
                .to_owned(),
        );
    }
    assert_eq!(percents, ["0", "50", "100"]);
    testing::assert_success(&soon(running.finish()).await);
    // Nobody has to listen.
    testing::assert_success(&soon(session.call(call("work"))).await);
}

#[tokio::test]
async fn events_come_in_order_and_then_the_result() {
    let (_, tool) = ticking(100);
    let session = session(tool);
    let mut running = session.call_streaming(call("tick"));
    let mut heard = Vec::new();
    while let Some(update) = soon(running.next()).await {
        heard.push(update);
    }
    let expected: Vec<Update> = (0..100).map(|n| Update::Item(event(n))).collect();
    assert_eq!(heard, expected);
    let completed = soon(running.finish()).await;
    assert_eq!(completed.to_value(), Some(event(100)));
}

#[tokio::test]
async fn who_only_wants_the_result_need_not_listen() {
    let (emitted, tool) = ticking(100);
    let completed = soon(session(tool).call_streaming(call("tick")).finish()).await;
    testing::assert_success(&completed);
    assert_eq!(emitted.load(Ordering::SeqCst), 100);
}

#[tokio::test]
async fn a_slow_listener_holds_the_tool() {
    let (emitted, tool) = ticking(200);
    let session = session(tool);
    let mut running = session.call_streaming(call("tick"));
    let mut heard = 0;
    while soon(running.next()).await.is_some() {
        heard += 1;
        if heard % 50 == 1 {
            // Time enough to run ahead, if nothing keeps it from that.
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
        let ahead = emitted.load(Ordering::SeqCst).saturating_sub(heard);
        assert!(ahead <= AHEAD, "{ahead} ahead");
    }
    assert_eq!(heard, 200);
}

/// A tool that hands out something that is no event, and goes on if it is not refused.
fn sloppy() -> Definition {
    let contract = contract("sloppy", r#""returns": "EventStream""#);
    Definition::new(contract, |_: Value, cx: Context| async move {
        cx.emit(&event(1)).await?;
        cx.emit(&value(r#"{"data": "s3cr3t"}"#)).await?;
        Ok::<_, ToolError>(event(2))
    })
}

#[tokio::test]
async fn an_event_that_breaks_the_contract_is_refused() {
    let session = session(sloppy());
    let mut running = session.call_streaming(call("sloppy"));
    let mut heard = Vec::new();
    while let Some(update) = soon(running.next()).await {
        heard.push(update);
    }
    assert_eq!(heard, [Update::Item(event(1))]);
    let completed = soon(running.finish()).await;
    testing::assert_failure(&completed, ErrorKind::ContractViolation);
    testing::assert_violation(&completed, "value-missing-key", "");
    assert!(!completed.text().contains("s3cr3t"));
}

#[tokio::test]
async fn unless_that_is_not_enforced() {
    for (mode, warnings) in [(Enforcement::Warn, 1), (Enforcement::Off, 0)] {
        let session = session(sloppy().enforcement(mode));
        let mut running = session.call_streaming(call("sloppy"));
        let mut heard = 0;
        while soon(running.next()).await.is_some() {
            heard += 1;
        }
        assert_eq!(heard, 2);
        assert!(soon(running.finish()).await.is_success());
        let entry = session.get("sloppy").unwrap();
        assert_eq!(entry.metrics().warnings(), warnings);
    }
}

#[tokio::test]
async fn dropping_the_stream_cancels_the_tool() {
    let stopped = Arc::new(Semaphore::new(0));
    let told = stopped.clone();
    let contract = contract("endless", r#""returns": "EventStream""#);
    let tool = Definition::new(contract, move |_: Value, cx: Context| {
        let told = told.clone();
        async move {
            while !cx.is_cancelled() {
                cx.emit(&event(0)).await?;
            }
            told.add_permits(1);
            Ok::<_, ToolError>(event(0))
        }
    });
    let session = session(tool);
    let mut running = session.call_streaming(call("endless"));
    for _ in 0..5 {
        assert!(soon(running.next()).await.is_some());
    }
    drop(running);
    soon(stopped.acquire()).await.unwrap().forget();
}
