use std::sync::atomic::{AtomicUsize, Ordering};

/// What of a tool is going on right now.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    running: AtomicUsize,
    left: AtomicUsize,
}

impl Gauges {
    pub(crate) fn started(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// The work has come to its end; `left` if nobody was waiting for it.
    pub(crate) fn ended(&self, left: bool) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        if left {
            self.left.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Nobody waits for this work any more, but it goes on.
    pub(crate) fn left(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// It had come to its end already.
    pub(crate) fn left_nothing(&self) {
        self.left.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    pub(crate) fn abandoned(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }
}
