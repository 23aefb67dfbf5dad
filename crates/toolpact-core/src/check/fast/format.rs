//! The formats that tools use most, from bytes. All others are left to the `jsonschema` crate,
//! which these agree with to the letter.

use std::net::{Ipv4Addr, Ipv6Addr};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Date,
    Time,
    DateTime,
    Uuid,
    Ipv4,
    Ipv6,
}

impl Format {
    pub(super) const ALL: [(&'static str, Format); 6] = [
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

    pub(super) fn holds(self, text: &[u8]) -> bool {
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

fn parses<T: std::str::FromStr>(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<T>().is_ok())
}

/// Two digits.
fn two(pair: [u8; 2]) -> Option<u8> {
    let [tens, ones] = pair.map(|digit| digit.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| tens * 10 + ones)
}

/// `2026-02-15`
fn date(text: &[u8]) -> bool {
    let [c1, c2, y1, y2, b'-', m1, m2, b'-', d1, d2] = *text else {
        return false;
    };
    let (Some(century), Some(year)) = (two([c1, c2]), two([y1, y2])) else {
        return false;
    };
    let (Some(month), Some(day)) = (two([m1, m2]), two([d1, d2])) else {
        return false;
    };
    let leap = if year == 0 {
        century % 4 == 0
    } else {
        year % 4 == 0
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
    // A leap second is the last of a day in UTC.
    let in_utc = (i32::from(hour) * 60 + i32::from(minute) - offset).rem_euclid(24 * 60);
    second < 60 || in_utc == 24 * 60 - 1
}

/// What comes after the fraction of a second, if there is one; nothing if it has no digits.
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
    let Some((day, [b'T' | b't', clock @ ..])) = text.split_at_checked(10) else {
        return false;
    };
    date(day) && time(clock)
}

/// `123e4567-e89b-12d3-a456-426614174000`
fn uuid(text: &[u8]) -> bool {
    text.len() == 36
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
