use std::fmt;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use schemars::json_schema;
use serde_json::Number;

use super::{Unreadable, as_text};

/// What all prices are in.
pub(crate) const CURRENCY: &str = "EUR";

/// An amount of money: whole cents inside, `59.90` outside. Never a float, so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Cents(pub(crate) i64);

as_text!(
    Cents,
    json_schema!({"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{2}$"})
);

/// Up to here, a float has all the digits of an amount.
const EXACT: i64 = 1_000_000_000_000_000;

impl Cents {
    /// The price of several.
    pub(crate) fn times(self, quantity: i64) -> Option<Self> {
        self.0.checked_mul(quantity).map(Self)
    }

    /// The amount as a number, `59.9`; `None` if it is too large to be exact.
    pub(crate) fn to_number(self) -> Option<Number> {
        if self.0.abs() >= EXACT {
            return None;
        }
        // The nearest float to a decimal of 15 digits is written as that decimal again.
        self.to_string()
            .parse()
            .ok()
            .and_then(|amount: f64| Number::from_f64(amount))
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

impl FromStr for Cents {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        const WRONG: Unreadable = Unreadable::expected("an amount such as `59.90`");
        let (whole, cents) = text.split_once('.').ok_or(WRONG)?;
        let digits = whole.strip_prefix('-').unwrap_or(whole);
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if cents.len() != 2 || digits.is_empty() || !plain(cents) || !plain(digits) {
            return Err(WRONG);
        }
        let joined = format!("{whole}{cents}");
        joined.parse().map(Self).map_err(|_| WRONG)
    }
}

impl FromSql for Cents {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Self)
    }
}

impl ToSql for Cents {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

#[cfg(test)]
mod tests {
    use super::Cents;

    #[test]
    fn amounts_come_back_as_they_were() {
        let amounts = [
            0,
            1,
            5,
            99,
            100,
            12345,
            -1,
            -100,
            -12345,
            i64::MAX,
            i64::MIN,
        ];
        for cents in amounts.map(Cents) {
            assert_eq!(cents.to_string().parse(), Ok(cents));
        }
        assert_eq!(Cents(-5).to_string(), "-0.05");
        for wrong in [
            "", "1", "1.5", "1.234", ".50", "-.50", "+1.00", "1.-5", "1e2.00", "--1.00",
        ] {
            assert!(wrong.parse::<Cents>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn as_numbers_they_keep_their_digits() {
        for cents in (0..200_000)
            .step_by(7)
            .chain([999_999_999_999_999, 999_999_999_999_901])
        {
            let number = Cents(cents).to_number().unwrap().to_string();
            let (whole, part) = number.split_once('.').unwrap();
            assert_eq!(format!("{whole}{part:0<2}").parse(), Ok(cents), "{number}");
        }
        assert_eq!(Cents(super::EXACT).to_number(), None);
        assert_eq!(Cents(5990).to_number().unwrap().to_string(), "59.9");
    }

    #[test]
    fn what_is_too_much_is_nothing() {
        assert_eq!(Cents(250).times(3), Some(Cents(750)));
        assert_eq!(Cents(i64::MAX).times(2), None);
    }
}
