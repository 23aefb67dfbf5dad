//! Compares times, whatever their time zones.

use std::cmp::Ordering;

/// Compares two times of RFC 3339; `None` if one of them is not written like that.
pub(super) fn compare(a: &str, b: &str) -> Option<Ordering> {
    Some(Instant::parse(a)?.cmp(&Instant::parse(b)?))
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Instant<'a> {
    /// Since a fixed day, in UTC.
    seconds: i64,
    /// The digits after the point. Without zeros at the end, their order is that of text.
    fraction: &'a str,
}

impl<'a> Instant<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let clock = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
        let rest = text.get(19..)?;
        let zone = rest.find(['Z', 'z', '+', '-'])?;
        let (fraction, zone) = rest.split_at(zone);
        Some(Self {
            seconds: days * 86_400 + clock - offset(zone)?,
            fraction: fraction.trim_start_matches('.').trim_end_matches('0'),
        })
    }
}

/// `+02:00` in seconds.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return Some(0),
    };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    Some(sign * (hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60))
}

/// The number of a day in the Gregorian calendar. The year is taken to begin in March, so that
/// the leap day is its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = match month {
        3.. => (year, month - 3),
        _ => (year - 1, month + 9),
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::cmp::Ordering::{Equal, Greater, Less};

    #[test]
    fn by_instant_and_not_by_text() {
        let cases = [
            ("2026-02-15T10:00:00Z", "2026-02-15T10:00:00z", Equal),
            ("2026-02-15T10:00:00Z", "2026-02-15T12:00:00+02:00", Equal),
            ("2026-02-15T10:00:00Z", "2026-02-15T10:00:00+00:01", Greater),
            ("2026-02-15T23:30:00-01:00", "2026-02-16T00:00:00Z", Greater),
            ("2026-02-15T10:00:00.5Z", "2026-02-15T10:00:00.500Z", Equal),
            ("2026-02-15T10:00:00.45Z", "2026-02-15T10:00:00.5Z", Less),
            (
                "2026-02-15T10:00:00Z",
                "2026-02-15T10:00:00.000000000001Z",
                Less,
            ),
            ("2026-02-28T23:59:59Z", "2026-03-01T00:00:00Z", Less),
            ("2024-02-29T24:00:00Z", "2024-03-01T00:00:00Z", Equal),
            ("2025-12-31T24:00:00Z", "2026-01-01T00:00:00Z", Equal),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z", Greater),
            ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", Less),
        ];
        for (a, b, expected) in cases {
            assert_eq!(compare(a, b), Some(expected), "{a} {b}");
            assert_eq!(compare(b, a), Some(expected.reverse()), "{b} {a}");
        }
    }

    #[test]
    fn anything_else_has_no_order() {
        for text in [
            "",
            "yesterday",
            "2026-02-15",
            "2026-02-15T10:00:00",
            "2026-02-15T10:00:0ä",
        ] {
            assert_eq!(compare(text, "2026-02-15T10:00:00Z"), None, "{text}");
        }
    }
}
