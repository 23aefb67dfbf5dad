//! Times that machines tell each other: milliseconds of Unix time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use toolpact::returns::Timestamp;

/// A time, in milliseconds of Unix time.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    millis(since.unwrap_or_default())
}

/// The same of an instant that is to come.
pub(crate) fn unix(instant: Instant) -> u64 {
    let left = instant.saturating_duration_since(Instant::now());
    now().saturating_add(millis(left))
}

/// The instant of a time; `None` if it has passed.
pub(crate) fn instant(time: u64) -> Option<Instant> {
    let left = time.checked_sub(now()).filter(|left| *left > 0)?;
    Instant::now().checked_add(Duration::from_millis(left))
}

/// The same for people and results.
pub(crate) fn timestamp(time: u64) -> Option<Timestamp> {
    let time = jiff::Timestamp::from_millisecond(i64::try_from(time).ok()?).ok()?;
    time.to_string().parse().ok()
}

pub(crate) fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
