use std::sync::atomic::{AtomicUsize, Ordering};

/// How many calls of a tool are running, and how many of these were abandoned.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    running: AtomicUsize,
    abandoned: AtomicUsize,
}

impl Gauges {
    pub(crate) fn started(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// The work has finished; `abandoned` if its caller had stopped waiting.
    pub(crate) fn ended(&self, abandoned: bool) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        if abandoned {
            self.abandoned.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The caller has stopped waiting, but the work goes on.
    pub(crate) fn abandon(&self) {
        self.abandoned.fetch_add(1, Ordering::Relaxed);
    }

    /// It had finished already, so it is not abandoned.
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
