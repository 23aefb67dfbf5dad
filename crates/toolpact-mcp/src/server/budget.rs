//! How much memory requests take that were read and are not answered.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What clients are told who have to wait.
pub(crate) const SPENT: &str =
    "The requests that run take all the memory that is set aside for them. Wait for their answers.";

/// Requests up to this size do not wait for others: there are never so many of them.
const SMALL: usize = 64 << 10;

/// The memory that is set aside for the requests of all clients of a server.
pub(crate) struct Budget {
    used: AtomicUsize,
    most: usize,
}

/// What one request takes, until this is dropped.
pub(crate) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Budget {
    pub(crate) fn new(most: usize) -> Self {
        let used = AtomicUsize::new(0);
        Self { used, most }
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.used.load(Relaxed) >= self.most
    }

    /// A share of so many bytes. The last one may be larger than what is left, so that none is too
    /// large.
    pub(crate) fn take(self: &Arc<Self>, bytes: usize) -> Option<Share> {
        let budget = Arc::clone(self);
        let mut share = Share { budget, bytes: 0 };
        share.grow(bytes).then_some(share)
    }
}

impl Share {
    /// Takes more. `false` if that is too much.
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let used = self.budget.used.fetch_add(bytes, Relaxed);
        self.bytes += bytes;
        used < self.budget.most || self.bytes <= SMALL
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Relaxed);
    }
}
