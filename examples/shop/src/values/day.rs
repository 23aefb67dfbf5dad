use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::{RoundMode, Span, Timestamp, TimestampRound, Unit};
use schemars::json_schema;

use super::{Unreadable, as_text};

/// The time to the second, as the database keeps it: text that sorts by time.
pub(crate) fn now() -> String {
    to_the_second(Timestamp::now())
}

/// The second that has begun: the next one may be in another year.
fn to_the_second(time: Timestamp) -> String {
    let round = TimestampRound::new()
        .smallest(Unit::Second)
        .mode(RoundMode::Floor);
    time.round(round).unwrap_or(time).to_string()
}

/// A day: `2026-02-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day(pub(crate) Date);

as_text!(Day, json_schema!({"type": "string", "format": "date"}));

impl Day {
    /// The day after; the last day there is has none.
    pub(crate) fn next(self) -> Option<Self> {
        self.0.tomorrow().ok().map(Self)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Day {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        const WRONG: Unreadable = Unreadable::expected("a day such as `2026-02-15`");
        // Other ways to write a day would be read, too.
        let date: Date = text.parse().map_err(|_| WRONG)?;
        match date.year() >= 0 && date.to_string() == text {
            true => Ok(Self(date)),
            false => Err(WRONG),
        }
    }
}

/// A month: `2026-02`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month(Date);

as_text!(
    Month,
    json_schema!({"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])$"})
);

impl Month {
    /// This month and those before it, the oldest first.
    pub(crate) fn last(self, months: u32) -> Vec<Self> {
        let back = |n: u32| Some(Self(self.0.checked_sub(Span::new().months(n)).ok()?));
        (0..months).rev().filter_map(back).collect()
    }

    /// As on a calendar: `Feb`.
    pub(crate) fn name(self) -> &'static str {
        const NAMES: [&str; 12] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let place = usize::from(self.0.month().unsigned_abs()).saturating_sub(1);
        NAMES.get(place).copied().unwrap_or_default()
    }

    pub(crate) fn year(self) -> i16 {
        self.0.year()
    }

    pub(crate) fn is_january(self) -> bool {
        self.0.month() == 1
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

impl FromStr for Month {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let day: Result<Day, _> = format!("{text}-01").parse();
        day.map(|day| Self(day.0))
            .map_err(|_| Unreadable::expected("a month such as `2026-02`"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Day, Month, now, to_the_second};

    #[test]
    fn only_the_very_form_is_read() {
        let day: Day = "2024-02-28".parse().unwrap();
        assert_eq!(day.next().unwrap().to_string(), "2024-02-29");
        for wrong in [
            "",
            "20240228",
            "2024-2-28",
            "2023-02-29",
            "-000001-01-01",
            "2024-02-28T00:00",
        ] {
            assert!(wrong.parse::<Day>().is_err(), "{wrong}");
        }
        for wrong in ["", "2024", "2024-13", "2024-02-01", "2024-2"] {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
        assert!("9999-12-31".parse::<Day>().unwrap().next().is_none());
    }

    #[test]
    fn months_go_back_over_the_year() {
        let month: Month = "2026-02".parse().unwrap();
        let last: Vec<String> = month.last(4).iter().map(Month::to_string).collect();
        assert_eq!(last, ["2025-11", "2025-12", "2026-01", "2026-02"]);
        assert_eq!(
            (month.name(), month.year(), month.is_january()),
            ("Feb", 2026, false)
        );
    }

    #[test]
    fn times_sort_as_text() {
        let now = now();
        assert_eq!(now.len(), "2026-02-15T10:00:00Z".len(), "{now}");
    }

    #[test]
    fn a_year_ends_with_its_last_second() {
        for time in ["2026-12-31T23:59:59.6Z", "2026-12-31T23:59:59.999999999Z"] {
            let second = to_the_second(time.parse().unwrap());
            assert_eq!(second, "2026-12-31T23:59:59Z");
        }
    }
}
