//! The names of things that people can say over the telephone: `O-1042`.

use std::fmt;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use schemars::json_schema;

use super::{Unreadable, as_text};

macro_rules! numbered {
    ($(#[$meta:meta])* $type:ident, $prefix:literal, $example:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $type(pub(crate) i64);

        as_text!($type, json_schema!({
            "type": "string",
            "pattern": concat!("^", $prefix, "-[0-9]{1,15}$"),
        }));

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "-{}"), self.0)
            }
        }

        impl FromStr for $type {
            type Err = Unreadable;

            fn from_str(text: &str) -> Result<Self, Unreadable> {
                const WRONG: Unreadable = Unreadable::expected(concat!("a number such as `", $example, "`"));
                let digits = text.strip_prefix(concat!($prefix, "-")).ok_or(WRONG)?;
                let plain = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
                let number = digits.parse().ok().filter(|_| plain);
                number.map(Self).ok_or(WRONG)
            }
        }

        impl FromSql for $type {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }

        impl ToSql for $type {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.0.into())
            }
        }
    };
}

numbered!(
    /// The number of an order.
    OrderId, "O", "O-1042"
);
numbered!(
    /// The number of a customer.
    CustomerId, "C", "C-117"
);
numbered!(
    /// The number of a job that runs for a while.
    OperationId, "OP", "OP-3"
);

#[cfg(test)]
mod tests {
    use super::{CustomerId, OrderId};

    #[test]
    fn only_the_very_form_is_read() {
        assert_eq!("O-1042".parse(), Ok(OrderId(1042)));
        assert_eq!(CustomerId(7).to_string(), "C-7");
        for wrong in [
            "",
            "O",
            "O-",
            "o-1",
            "C-1",
            "O-1 ",
            "O--1",
            "O-+1",
            "O-1.0",
            "O-9999999999999999",
        ] {
            assert!(wrong.parse::<OrderId>().is_err(), "{wrong}");
        }
    }
}
