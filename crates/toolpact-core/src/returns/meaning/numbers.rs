//! Numbers, exactly.

use crate::json::{Node, Whole};
use crate::model::describe;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

/// A member that is a whole number within 64 bits.
pub(super) fn integer(object: Node<'_>, key: &str) -> Option<i64> {
    match object.get(key)?.as_number()?.whole() {
        Whole::Integer(integer) => Some(integer),
        Whole::TooLarge | Whole::Fraction => None,
    }
}

/// A member that is a whole number, for comparing. Exact within 128 bits if it is spelled as an
/// integer; what is beyond that counts as just beyond 64.
pub(super) fn bounded(object: Node<'_>, key: &str) -> Option<i128> {
    let number = object.get(key)?.as_number()?;
    let beyond = match number.whole() {
        Whole::Integer(integer) => return Some(integer.into()),
        Whole::TooLarge if number.text().starts_with('-') => i128::from(i64::MIN) - 1,
        Whole::TooLarge => i128::from(i64::MAX) + 1,
        Whole::Fraction => return None,
    };
    Some(number.text().parse().unwrap_or(beyond))
}

/// How many, for comparing.
pub(super) fn count(things: impl Iterator) -> i128 {
    length(things.count())
}

/// A length in memory, for comparing.
pub(super) fn length(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}

/// The member `key` must not be less than zero.
pub(super) fn not_negative(object: Node<'_>, key: &str, report: &mut Report) {
    let Some(node) = object.get(key) else {
        return;
    };
    if node.as_number().is_some_and(|n| n.as_f64() < 0.0) {
        report.add(&rules::NEGATIVE, Place::Node(node.id()), |finding| {
            finding.say(format!(
                "expected `{key}` to be at least 0, found {}",
                describe(node)
            ));
        });
    }
}
