use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

use crate::Error;
use crate::returns::meaning::formats;
use crate::text::shorten;

use super::result_node::ResultNode;

/// A date and time of RFC 3339, written as it was given. Compared as an instant.
///
/// ```
/// use toolpact_core::returns::types::Timestamp;
///
/// let noon: Timestamp = "2026-02-15T12:00:00+02:00".parse()?;
/// assert!(noon < "2026-02-15T10:00:01Z".parse()?);
/// assert_eq!(noon.to_string(), "2026-02-15T12:00:00+02:00");
/// assert!("yesterday".parse::<Timestamp>().is_err());
/// # Ok::<(), toolpact_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Timestamp {
    text: Box<str>,
    instant: jiff::Timestamp,
}

impl Timestamp {
    /// The text it was parsed from.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn read(part: &ResultNode<'_>) -> Result<Self, Error> {
        let text = part.text()?;
        text.parse()
            .map_err(|error: Error| part.fail(error.message()))
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let instant = text.parse().ok();
        match instant.filter(|_| formats::DATE_TIME.accepts(text)) {
            Some(instant) => Ok(Self {
                text: text.into(),
                instant,
            }),
            None => Err(Error::new(
                crate::Pointer::root(),
                format!(
                    "expected a date and time such as `2026-02-15T10:30:00Z`, found `{}`",
                    shorten(text)
                ),
            )),
        }
    }
}

/// To the microsecond. Times that RFC 3339 cannot write become the nearest that it can.
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let micros =
            |duration: std::time::Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let since = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => micros(after),
            Err(before) => -micros(before.duration()),
        };
        // The years 0 to 9999.
        let since = since.clamp(-62_167_219_200_000_000, 253_402_207_200_000_000 - 1);
        let instant = jiff::Timestamp::from_microsecond(since).unwrap_or_default();
        Self {
            text: instant.to_string().into(),
            instant,
        }
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.instant == other.instant
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.instant.cmp(&other.instant)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
