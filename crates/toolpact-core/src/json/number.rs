use std::fmt;

/// A number as it was written.
#[derive(Debug, Clone, Copy)]
pub struct Number<'a> {
    text: &'a str,
}

/// A number as an integer, by its exact value and not by its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// A whole number that fits in an `i64`.
    Integer(i64),
    /// A whole number that does not fit in an `i64`.
    TooLarge,
    /// Not a whole number.
    Fraction,
}

impl<'a> Number<'a> {
    /// `text` must be a JSON number.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text }
    }

    /// The number as it was written.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The nearest 64-bit float. Always finite: readers refuse numbers that overflow.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// The exact integer value, if there is one: `5`, `5.0` and `50e-1` are all five.
    ///
    /// ```
    /// use toolpact_core::json::{Value, Whole};
    ///
    /// let whole = |text: &str| Value::from_json(text).unwrap().root().as_number().unwrap().whole();
    /// assert_eq!(whole("1e3"), Whole::Integer(1000));
    /// assert_eq!(whole("9223372036854775807.000"), Whole::Integer(i64::MAX));
    /// assert_eq!(whole("9223372036854775808"), Whole::TooLarge);
    /// assert_eq!(whole("5.5"), Whole::Fraction);
    /// ```
    #[must_use]
    pub fn whole(self) -> Whole {
        // Fast path: nearly every integer is written as one.
        if let Ok(integer) = self.text.parse() {
            return Whole::Integer(integer);
        }
        Decimal::parse(self.text).whole()
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

/// The digits of a number and the position of its decimal point.
struct Decimal<'a> {
    negative: bool,
    integer: &'a [u8],
    fraction: &'a [u8],
    /// The value is 0.DIGITS × 10^point, DIGITS being integer and fraction together.
    point: i64,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Self {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = i64::try_from(integer.len()).unwrap_or(i64::MAX);
        Self {
            negative,
            integer: integer.as_bytes(),
            fraction: fraction.as_bytes(),
            point: digits.saturating_add(saturating_exponent(exponent)),
        }
    }

    fn digits(&self) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator + '_ {
        let split = self.integer.len();
        (0..split + self.fraction.len()).map(move |i| {
            if i < split {
                self.integer[i]
            } else {
                self.fraction[i - split]
            }
        })
    }

    fn whole(&self) -> Whole {
        let Some(first) = self.digits().position(|d| d != b'0') else {
            return Whole::Integer(0);
        };
        let last = self.digits().rposition(|d| d != b'0').unwrap_or(first);
        let position = |i: usize| i64::try_from(i).unwrap_or(i64::MAX);
        if position(last) >= self.point {
            return Whole::Fraction;
        }
        // i64::MAX has 19 digits.
        let length = self.point.saturating_sub(position(first));
        if length > 19 {
            return Whole::TooLarge;
        }
        let length = usize::try_from(length).unwrap_or(0);
        let magnitude = self
            .digits()
            .skip(first)
            .chain(std::iter::repeat(b'0'))
            .take(length)
            .fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
        let value = if self.negative { -magnitude } else { magnitude };
        i64::try_from(value).map_or(Whole::TooLarge, Whole::Integer)
    }
}

fn saturating_exponent(text: &str) -> i64 {
    text.parse().unwrap_or(if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    })
}

#[cfg(test)]
mod tests {
    use super::{Number, Whole};

    #[test]
    fn whole_by_value() {
        use Whole::{Fraction, Integer, TooLarge};
        let cases = [
            ("0", Integer(0)),
            ("-0", Integer(0)),
            ("-0.0", Integer(0)),
            ("0e99999999999999999999", Integer(0)),
            ("5.0", Integer(5)),
            ("1e3", Integer(1000)),
            ("1E+3", Integer(1000)),
            ("1.5e1", Integer(15)),
            ("150e-1", Integer(15)),
            ("155e-1", Fraction),
            ("0.00000000000000000001e20", Integer(1)),
            ("9223372036854775807", Integer(i64::MAX)),
            ("9223372036854775807.000", Integer(i64::MAX)),
            ("9.223372036854775807e18", Integer(i64::MAX)),
            ("9223372036854775807.5", Fraction),
            ("9223372036854775808", TooLarge),
            ("-9223372036854775808", Integer(i64::MIN)),
            ("-9.223372036854775808e18", Integer(i64::MIN)),
            ("-9223372036854775809", TooLarge),
            ("9007199254740993", Integer(9_007_199_254_740_993)),
            ("9007199254740993.5", Fraction),
            ("1e300", TooLarge),
            ("1e-400", Fraction),
            ("1e-99999999999999999999", Fraction),
        ];
        for (text, expected) in cases {
            assert_eq!(Number::new(text).whole(), expected, "{text}");
        }
    }
}
