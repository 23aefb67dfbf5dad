//! Numbers of JSON, exactly.

/// A number as a whole one.
pub(super) fn long(text: &str) -> Option<i64> {
    // Most numbers are written plainly.
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (negative, whole, fraction) = exact(text)?;
    if !fraction.is_empty() {
        return None;
    }
    let sign = if negative { "-" } else { "" };
    format!("{sign}{whole}").parse().ok()
}

/// A number as a `decimal` of Cedar, in ten-thousandths. One that has more than four decimals is none: rounding
/// could put it on the other side of a limit.
pub(super) fn decimal(text: &str) -> Option<i64> {
    if let Some(plain) = plain_decimal(text) {
        return Some(plain);
    }
    let (negative, whole, fraction) = exact(text)?;
    if fraction.len() > 4 {
        return None;
    }
    let sign = if negative { "-" } else { "" };
    format!("{sign}{whole}{fraction:0<4}").parse().ok()
}

/// One that is written plainly, as most are.
fn plain_decimal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_plain = fraction.len() <= 4 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let whole: i64 = whole.parse().ok().filter(|_| is_plain)?;
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(4);
    let fraction = digits.fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
    let whole = whole.checked_mul(10_000)?;
    match text.starts_with('-') {
        true => whole.checked_sub(fraction),
        false => whole.checked_add(fraction),
    }
}

/// A `decimal` as Cedar writes it, with one to four decimals.
pub(super) fn decimal_text(ten_thousandths: i64) -> String {
    let sign = if ten_thousandths < 0 { "-" } else { "" };
    let digits = ten_thousandths.unsigned_abs();
    format!("{sign}{}.{:04}", digits / 10_000, digits % 10_000)
}

/// What Cedar writes, read back. `None` if that is not how Cedar writes one.
pub(super) fn decimal_literal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.')?;
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let is_written =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (is_written(whole) && is_written(fraction) && fraction.len() <= 4).then_some(())?;
    decimal(text)
}

/// More digits than any number of Cedar has.
const MOST: usize = 40;

/// Sign, whole part and fraction without zeros at its end.
fn exact(text: &str) -> Option<(bool, String, String)> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let first = digits.len() - digits.trim_start_matches('0').len();
    let digits = digits.trim_end_matches('0');
    if first >= digits.len() {
        return Some((false, "0".to_owned(), String::new()));
    }
    // Where the point is among the digits.
    let point = i64::try_from(whole.len()).ok()?.checked_add(exponent)?;
    let most = i64::try_from(MOST).ok()?;
    if point.abs() > most || digits.len() - first > MOST {
        return None;
    }
    let (whole, fraction) = match usize::try_from(point) {
        Ok(point) if point >= digits.len() => (format!("{digits:0<point$}"), String::new()),
        Ok(point) => {
            let (whole, fraction) = digits.split_at_checked(point)?;
            (whole.to_owned(), fraction.to_owned())
        }
        Err(_) => {
            let zeros = usize::try_from(point.unsigned_abs()).ok()?;
            (String::new(), format!("{}{digits}", "0".repeat(zeros)))
        }
    };
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some((negative, whole.to_owned(), fraction))
}

#[cfg(test)]
mod tests {
    use super::{decimal, decimal_literal, decimal_text, long};

    #[test]
    fn whole_numbers() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-0", Some(0)),
            ("-0.0", Some(0)),
            ("0e9999999", Some(0)),
            ("1.0", Some(1)),
            ("1e3", Some(1000)),
            ("12.5e1", Some(125)),
            ("100e-2", Some(1)),
            ("1.5", None),
            ("1e-1", None),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("1e99999999999999999999", None),
            ("1e300", None),
            ("-12", Some(-12)),
        ] {
            assert_eq!(long(text), expected, "{text}");
        }
    }

    #[test]
    fn decimals_are_exact_or_none() {
        for (text, expected) in [
            ("100", Some("100.0000")),
            ("-1.25", Some("-1.2500")),
            ("0.0001", Some("0.0001")),
            ("-0.0001", Some("-0.0001")),
            ("1e-4", Some("0.0001")),
            ("1.50000", Some("1.5000")),
            ("-0.5", Some("-0.5000")),
            ("7.25", Some("7.2500")),
            ("-0", Some("0.0000")),
            ("100.00001", None),
            ("1e-5", None),
            ("922337203685477.5807", Some("922337203685477.5807")),
            ("922337203685477.5808", None),
            ("-922337203685477.5808", Some("-922337203685477.5808")),
            ("1e15", None),
        ] {
            let text_of_cedar = decimal(text).map(decimal_text);
            assert_eq!(text_of_cedar.as_deref(), expected, "{text}");
            assert_eq!(expected.and_then(decimal_literal), decimal(text), "{text}");
        }
        for text in ["1", "1.", ".5", "1.00000", "+1.0", "1e1.0", "--1.0", ""] {
            assert_eq!(decimal_literal(text), None, "{text}");
        }
    }
}
