use std::sync::atomic::{AtomicUsize, Ordering};

/// What of a tool is going on right now.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    running: AtomicUsize,
    abandoned: AtomicUsize,
}

impl Gauges {
    pub(crate) fn started(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// The work has come to its end; `abandoned` if nobody was waiting for it.
    pub(crate) fn ended(&self, abandoned: bool) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        if abandoned {
            self.abandoned.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Nobody waits for this work any more, but it goes on.
    pub(crate) fn abandon(&self) {
        self.abandoned.fetch_add(1, Ordering::Relaxed);
    }

    /// It had come to its end already.
    pub(crate) fn not_abandoned(&self) {
        self.abandoned.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    pub(crate) fn abandoned(&self) -> usize {
        self.abandoned.load(Ordering::Relaxed)
    }
}
