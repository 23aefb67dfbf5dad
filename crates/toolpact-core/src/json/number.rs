use std::cmp::Ordering;
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

    /// Compares two numbers by their exact values.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    ///
    /// let [a, b] = ["100000000000000000001", "1e20"].map(|text| Value::from_json(text).unwrap());
    /// let [a, b] = [&a, &b].map(|value| value.root().as_number().unwrap());
    /// assert!(a.as_f64() == b.as_f64() && a.compare(b).is_gt());
    /// ```
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        Decimal::parse(self.text).compare(&Decimal::parse(other.text))
    }

    /// Whether it is a multiple of another by their exact values. Where both have very many digits, their
    /// floats decide.
    pub(crate) fn is_multiple_of(self, step: Self) -> bool {
        let exact = Decimal::parse(self.text).is_multiple_of(&Decimal::parse(step.text));
        exact.unwrap_or_else(|| self.as_f64() % step.as_f64() == 0.0)
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

    /// Its digits without zeros at both ends, and the place of the point before them; `None` for zero.
    fn significant(&self) -> Option<(Vec<u8>, i64)> {
        let first = self.digits().position(|digit| digit != b'0')?;
        let last = self
            .digits()
            .rposition(|digit| digit != b'0')
            .unwrap_or(first);
        let zeros = i64::try_from(first).unwrap_or(i64::MAX);
        let digits = self.digits().skip(first).take(last - first + 1);
        Some((digits.collect(), self.point.saturating_sub(zeros)))
    }

    fn compare(&self, other: &Self) -> Ordering {
        let sign = |negative: bool| {
            if negative {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        };
        match (self.significant(), other.significant()) {
            (None, None) => Ordering::Equal,
            (Some(_), None) => sign(self.negative),
            (None, Some(_)) => sign(other.negative).reverse(),
            (Some(_), Some(_)) if self.negative != other.negative => sign(self.negative),
            (Some((digits, point)), Some((others, other_point))) => {
                // Of two with the same point, the digits decide as texts do.
                let magnitude = point.cmp(&other_point).then_with(|| digits.cmp(&others));
                if self.negative {
                    magnitude.reverse()
                } else {
                    magnitude
                }
            }
        }
    }

    /// Long division, digit by digit; `None` if the divisor or the distance of the points is too large for it.
    fn is_multiple_of(&self, step: &Self) -> Option<bool> {
        /// So that ten times a remainder fits in 128 bits.
        const MOST_DIGITS: usize = 37;
        /// The longest row of zeros that is worth dividing.
        const MOST_ZEROS: i64 = 1000;
        let Some((digits, point)) = self.significant() else {
            return Some(true);
        };
        let (divisor, step_point) = step.significant()?;
        if divisor.len() > MOST_DIGITS {
            return None;
        }
        let value = |digits: &[u8]| {
            digits
                .iter()
                .fold(0_u128, |sum, d| sum * 10 + u128::from(d - b'0'))
        };
        let divisor_value = value(&divisor);
        // Both as whole numbers of the last place of the divisor.
        let length = |digits: &[u8]| i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let zeros = (point.checked_sub(length(&digits))?)
            .checked_sub(step_point.checked_sub(length(&divisor))?)?;
        if zeros < 0 {
            // It has digits behind the last place of the divisor, and they are not zeros.
            return Some(false);
        }
        if zeros > MOST_ZEROS {
            return None;
        }
        let zeros = usize::try_from(zeros).ok()?;
        let rest = digits
            .iter()
            .copied()
            .chain(std::iter::repeat_n(b'0', zeros));
        let rest = rest.fold(0_u128, |rest, d| {
            (rest * 10 + u128::from(d - b'0')) % divisor_value
        });
        Some(rest == 0)
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
    fn compared_by_value() {
        use std::cmp::Ordering::{self, Equal, Greater, Less};
        let cases: [(&str, &str, Ordering); 14] = [
            ("0", "-0.0", Equal),
            ("1", "1.0", Equal),
            ("10", "1e1", Equal),
            ("-1", "1", Less),
            ("0", "-1e-300", Greater),
            ("0", "1e-300", Less),
            ("18446744073709551616", "18446744073709551617", Less),
            ("-18446744073709551616", "-18446744073709551617", Greater),
            ("100000000000000000001", "1e20", Greater),
            ("99999999999999999999", "1e20", Less),
            ("1.5", "1.25", Greater),
            ("0.001", "0.01", Less),
            ("12e-1", "1.2", Equal),
            ("1e400", "2", Greater),
        ];
        for (a, b, expected) in cases {
            assert_eq!(Number::new(a).compare(Number::new(b)), expected, "{a} {b}");
            assert_eq!(
                Number::new(b).compare(Number::new(a)),
                expected.reverse(),
                "{b} {a}"
            );
        }
    }

    #[test]
    fn multiples_by_value() {
        for (number, step, expected) in [
            ("0", "3", true),
            ("100000000000000000002", "3", true),
            ("100000000000000000001", "3", false),
            ("-100000000000000000002", "3", true),
            ("123456789012345678901", "0.01", true),
            ("123456789012345678901", "2", false),
            ("1.5", "0.5", true),
            ("1.55", "0.5", false),
            ("1e20", "1e19", true),
            ("1e19", "1e20", false),
            ("30000000000000000000000000000000000000000", "1e40", true),
        ] {
            let is_multiple = Number::new(number).is_multiple_of(Number::new(step));
            assert_eq!(is_multiple, expected, "{number} {step}");
        }
    }

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
