use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number of calls in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The most calls in each span.
    calls: NonZeroU32,
    /// The length of the span in milliseconds.
    #[serde(rename = "per_ms", with = "crate::millis")]
    #[schemars(with = "u64")]
    per: Duration,
}

impl Rate {
    /// At most `calls` in each `per`.
    #[must_use]
    pub fn new(calls: u32, per: Duration) -> Self {
        Self {
            calls: NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN),
            per,
        }
    }

    /// How long one call uses up.
    fn step(self) -> Duration {
        self.per / self.calls.get()
    }
}

/// A token bucket. It is full at first.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    /// When the tokens of the calls so far are refilled.
    paid: Mutex<Instant>,
}

impl Bucket {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            paid: Mutex::new(Instant::now()),
        }
    }

    /// Takes a token, or says how long to wait for one.
    pub(crate) fn take(&self, now: Instant) -> Result<(), Duration> {
        let mut paid = self
            .paid
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let next = (*paid).max(now) + self.rate.step();
        let ahead = next.duration_since(now);
        match ahead.saturating_sub(self.rate.per) {
            Duration::ZERO => {
                *paid = next;
                Ok(())
            }
            wait => Err(wait),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Rate};
    use std::time::{Duration, Instant};

    #[test]
    fn a_burst_and_then_one_at_a_time() {
        let bucket = Bucket::new(Rate::new(3, Duration::from_secs(30)));
        let start = Instant::now() + Duration::from_secs(1);
        for _ in 0..3 {
            assert_eq!(bucket.take(start), Ok(()));
        }
        assert_eq!(bucket.take(start), Err(Duration::from_secs(10)));
        let later = start + Duration::from_secs(10);
        assert_eq!(bucket.take(later), Ok(()));
        assert_eq!(bucket.take(later), Err(Duration::from_secs(10)));
        // After a pause it is full again, and not fuller.
        let much_later = start + Duration::from_secs(3600);
        for _ in 0..3 {
            assert_eq!(bucket.take(much_later), Ok(()));
        }
        assert!(bucket.take(much_later).is_err());
    }
}
