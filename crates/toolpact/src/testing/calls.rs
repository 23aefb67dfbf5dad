use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The calls of a fake, in order. Clones share one list.
///
/// Only calls that reach the fake are here: one with wrong arguments does not.
pub struct Calls<I>(Arc<Mutex<Vec<I>>>);

impl<I: Clone> Calls<I> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    pub(super) fn add(&self, input: I) {
        self.lock().push(input);
    }

    /// The arguments of each call.
    #[must_use]
    pub fn all(&self) -> Vec<I> {
        self.lock().clone()
    }

    /// The arguments of the last call.
    #[must_use]
    pub fn last(&self) -> Option<I> {
        self.lock().last().cloned()
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<I>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I> Clone for Calls<I> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<I: Clone> fmt::Debug for Calls<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Calls({})", self.count())
    }
}
