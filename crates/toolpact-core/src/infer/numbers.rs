use std::cmp::Ordering;

use super::place::Kinds;
use crate::json::{Number, Whole};

/// The numbers at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    /// Written as integers.
    integers: u64,
    /// Whole by value, written with a fraction or an exponent: `12.0`.
    whole: u64,
    fractions: u64,
    range: Option<(Box<str>, Box<str>)>,
}

impl Numbers {
    pub(super) fn add(&mut self, number: Number<'_>) {
        let text = number.text();
        let is_plain = !text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E'));
        match is_plain || number.whole() != Whole::Fraction {
            true if is_plain => self.integers += 1,
            true => self.whole += 1,
            false => self.fractions += 1,
        }
        self.widen(text, text);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.integers += other.integers;
        self.whole += other.whole;
        self.fractions += other.fractions;
        if let Some((least, most)) = other.range {
            self.widen(&least, &most);
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.integers + self.whole + self.fractions
    }

    /// A tool that writes `12.0` and never `12` has numbers that need not be whole.
    pub(super) fn kinds(&self) -> Kinds {
        match (self.integers, self.whole, self.fractions) {
            (0, 0, 0) => Kinds::default(),
            (1.., _, 0) => Kinds::INTEGER,
            _ => Kinds::NUMBER,
        }
    }

    /// The least and the greatest, as they were written.
    pub(super) fn range(&self) -> Option<(&str, &str)> {
        self.range.as_ref().map(|(least, most)| (&**least, &**most))
    }

    fn widen(&mut self, least: &str, most: &str) {
        let Some((from, to)) = &mut self.range else {
            self.range = Some((least.into(), most.into()));
            return;
        };
        if compare(least, from).is_lt() {
            *from = least.into();
        }
        if compare(most, to).is_gt() {
            *to = most.into();
        }
    }
}

/// By their exact values. Most numbers are small integers.
fn compare(one: &str, other: &str) -> Ordering {
    match (one.parse::<i64>(), other.parse::<i64>()) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => Number::new(one).compare(Number::new(other)),
    }
}
