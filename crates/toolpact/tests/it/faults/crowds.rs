use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use toolpact::returns::StringValue;
use toolpact::{
    Context, Registry, ToolError,
    call::CallLimits,
    tool_fn,
    typed::{RunsOn, ToolSpec},
};

use super::{Nothing, call, code, still_serves};
use crate::world::{CROWD, Place as _};

const CALLS: usize = CROWD;
const LIMIT: usize = 64;

/// How many run, and how many ran at the same time at most.
#[derive(Default)]
struct Count {
    now: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

impl Count {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.all.fetch_add(1, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

fn registry(count: &Arc<Count>, limits: CallLimits, place: RunsOn) -> Registry {
    let registry = Registry::builder().limits(limits).build();
    let count = Arc::clone(count);
    let about = ToolSpec::new("slow", "Counts how many run.").runs_on(place);
    let tool = tool_fn(about, move |_: Nothing, _: Context| {
        let count = Arc::clone(&count);
        async move {
            count.enter();
            tokio::task::yield_now().await;
            count.leave();
            Ok::<_, ToolError>(StringValue::success("done"))
        }
    });
    registry.place(tool).unwrap();
    registry.place(super::good()).unwrap();
    registry
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_on_a_limit_of_64() {
    for place in [RunsOn::Pool, RunsOn::Thread, RunsOn::Caller] {
        let count = Arc::new(Count::default());
        let limits = CallLimits::default().at_once(LIMIT).waiting(CALLS);
        let registry = registry(&count, limits, place);
        let session = registry
            .session()
            .limits(CallLimits::default().at_once(CALLS))
            .open()
            .unwrap();
        let crowd = join_all((0..CALLS).map(|_| session.call(call("slow")))).await;
        assert_eq!(crowd.len(), CALLS);
        let failed = crowd.iter().find(|one| !one.is_success());
        assert!(failed.is_none(), "{failed:?}");
        assert_eq!(count.all.load(Ordering::SeqCst), CALLS);
        assert!(count.most.load(Ordering::SeqCst) <= LIMIT);
        let entry = registry.get("slow").unwrap();
        assert_eq!((entry.running(), entry.abandoned()), (0, 0));
        assert_eq!(entry.metrics().calls(), CALLS as u64);
        still_serves(&session).await;
    }
}

/// With room for some to wait, the others are refused, and all are answered.
#[tokio::test(flavor = "multi_thread")]
async fn more_than_may_wait() {
    let count = Arc::new(Count::default());
    let limits = CallLimits::default().at_once(LIMIT).waiting(100);
    let registry = registry(&count, limits, RunsOn::Pool);
    let session = registry
        .session()
        .limits(CallLimits::default().at_once(CALLS))
        .open()
        .unwrap();
    let crowd = join_all((0..CALLS).map(|_| session.call(call("slow")))).await;
    let refused = crowd.iter().filter(|one| !one.is_success());
    let refused: Vec<&str> = refused.map(code).collect();
    assert!(refused.iter().all(|code| *code == "RATE_LIMIT_CONCURRENCY"));
    assert!(refused.len() <= CALLS - LIMIT - 100);
    assert_eq!(count.all.load(Ordering::SeqCst), CALLS - refused.len());
    still_serves(&session).await;
}
