//! A breaker for each runtime: one that fails again and again is left alone for a while.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many failures …
const FAILURES: usize = 5;
/// … within this time open it, …
const WITHIN: Duration = Duration::from_secs(60);
/// … and after this one call is let through.
const TRY_AGAIN: Duration = Duration::from_secs(30);

/// Closed, open since a time, or open with one call on trial.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
    /// Read for every call, and nearly always false.
    is_open: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    failures: VecDeque<Instant>,
    opened: Option<Instant>,
}

impl Breaker {
    /// Whether a call may be sent now. Whoever is told so after it was open is the one on trial.
    pub(crate) fn allows(&self, now: Instant) -> bool {
        let mut state = self.lock();
        match state.opened {
            None => true,
            Some(opened) if now.saturating_duration_since(opened) >= TRY_AGAIN => {
                // The next one waits as long for the outcome of this one.
                state.opened = Some(now);
                true
            }
            Some(_) => false,
        }
    }

    /// Whether it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// The runtime has answered. Failures between successes count all the same.
    pub(crate) fn succeed(&self) {
        if self.is_open() {
            *self.lock() = State::default();
            self.is_open.store(false, Ordering::Release);
        }
    }

    /// The runtime was lost, or has answered with what is no answer.
    pub(crate) fn fail(&self, now: Instant) {
        let mut state = self.lock();
        state.failures.push_back(now);
        let is_old = |failure: &Instant| now.saturating_duration_since(*failure) > WITHIN;
        while state.failures.front().is_some_and(is_old) || state.failures.len() > FAILURES {
            state.failures.pop_front();
        }
        if state.failures.len() == FAILURES || state.opened.is_some() {
            state.opened = Some(now);
            self.is_open.store(true, Ordering::Release);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Breaker;
    use std::time::{Duration, Instant};

    #[test]
    fn five_failures_open_it_and_one_call_tries_again() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        (0..4).for_each(|second| breaker.fail(at(second)));
        assert!(breaker.allows(at(4)));
        breaker.fail(at(4));
        assert!(!breaker.allows(at(5)));
        assert!(!breaker.allows(at(33)));
        assert!(breaker.allows(at(34)), "one is tried");
        assert!(!breaker.allows(at(35)), "and only one");
        breaker.fail(at(36));
        assert!(!breaker.allows(at(65)));
        assert!(breaker.allows(at(66)));
        breaker.succeed();
        assert!(!breaker.is_open());
        assert!(breaker.allows(at(66)));
    }

    #[test]
    fn failures_that_are_long_past_do_not_count() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        (0..20).for_each(|n| breaker.fail(start + Duration::from_secs(n * 16)));
        assert!(!breaker.is_open());
    }
}
