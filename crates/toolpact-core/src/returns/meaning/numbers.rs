//! Whole numbers, for comparing.

use crate::json::{Node, Whole};

/// A member that is a whole number. Exact within 128 bits if it is written as an integer, and
/// within 64 bits if not; larger numbers saturate.
pub(super) fn whole(object: Node<'_>, key: &str) -> Option<i128> {
    let number = object.get(key)?.as_number()?;
    let beyond = match number.whole() {
        Whole::Integer(integer) => return Some(integer.into()),
        Whole::TooLarge if number.text().starts_with('-') => i128::MIN,
        Whole::TooLarge => i128::MAX,
        Whole::Fraction => return None,
    };
    Some(number.text().parse().unwrap_or(beyond))
}

/// The number, if it is known exactly.
pub(super) fn exact(number: Option<i128>) -> Option<i128> {
    number.filter(|number| !matches!(*number, i128::MIN | i128::MAX))
}

/// The number of elements.
pub(super) fn count(things: impl Iterator) -> i128 {
    length(things.count())
}

/// A length in memory.
pub(super) fn length(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}
