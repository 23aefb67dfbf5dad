//! The time that a script has left, while it is the worker that works.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

#[derive(Debug)]
pub(super) struct Clock {
    left: Duration,
    since: Option<Instant>,
}

impl Clock {
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

    /// Never, if it is stopped.
    pub(super) async fn is_over(&self) {
        match self.since {
            Some(since) => sleep_until(since + self.left).await,
            None => std::future::pending().await,
        }
    }
}
