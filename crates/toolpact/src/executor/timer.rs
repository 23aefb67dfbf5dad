//! Timers on a thread of their own, so that no tool can delay them.

use std::time::Duration;

use tokio::runtime::{Builder, Handle};

/// How long the thread sleeps at most. A timer that is due later need not wake it to be added.
const TICK: Duration = Duration::from_secs(1);

/// Starts a runtime that has timers and no tasks.
pub(super) fn start() -> Option<Handle> {
    let runtime = Builder::new_current_thread().enable_time().build().ok()?;
    let handle = runtime.handle().clone();
    let thread = std::thread::Builder::new().name("toolpact-clock".to_owned());
    let run = move || {
        runtime.block_on(async {
            loop {
                tokio::time::sleep(TICK).await;
            }
        });
    };
    thread.spawn(run).ok()?;
    Some(handle)
}
