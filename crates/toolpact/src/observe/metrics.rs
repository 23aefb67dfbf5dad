use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use toolpact_core::returns::ErrorKind;

/// Counters and latencies of a tool. Reading them takes no lock.
#[derive(Debug, Default)]
pub struct Metrics {
    successes: AtomicU64,
    failures: [AtomicU64; ErrorKind::COUNT],
    repairs: AtomicU64,
    warnings: AtomicU64,
    questions: AtomicU64,
    latency: Latency,
}

/// How long calls took, in powers of two of a microsecond.
#[derive(Debug, Default)]
pub struct Latency {
    buckets: [AtomicU64; BUCKETS],
    micros: AtomicU64,
}

/// The last is for everything beyond about 67 seconds.
const BUCKETS: usize = 27;

impl Metrics {
    /// Calls that succeeded.
    #[must_use]
    pub fn successes(&self) -> u64 {
        self.successes.load(Ordering::Relaxed)
    }

    /// Calls that failed, by the kind of the error; kinds that never occurred are left out.
    pub fn failures(&self) -> impl Iterator<Item = (ErrorKind, u64)> {
        let counts = self
            .failures
            .iter()
            .map(|count| count.load(Ordering::Relaxed));
        ErrorKind::all().zip(counts).filter(|(_, count)| *count > 0)
    }

    /// All calls that succeeded or failed.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.successes() + self.failures().map(|(_, count)| count).sum::<u64>()
    }

    /// Calls whose arguments were repaired.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.repairs.load(Ordering::Relaxed)
    }

    /// Results that broke the contract and passed.
    #[must_use]
    pub fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::Relaxed)
    }

    /// Calls that ended with a question, and have to be repeated with the answer.
    #[must_use]
    pub fn questions(&self) -> u64 {
        self.questions.load(Ordering::Relaxed)
    }

    /// How long calls took, waiting included.
    #[must_use]
    pub fn latency(&self) -> &Latency {
        &self.latency
    }

    pub(crate) fn count(&self, failure: Option<ErrorKind>, took: Duration) {
        let count = failure.and_then(|kind| self.failures.get(kind as usize));
        count
            .unwrap_or(&self.successes)
            .fetch_add(1, Ordering::Relaxed);
        self.latency.record(took);
    }

    pub(crate) fn count_repair(&self) {
        self.repairs.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_warning(&self) {
        self.warnings.fetch_add(1, Ordering::Relaxed);
    }
}

impl Latency {
    /// A cumulative histogram: upper bounds, and how many calls took less. All buckets are there, so that
    /// histograms can be added up.
    pub fn buckets(&self) -> impl Iterator<Item = (Duration, u64)> {
        let mut so_far = 0;
        let counts = self
            .buckets
            .iter()
            .map(|count| count.load(Ordering::Relaxed));
        counts.enumerate().map(move |(place, count)| {
            so_far += count;
            (limit(place), so_far)
        })
    }

    /// How many calls were measured.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.buckets
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum()
    }

    /// How long all of them took together.
    #[must_use]
    pub fn total(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }

    /// The upper bound of this share of the calls, between 0 and 1; `None` if there were none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let all = self.count();
        #[expect(
            clippy::cast_precision_loss,
            reason = "a share of many calls need not be exact"
        )]
        let reached = |so_far: u64| so_far as f64 >= share * all as f64;
        self.buckets()
            .find(|(_, so_far)| *so_far > 0 && reached(*so_far))
            .map(|(limit, _)| limit)
    }

    /// Counts a call that took this long.
    pub fn record(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let place = (u64::BITS - micros.leading_zeros()) as usize;
        if let Some(bucket) = self.buckets.get(place.min(BUCKETS - 1)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }
}

/// The upper bound of a bucket.
fn limit(place: usize) -> Duration {
    match place {
        place if place + 1 == BUCKETS => Duration::MAX,
        place => Duration::from_micros(1 << place),
    }
}

#[cfg(test)]
mod tests {
    use super::{Latency, Metrics};
    use std::time::Duration;
    use toolpact_core::returns::ErrorKind;

    #[test]
    fn every_kind_has_a_place() {
        let metrics = Metrics::default();
        ErrorKind::all().for_each(|kind| metrics.count(Some(kind), Duration::ZERO));
        metrics.count(None, Duration::ZERO);
        assert!(
            metrics
                .failures()
                .map(|(kind, _)| kind)
                .eq(ErrorKind::all())
        );
        let all = ErrorKind::all().count() as u64 + 1;
        assert_eq!((metrics.successes(), metrics.calls()), (1, all));
    }

    #[test]
    fn quantiles() {
        let latency = Latency::default();
        assert_eq!(latency.quantile(0.5), None);
        for micros in [0, 1, 3, 900, 1000] {
            latency.record(Duration::from_micros(micros));
        }
        latency.record(Duration::from_secs(3600));
        let micros = Duration::from_micros;
        let buckets = latency.buckets().collect::<Vec<_>>();
        let limits = (0..26).map(|place| micros(1 << place));
        assert!(
            buckets
                .iter()
                .map(|(limit, _)| *limit)
                .eq(limits.chain([Duration::MAX]))
        );
        for (limit, count) in [
            (1, 1),
            (2, 2),
            (4, 3),
            (8, 3),
            (512, 3),
            (1024, 5),
            (1 << 25, 5),
        ] {
            assert!(buckets.contains(&(micros(limit), count)), "{buckets:?}");
        }
        assert_eq!(buckets.last(), Some(&(Duration::MAX, 6)));
        assert_eq!(latency.quantile(0.0), Some(micros(1)));
        assert_eq!(latency.quantile(0.5), Some(micros(4)));
        assert_eq!(latency.quantile(1.0), Some(Duration::MAX));
    }
}
