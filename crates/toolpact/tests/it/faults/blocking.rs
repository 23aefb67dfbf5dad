use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use toolpact::returns::StringValue;
use toolpact::{
    Call, Context, Registry, ToolError,
    call::CallLimits,
    tool_fn,
    typed::{RunsOn, ToolSpec},
};

use super::{Nothing, PLENTY, call, code, eventually, good, session, still_serves};
use crate::world::{Place as _, leaves_out};

const SOON: Duration = Duration::from_millis(50);

/// Something to block on.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn wait(&self) {
        let mut open = self.0.0.lock().unwrap();
        while !*open {
            open = self.0.1.wait(open).unwrap();
        }
    }

    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

#[tokio::test]
async fn a_tool_that_blocks_its_thread() {
    if leaves_out("faults::blocking::a_tool_that_blocks_its_thread") {
        return;
    }
    for place in [RunsOn::Pool, RunsOn::Thread] {
        let gate = Gate::default();
        let inside = gate.clone();
        let about = ToolSpec::new("bad", "Blocks.").runs_on(place);
        let (registry, session) = session(tool_fn(about, move |_: Nothing, _: Context| {
            let gate = inside.clone();
            async move {
                gate.wait();
                Ok::<_, ToolError>(StringValue::success("late"))
            }
        }));
        let start = Instant::now();
        let completed = session.call(call("bad").timeout(SOON)).await;
        assert_eq!(code(&completed), "INTERNAL_TIMEOUT");
        assert!(start.elapsed() < PLENTY);
        // It cannot be stopped, so it is counted.
        assert_eq!(registry.get("bad").unwrap().abandoned(), 1);
        still_serves(&session).await;
        gate.open();
        eventually("it is not counted any more", || registry.abandoned() == 0).await;
        assert_eq!(registry.get("bad").unwrap().running(), 0);
    }
}

/// Others are begun by another thread at once, although the blocked one is the one that was awake. The
/// watchdog, which would come to their help after 50 ms, is not needed.
#[tokio::test]
async fn a_blocked_thread_delays_no_other_call() {
    let gate = Gate::default();
    let inside = gate.clone();
    let (_, session) = session(tool_fn(
        ToolSpec::new("bad", "Blocks."),
        move |_: Nothing, _: Context| {
            let gate = inside.clone();
            async move {
                gate.wait();
                Ok::<_, ToolError>(StringValue::success("late"))
            }
        },
    ));
    let others = async {
        let start = Instant::now();
        for _ in 0..40 {
            assert!(session.call(call("good")).await.is_success());
        }
        gate.open();
        start.elapsed()
    };
    let (blocked, took) = tokio::join!(session.call(call("bad")), others);
    assert!(blocked.is_success());
    assert!(took < Duration::from_secs(1), "{took:?}");
}

/// More of them than there are threads: others take over.
#[tokio::test]
async fn many_tools_that_block_their_threads() {
    if leaves_out("faults::blocking::many_tools_that_block_their_threads") {
        return;
    }
    let gate = Gate::default();
    let inside = gate.clone();
    let (registry, session) = session(tool_fn(
        ToolSpec::new("bad", "Blocks."),
        move |_: Nothing, _: Context| {
            let gate = inside.clone();
            async move {
                gate.wait();
                Ok::<_, ToolError>(StringValue::success("late"))
            }
        },
    ));
    let threads = std::thread::available_parallelism()
        .map_or(2, usize::from)
        .max(2);
    let calls = (0..threads).map(|_| call("bad").timeout(SOON));
    let batch = session.call_batch(calls).await;
    assert!(
        batch
            .completed()
            .iter()
            .all(|one| code(one) == "INTERNAL_TIMEOUT")
    );
    assert_eq!(registry.abandoned(), threads);
    let completed = session.call(call("good").timeout(PLENTY)).await;
    assert!(completed.is_success(), "{completed:?}");
    assert_eq!(Registry::blocked_pools(), 1);
    gate.open();
    eventually("they come to their end", || registry.abandoned() == 0).await;
    eventually("the first threads are used again", || {
        Registry::blocked_pools() == 0
    })
    .await;
    still_serves(&session).await;
}

/// Work that cannot be stopped has its limit too: it keeps its place.
#[tokio::test]
async fn blocked_work_keeps_its_place() {
    if leaves_out("faults::blocking::blocked_work_keeps_its_place") {
        return;
    }
    let gate = Gate::default();
    let inside = gate.clone();
    let registry = Registry::builder()
        .limits(CallLimits::default().at_once(2).waiting(0))
        .build();
    let about = ToolSpec::new("bad", "Blocks.").runs_on(RunsOn::Thread);
    registry
        .place(tool_fn(about, move |_: Nothing, _: Context| {
            let gate = inside.clone();
            async move {
                gate.wait();
                Ok::<_, ToolError>(StringValue::success("late"))
            }
        }))
        .unwrap();
    registry.place(good()).unwrap();
    let session = registry.session().open().unwrap();
    let codes = [0; 4].map(|_| call("bad").timeout(SOON));
    let batch = session.call_batch(codes).await;
    let mut codes: Vec<&str> = batch.completed().iter().map(code).collect();
    codes.sort_unstable();
    let full = "RATE_LIMIT_CONCURRENCY";
    assert_eq!(codes, ["INTERNAL_TIMEOUT", "INTERNAL_TIMEOUT", full, full]);
    assert_eq!(code(&session.call(call("bad").timeout(SOON)).await), full);
    still_serves(&session).await;
    gate.open();
    eventually("there is room again", || registry.abandoned() == 0).await;
    assert!(session.call(call("bad")).await.is_success());
}

#[tokio::test]
async fn a_tool_that_never_returns() {
    for place in [RunsOn::Pool, RunsOn::Thread, RunsOn::Caller] {
        let about = ToolSpec::new("bad", "Waits for ever.").runs_on(place);
        let (registry, session) = session(tool_fn(about, async |_: Nothing, _: Context| {
            std::future::pending::<()>().await;
            Ok::<_, ToolError>(StringValue::success("never"))
        }));
        assert_eq!(
            code(&session.call(call("bad").timeout(SOON)).await),
            "INTERNAL_TIMEOUT"
        );
        still_serves(&session).await;
        // It waits, so it can be dropped.
        eventually("it is dropped", || registry.abandoned() == 0).await;
    }
}

/// Says that it was dropped.
struct Ends(Arc<AtomicBool>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A tool that hears of its cancellation and goes on regardless, as long as it can.
#[tokio::test]
async fn a_tool_that_ignores_cancellation() {
    let ended = Arc::new(AtomicBool::new(false));
    let inside = Arc::clone(&ended);
    let (registry, session) = session(tool_fn(
        ToolSpec::new("bad", "Goes on."),
        move |_: Nothing, _: Context| {
            let ends = Ends(Arc::clone(&inside));
            async move {
                loop {
                    tokio::task::yield_now().await;
                    if ends.0.load(Ordering::SeqCst) {
                        return Ok::<_, ToolError>(StringValue::success("never"));
                    }
                }
            }
        },
    ));
    let token = CancellationToken::new();
    let running = session.call(call("bad").cancelled_by(&token));
    let cancel = async {
        tokio::time::sleep(SOON).await;
        token.cancel();
    };
    let (completed, ()) = tokio::join!(running, cancel);
    assert_eq!(code(&completed), "INTERNAL_CANCELLED");
    eventually("it is dropped", || ended.load(Ordering::SeqCst)).await;
    assert_eq!(registry.abandoned(), 0);
    still_serves(&session).await;
}

#[tokio::test]
async fn a_tool_that_hears_of_its_cancellation() {
    let heard = Arc::new(AtomicBool::new(false));
    let inside = Arc::clone(&heard);
    let (_, session) = session(tool_fn(
        ToolSpec::new("bad", "Listens."),
        move |_: Nothing, cx: Context| {
            let heard = Arc::clone(&inside);
            async move {
                cx.cancelled().await;
                heard.store(true, Ordering::SeqCst);
                Ok::<_, ToolError>(StringValue::success("stopped"))
            }
        },
    ));
    // Whoever drops the future of a call has stopped waiting.
    let call: Call = call("bad");
    let waiting = tokio::time::timeout(SOON, session.call(call)).await;
    assert!(waiting.is_err());
    eventually("it hears", || heard.load(Ordering::SeqCst)).await;
    still_serves(&session).await;
}
