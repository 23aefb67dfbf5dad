//! Work that waits for a thread until its call is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use toolpact::core::json::Value;
use toolpact::{Context, Definition, Registry, ToolError};

use crate::support::{call, contract, value};

/// Shorter than it takes the executor to see that its threads are blocked.
const SHORT: Duration = Duration::from_millis(10);
const LONGER: Duration = Duration::from_millis(100);
/// A thread may be interrupted between the check and the tool.
const MARGIN: Duration = Duration::from_millis(20);

#[tokio::test]
async fn what_is_too_late_for_its_call_is_not_begun() {
    let registry = Registry::new();
    let of = |name| contract(name, r#""returns": "VoidResult""#);
    let blocking = Definition::new(of("blocking"), |_: Value, _: Context| async {
        std::thread::sleep(LONGER);
        Ok::<_, ToolError>(value(r#"{"success": true}"#))
    });
    let late = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&late);
    let short = Definition::new(of("short"), move |_: Value, context: Context| {
        let is_late = context
            .deadline()
            .is_some_and(|end| end + MARGIN < Instant::now());
        counted.fetch_add(usize::from(is_late), Ordering::Relaxed);
        async { Ok::<_, ToolError>(value(r#"{"success": true}"#)) }
    });
    registry.add_all([blocking, short]).unwrap();
    let session = registry.session().open().unwrap();
    let blocked = (0..60).map(|_| session.call(call("blocking")));
    let many = (0..60).map(|_| session.call(call("short").timeout(SHORT)));
    let (_, answers) = join(join_all(blocked), join_all(many)).await;
    let too_late = answers.iter().filter(|answer| !answer.is_success()).count();
    assert!(too_late > 0, "the threads were not busy");
    assert_eq!(late.load(Ordering::Relaxed), 0, "of {too_late} too late");
}
