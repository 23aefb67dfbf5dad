//! How much memory a process sets aside for what it was sent and for what it is about to send.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Shares up to this size are always granted: there are never so many of them.
const SMALL: usize = 64 << 10;

/// Memory that is set aside, for example for all requests that are not answered, or for all results that are held.
///
/// ```
/// use std::sync::Arc;
/// use toolpact_core::memory::MemoryBudget;
///
/// let budget = Arc::new(MemoryBudget::new(1 << 20));
/// let share = budget.take(2 << 20).unwrap(); // the last one may be larger than what is left
/// assert!(budget.take(100_000).is_none());
/// drop(share);
/// assert_eq!(budget.used(), 0);
/// ```
#[derive(Debug)]
pub struct MemoryBudget {
    used: AtomicUsize,
    most: usize,
}

/// A part of a budget, until this is dropped.
#[derive(Debug)]
pub struct MemoryShare {
    budget: Arc<MemoryBudget>,
    bytes: usize,
}

impl MemoryBudget {
    /// Of so many bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let used = AtomicUsize::new(0);
        Self { used, most }
    }

    /// How many bytes are taken.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.used() >= self.most
    }

    /// A share of so many bytes. The last one may be larger than what is left, so that none is too
    /// large.
    #[must_use]
    pub fn take(self: &Arc<Self>, bytes: usize) -> Option<MemoryShare> {
        let budget = Arc::clone(self);
        let mut share = MemoryShare { budget, bytes: 0 };
        share.grow(bytes).then_some(share)
    }
}

impl MemoryShare {
    /// Takes more. `false` if that is too much.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let used = self.budget.used.fetch_add(bytes, Relaxed);
        self.bytes += bytes;
        used < self.budget.most || self.bytes <= SMALL
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Relaxed);
    }
}
