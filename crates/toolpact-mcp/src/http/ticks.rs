use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Half of the shortest time that a request waits for.
const TICK: Duration = Duration::from_millis(50);

/// A timer that is always due soon, while requests wait for others.
///
/// To arm a timer wakes the thread that waits for the earliest, unless that is due before. While this
/// runs, it always is.
#[derive(Default)]
pub(super) struct Ticks {
    runs: AtomicBool,
    was_asked_for: AtomicBool,
}

impl Ticks {
    /// Runs until nobody has asked for it for the time of a tick.
    pub(super) fn keep_running(self: &Arc<Self>) {
        self.was_asked_for.store(true, Relaxed);
        if self.runs.load(Relaxed) || self.runs.swap(true, Relaxed) {
            return;
        }
        let ticks = Arc::clone(self);
        tokio::spawn(async move {
            while ticks.was_asked_for.swap(false, Relaxed) {
                tokio::time::sleep(TICK).await;
            }
            ticks.runs.store(false, Relaxed);
        });
    }
}
