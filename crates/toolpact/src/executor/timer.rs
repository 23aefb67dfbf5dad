//! Timers on a thread of their own, so that no tool can delay them.

use tokio::runtime::{Builder, Handle};

/// Starts a runtime that has timers and no tasks.
pub(super) fn start() -> Option<Handle> {
    let runtime = Builder::new_current_thread().enable_time().build().ok()?;
    let handle = runtime.handle().clone();
    let thread = std::thread::Builder::new().name("toolpact-clock".to_owned());
    let tell = move || runtime.block_on(std::future::pending::<()>());
    thread.spawn(tell).ok()?;
    Some(handle)
}
