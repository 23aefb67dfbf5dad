use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::IdentityError;

/// When a token ends: `90d`, `12h`, `30m`, `2w`, a date (its beginning, in UTC) or a time such as
/// `2027-01-01T12:00:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expiry(When);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    In(SignedDuration),
    At(Timestamp),
}

impl Expiry {
    pub(crate) fn after(self, now: Timestamp) -> Result<Timestamp, IdentityError> {
        let at = match self.0 {
            When::In(time) => now.checked_add(time).ok(),
            When::At(time) => Some(time),
        };
        at.filter(|at| *at > now)
            .ok_or_else(|| IdentityError::new("expected a time to come when the token ends"))
    }
}

impl FromStr for Expiry {
    type Err = IdentityError;

    fn from_str(text: &str) -> Result<Self, IdentityError> {
        let wrong = || {
            IdentityError::new(format!(
                "expected a time such as `90d`, `12h`, `2027-01-01` or `2027-01-01T12:00:00Z`, found `{text}`"
            ))
        };
        if let Some(time) = span(text) {
            return Ok(Self(When::In(time)));
        }
        if let Ok(date) = text.parse::<Date>()
            && !text.contains(['T', 't', ' '])
        {
            let midnight = date.to_zoned(TimeZone::UTC).map_err(|_| wrong())?;
            return Ok(Self(When::At(midnight.timestamp())));
        }
        let at = text.parse().map_err(|_| wrong())?;
        Ok(Self(When::At(at)))
    }
}

fn span(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().last()?;
    let minutes = match unit {
        'm' => 1,
        'h' => 60,
        'd' => 24 * 60,
        'w' => 7 * 24 * 60,
        _ => return None,
    };
    let number: i64 = text.strip_suffix(unit)?.parse().ok()?;
    let seconds = number.checked_mul(minutes)?.checked_mul(60)?;
    Some(SignedDuration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::{Expiry, Timestamp};

    #[test]
    fn times_are_spans_dates_or_moments() {
        let now: Timestamp = "2026-11-18T12:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("30m", "2026-11-18T12:30:00Z"),
            ("12h", "2026-11-19T00:00:00Z"),
            ("90d", "2027-02-16T12:00:00Z"),
            ("2w", "2026-12-02T12:00:00Z"),
            ("2027-01-01", "2027-01-01T00:00:00Z"),
            ("2027-01-01T12:00:00+01:00", "2027-01-01T11:00:00Z"),
        ] {
            let expiry: Expiry = text.parse().unwrap();
            assert_eq!(expiry.after(now).unwrap().to_string(), expected, "{text}");
        }
        for wrong in [
            "",
            "d",
            "90",
            "90y",
            "1.5d",
            "never",
            "2027-13-01",
            "99999999999999999d",
        ] {
            assert!(wrong.parse::<Expiry>().is_err(), "{wrong}");
        }
        for past in ["-1d", "0d", "2020-01-01", "999999999999d"] {
            let expiry = past.parse::<Expiry>();
            assert!(
                expiry.is_ok_and(|expiry| expiry.after(now).is_err()),
                "{past}"
            );
        }
    }
}
