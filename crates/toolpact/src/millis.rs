//! Durations as milliseconds, as settings are written: `timeout_ms: 500`.
//!
//! `Duration::MAX`, which means no limit, is the largest number.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Millis::from(*duration).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    Millis::deserialize(deserializer).map(Into::into)
}

/// For what may be absent.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Duration, Millis, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        duration.map(Millis::from).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let millis = Option::<Millis>::deserialize(deserializer)?;
        Ok(millis.map(Into::into))
    }
}

#[derive(Serialize, Deserialize)]
struct Millis(u64);

impl From<Duration> for Millis {
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }
}

impl From<Millis> for Duration {
    fn from(millis: Millis) -> Self {
        match millis.0 {
            u64::MAX => Duration::MAX,
            millis => Duration::from_millis(millis),
        }
    }
}
