//! How long a session takes calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether a session takes calls, and until when. Clones are of the same session.
#[derive(Debug, Clone, Default)]
pub(crate) struct Life {
    drained: Arc<AtomicBool>,
    end: Option<Instant>,
}

impl Life {
    /// From now on, for this time.
    pub(crate) fn of(time: Duration) -> Self {
        Self {
            end: Instant::now().checked_add(time),
            ..Self::default()
        }
    }

    /// That of a fork, which does not outlive this one and may be drained alone.
    pub(super) fn forked(&self) -> Self {
        Self {
            end: self.end,
            ..Self::default()
        }
    }

    pub(super) fn drain(&self) {
        self.drained.store(true, Ordering::Release);
    }

    /// When calls that still run end.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.end
    }

    pub(super) fn is_over(&self) -> bool {
        self.drained.load(Ordering::Acquire) || self.end.is_some_and(|end| end <= Instant::now())
    }
}
