//! The most common formats, checked on bytes. All others are left to the `jsonschema` crate.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::text::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Format {
    Date,
    Time,
    DateTime,
    Uuid,
    Ipv4,
    Ipv6,
}

impl Format {
    pub(in super::super) const ALL: [(&'static str, Format); 6] = [
        ("date", Format::Date),
        ("time", Format::Time),
        ("date-time", Format::DateTime),
        ("uuid", Format::Uuid),
        ("ipv4", Format::Ipv4),
        ("ipv6", Format::Ipv6),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        let (_, format) = Self::ALL.into_iter().find(|(known, _)| *known == name)?;
        Some(format)
    }

    pub(in super::super) fn holds(self, text: &[u8]) -> bool {
        match self {
            Format::Date => date(text),
            Format::Time => time(text),
            Format::DateTime => date_time(text),
            Format::Uuid => uuid(text),
            Format::Ipv4 => parses::<Ipv4Addr>(text),
            Format::Ipv6 => parses::<Ipv6Addr>(text),
        }
    }
}

/// The formats that are left to the `jsonschema` crate, which ignores unknown ones.
pub(super) const OTHERS: &[&str] = words!(
    "duration email hostname idn-email idn-hostname iri iri-reference json-pointer regex \
     relative-json-pointer uri uri-reference uri-template"
);

/// Whether a format is enforced. An unknown one is an annotation.
pub(crate) fn is_enforced_format(name: &str) -> bool {
    Format::named(name).is_some() || OTHERS.contains(&name)
}

fn parses<T: std::str::FromStr>(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<T>().is_ok())
}

/// The value of two digits.
fn two(pair: [u8; 2]) -> Option<u8> {
    let [tens, ones] = pair.map(|digit| digit.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| tens * 10 + ones)
}

/// `2026-02-15`
fn date(text: &[u8]) -> bool {
    let [c1, c2, y1, y2, b'-', m1, m2, b'-', d1, d2] = *text else {
        return false;
    };
    match (two([c1, c2]), two([y1, y2]), two([m1, m2]), two([d1, d2])) {
        (Some(century), Some(year), Some(month), Some(day)) => is_day(century, year, month, day),
        _ => false,
    }
}

fn is_day(century: u8, year: u8, month: u8, day: u8) -> bool {
    // Every month has 28 days.
    if (1..=12).contains(&month) && (1..=28).contains(&day) {
        return true;
    }
    let leap = if year == 0 {
        century.is_multiple_of(4)
    } else {
        year.is_multiple_of(4)
    };
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `10:30:00Z`, `10:30:00.5+02:00`
fn time(text: &[u8]) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text else {
        return false;
    };
    let (Some(hour), Some(minute)) = (two([*h1, *h2]), two([*m1, *m2])) else {
        return false;
    };
    let Some(second) = two([*s1, *s2]) else {
        return false;
    };
    if hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let Some(offset) = offset_minutes(fraction(rest)) else {
        return false;
    };
    // A leap second is the last second of a day in UTC.
    let in_utc = (i32::from(hour) * 60 + i32::from(minute) - offset).rem_euclid(24 * 60);
    second < 60 || in_utc == 24 * 60 - 1
}

/// The rest after the fraction of a second, if there is one; empty if it has no digits.
fn fraction(text: &[u8]) -> &[u8] {
    let [b'.', digits @ ..] = text else {
        return text;
    };
    match digits.iter().position(|b| !b.is_ascii_digit()) {
        Some(end @ 1..) => &digits[end..],
        _ => &[],
    }
}

/// `Z`, `+02:00`
fn offset_minutes(text: &[u8]) -> Option<i32> {
    let (sign, h1, h2, m1, m2) = match *text {
        [b'Z' | b'z'] => return Some(0),
        [b'+', h1, h2, b':', m1, m2] => (1, h1, h2, m1, m2),
        [b'-', h1, h2, b':', m1, m2] => (-1, h1, h2, m1, m2),
        _ => return None,
    };
    let (hours, minutes) = (two([h1, h2])?, two([m1, m2])?);
    (hours <= 23 && minutes <= 59).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

fn date_time(text: &[u8]) -> bool {
    if usual_date_time(text) {
        return true;
    }
    let Some((day, [b'T' | b't', clock @ ..])) = text.split_at_checked(10) else {
        return false;
    };
    date(day) && time(clock)
}

/// `2026-02-15T10:30:00Z`, the most common spelling: all digits are checked at once.
#[inline(always)]
fn usual_date_time(text: &[u8]) -> bool {
    const SHAPE: u128 = u128::from_le_bytes(*b"0000-00-00T00:00");
    const ONES: u128 = u128::from_le_bytes([1; 16]);
    let [head @ .., b':', s1, s2, b'Z'] = text else {
        return false;
    };
    let Ok(head) = <[u8; 16]>::try_from(head) else {
        return false;
    };
    // Digits become their values, and the separators become zero.
    let digits = u128::from_le_bytes(head) ^ SHAPE;
    // Adding 6 carries into the upper half of a byte that is greater than 9.
    let no_digits = (digits | digits.wrapping_add(ONES * 6)) & (ONES * 0xF0);
    let [
        _,
        _,
        _,
        _,
        dash,
        m1,
        m2,
        dash2,
        d1,
        d2,
        t,
        h1,
        h2,
        colon,
        i1,
        i2,
    ] = digits.to_le_bytes();
    let (0, 0, Some(second)) = (no_digits, dash | dash2 | t | colon, two([*s1, *s2])) else {
        return false;
    };
    let (month, day) = (m1 * 10 + m2, d1 * 10 + d2);
    let (hour, minute) = (h1 * 10 + h2, i1 * 10 + i2);
    // Rare cases, such as the 30th and leap seconds, take the slow path.
    (1..=12).contains(&month) && (1..=28).contains(&day) && hour < 24 && minute < 60 && second < 60
}

/// `123e4567-e89b-12d3-a456-426614174000`
fn uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::Format;

    const TEXTS: [&str; 30] = [
        "",
        "2026-02-15",
        "2026-02-29",
        "2024-02-29",
        "1900-02-29",
        "2000-02-29",
        "2026-04-31",
        "2026-12-31",
        "2026-13-01",
        "2026-00-10",
        "2026-02-15T10:30:00Z",
        "2026-02-30T10:30:00Z",
        // Two separators that are wrong in the same way, and characters of two bytes in place of digits.
        "2026,02,15T10:30:00Z",
        "2026-02-15U10;30:00Z",
        "20°-02-15T10:30:00Z",
        "2026-02-15T10:°:00Z",
        "2026-12-31T23:59:60Z",
        "2026-12-31T23:59:60+00:00",
        "2026-12-31T22:59:60-01:00",
        "2026-12-31t23:59:59.123456z",
        "2026-12-31T23:59:59.+01:00",
        "2026-12-31T23:59:59+24:00",
        "10:30:00Z",
        "10:30:00.5+02:00",
        "23:59:60-00:00",
        "123e4567-e89b-12d3-a456-426614174000",
        "123e4567e89b12d3a456426614174000",
        "192.168.0.1",
        "2001:db8::8a2e:370:7334",
        "::ffff:192.168.0.1",
    ];

    /// Each text, and each with one byte changed, removed or added. The crate accepts some bytes
    /// below `0` as digits, as in `-026-02-15`; nothing else may differ.
    #[test]
    fn agree_with_the_crate() {
        for (name, format) in Format::ALL {
            let schema = serde_json::json!({ "format": name });
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            let oracle = options.build(&schema).unwrap();
            let try_one = |text: &str, doubtful: bool| {
                let (found, expected) =
                    (format.holds(text.as_bytes()), oracle.is_valid(&text.into()));
                assert!(found == expected || doubtful && expected, "{name} {text:?}");
            };
            for text in TEXTS {
                try_one(text, false);
                let places = if text.is_ascii() { text.len() } else { 0 };
                for at in 0..places {
                    try_one(&format!("{}{}", &text[..at], &text[at + 1..]), false);
                    for new in [
                        "0", "1", "3", "6", "9", ":", "T", "Z", "é", "\u{7f}", "-", ".", "/",
                    ] {
                        let doubtful = ["-", ".", "/"].contains(&new);
                        try_one(
                            &format!("{}{new}{}", &text[..at], &text[at + 1..]),
                            doubtful,
                        );
                        try_one(&format!("{}{new}{}", &text[..at], &text[at..]), doubtful);
                    }
                }
            }
        }
        assert!(!Format::Date.holds(b"-026-02-15"));
    }

    /// Bytes whose upper half adding 6 does not change are no digits either: `!` is 17 above `0` in its bits.
    #[test]
    fn bytes_that_are_no_digits() {
        for at in [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18] {
            for wrong in [b' ', b'!', b'%', b')', b'@', b'P', b'p'] {
                let mut text = *b"2026-02-15T10:30:00Z";
                text[at] = wrong;
                let shown = String::from_utf8_lossy(&text);
                assert!(!Format::DateTime.holds(&text), "{shown}");
            }
        }
    }

    /// Two wrong separators must both be detected, even if they differ in the same bits.
    #[test]
    fn two_wrong_separators() {
        for text in [
            "2026,02,15T10:30:00Z",
            "2026-02,15U10:30:00Z",
            "2026-02-15U10;30:00Z",
        ] {
            assert!(!Format::DateTime.holds(text.as_bytes()), "{text}");
        }
    }
}
