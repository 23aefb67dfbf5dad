//! How much memory a process sets aside for what it was sent and for what it is about to send.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Shares up to this size are always granted: there are never so many of them.
const SMALL: usize = 64 << 10;

/// Memory that is set aside, for example for all requests that are not answered, or for all results that are held.
/// It can be a part of another, which bounds all its parts together.
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
///
/// let (requests, results) = (budget.part(1 << 20), budget.part(1 << 20));
/// let share = requests.take(1 << 20);
/// assert!(results.take(100_000).is_none(), "the whole is spent");
/// # drop(share);
/// ```
#[derive(Debug)]
pub struct MemoryBudget {
    used: AtomicUsize,
    peak: AtomicUsize,
    most: usize,
    whole: Option<Arc<MemoryBudget>>,
}

/// A part of a budget that is taken, until this is dropped.
#[derive(Debug)]
pub struct MemoryShare {
    budget: Arc<MemoryBudget>,
    bytes: usize,
}

impl MemoryBudget {
    /// Of so many bytes.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            used: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            most,
            whole: None,
        }
    }

    /// A budget of so many bytes that is a part of this one: what is taken of it is taken of both.
    #[must_use]
    pub fn part(self: &Arc<Self>, most: usize) -> Arc<Self> {
        Arc::new(Self {
            whole: Some(Arc::clone(self)),
            ..Self::new(most)
        })
    }

    /// How many bytes there are.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// How many bytes are taken.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Relaxed)
    }

    /// The most bytes that were taken at once.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak.load(Relaxed)
    }

    /// Whether nothing is left, here or of the whole.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.used() >= self.most || self.whole.as_ref().is_some_and(|whole| whole.is_spent())
    }

    /// A share of so many bytes. The last one may be larger than what is left, so that none is too
    /// large.
    #[must_use]
    pub fn take(self: &Arc<Self>, bytes: usize) -> Option<MemoryShare> {
        let budget = Arc::clone(self);
        let mut share = MemoryShare { budget, bytes: 0 };
        share.grow(bytes).then_some(share)
    }

    /// The same without an exception for small ones: for what there may be any number of.
    #[must_use]
    pub fn take_strictly(self: &Arc<Self>, bytes: usize) -> Option<MemoryShare> {
        if !self.add(bytes, false) {
            return None;
        }
        let budget = Arc::clone(self);
        Some(MemoryShare { budget, bytes })
    }

    /// Takes so many bytes, unless nothing is left. Nothing is taken then.
    fn add(&self, bytes: usize, is_small: bool) -> bool {
        let more = |used: usize| (is_small || used < self.most).then(|| used.saturating_add(bytes));
        let Ok(before) = self.used.fetch_update(Relaxed, Relaxed, more) else {
            return false;
        };
        let whole = self.whole.as_ref();
        if whole.is_some_and(|whole| !whole.add(bytes, is_small)) {
            self.used.fetch_sub(bytes, Relaxed);
            return false;
        }
        self.peak.fetch_max(before.saturating_add(bytes), Relaxed);
        true
    }

    fn free(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
        if let Some(whole) = &self.whole {
            whole.free(bytes);
        }
    }
}

impl MemoryShare {
    /// How many bytes it has.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes more. `false` if nothing is left, and then it stays as it is.
    #[must_use]
    pub fn grow(&mut self, bytes: usize) -> bool {
        let is_small = self.bytes.saturating_add(bytes) <= SMALL;
        let is_granted = bytes == 0 || self.budget.add(bytes, is_small);
        if is_granted {
            self.bytes += bytes;
        }
        is_granted
    }

    /// Gives so many bytes back, or all that it has.
    pub fn shrink(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.budget.free(bytes);
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.free(self.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_bounded_alone_and_together() {
        let whole = Arc::new(MemoryBudget::new(300_000));
        let (one, other) = (whole.part(200_000), whole.part(200_000));
        let first = one.take(200_000).unwrap();
        assert!(one.take(100_000).is_none(), "the part is spent");
        let second = other.take(100_000).unwrap();
        assert!(other.take(100_000).is_none(), "the whole is spent");
        assert_eq!((one.used(), other.used()), (200_000, 100_000));
        assert_eq!((whole.used(), whole.peak()), (300_000, 300_000));
        assert!(other.take_strictly(1).is_none());
        // Small ones are always granted, and counted.
        let small = other.take(SMALL).unwrap();
        assert_eq!(whole.used(), 300_000 + SMALL);
        drop((first, second, small));
        assert_eq!((whole.used(), one.used(), other.used()), (0, 0, 0));
        assert_eq!(whole.peak(), 300_000 + SMALL);
    }

    #[test]
    fn a_share_that_cannot_grow_stays_as_it_is() {
        let whole = Arc::new(MemoryBudget::new(300_000));
        let part = whole.part(200_000);
        let mut share = part.take(0).unwrap();
        assert!(
            share.grow(150_000) && share.grow(100_000),
            "the last one may be larger"
        );
        assert!(!share.grow(1));
        assert_eq!(
            (share.bytes(), part.used(), whole.used()),
            (250_000, 250_000, 250_000)
        );
        share.shrink(200_000);
        assert!(share.grow(1));
        share.shrink(usize::MAX);
        assert_eq!((share.bytes(), part.used(), whole.used()), (0, 0, 0));
    }

    /// Whoever takes and gives back at the same time: what is taken is never more than one share beyond the
    /// budget, and nothing stays taken.
    #[test]
    fn nothing_is_lost_between_threads() {
        let whole = Arc::new(MemoryBudget::new(1_000_000));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let part = whole.part(600_000);
                scope.spawn(move || {
                    for turn in 0..20_000 {
                        let share = part.take(70_000 + turn % 1000);
                        drop(share);
                    }
                });
            }
        });
        assert_eq!(whole.used(), 0);
        assert!(whole.peak() < 1_000_000 + 71_000, "{}", whole.peak());
    }
}
