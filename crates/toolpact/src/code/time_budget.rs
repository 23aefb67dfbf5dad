//! The time that a script has left. It runs only while the worker does.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

#[derive(Debug)]
pub(super) struct TimeBudget {
    left: Duration,
    since: Option<Instant>,
}

impl TimeBudget {
    pub(super) fn new(left: Duration) -> Self {
        Self { left, since: None }
    }

    /// Runs, or is stopped.
    pub(super) fn run_if(&mut self, runs: bool) {
        match (runs, self.since) {
            (true, None) => self.since = Some(Instant::now()),
            (false, Some(_)) => {
                self.left = self.left();
                self.since = None;
            }
            _ => {}
        }
    }

    pub(super) fn left(&self) -> Duration {
        let used = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        self.left.saturating_sub(used)
    }

    /// Never, if it is stopped or has more time than there is.
    pub(super) async fn is_over(&self) {
        let end = self.since.and_then(|since| since.checked_add(self.left));
        match end {
            Some(end) => sleep_until(end).await,
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn all_the_time_there_is_does_not_end() {
        let mut clock = TimeBudget::new(Duration::MAX);
        clock.run_if(true);
        let over = tokio::time::timeout(Duration::from_millis(10), clock.is_over());
        assert!(over.await.is_err());
    }
}
