//! The constraints on a number.

use super::delegated::Delegated;
use crate::json::{Number, Whole};

#[derive(Debug)]
pub(super) struct NumberRules {
    /// The minimum and maximum of integers that are written as such.
    pub(super) min: i64,
    pub(super) max: i64,
    /// The `multipleOf` of such integers.
    pub(super) step: Option<i64>,
    /// The only integers allowed, sorted.
    pub(super) values: Option<Box<[i64]>>,
    /// The same limits for other numbers, if they can be represented exactly.
    pub(super) floats: Option<Floats>,
    /// Whether the fields above are incomplete, so that every number is delegated.
    pub(super) only_delegated: bool,
    /// Checks all constraints.
    pub(super) unusual: Unusual,
}

/// Limits, and whether a number may be equal to them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Floats {
    pub(super) min: (f64, bool),
    pub(super) max: (f64, bool),
}

/// What decides about numbers that are not plain integers or short decimals.
#[derive(Debug)]
pub(super) enum Unusual {
    /// JSON Schema, by the `jsonschema` crate.
    Delegated(Box<Delegated>),
    /// ADM: whole by its exact value and within 64 bits.
    Integer,
}

impl NumberRules {
    /// INTEGER of ADM. Every number written as an integer of up to 18 digits is one.
    pub(super) fn adm_integer() -> Self {
        Self {
            min: i64::MIN,
            max: i64::MAX,
            step: None,
            values: None,
            floats: None,
            only_delegated: false,
            unusual: Unusual::Integer,
        }
    }

    #[inline(always)]
    pub(super) fn accepts_integer(&self, integer: i64) -> bool {
        self.min <= integer
            && integer <= self.max
            && self.step.is_none_or(|step| integer % step == 0)
            && (self.values.as_ref()).is_none_or(|values| values.binary_search(&integer).is_ok())
    }

    /// The cost of checking a number by its text, in bytes read.
    pub(super) fn cost_of_text(&self) -> usize {
        match &self.unusual {
            Unusual::Delegated(delegated) => delegated.cost(),
            Unusual::Integer => 0,
        }
    }

    /// Checks any number by its text; `None` if that cannot be decided.
    #[cold]
    pub(super) fn accepts_text(&self, text: &[u8]) -> Option<bool> {
        match &self.unusual {
            Unusual::Delegated(delegated) => delegated.accepts_json(text),
            Unusual::Integer => {
                let number = Number::new(std::str::from_utf8(text).ok()?);
                Some(matches!(number.whole(), Whole::Integer(_)))
            }
        }
    }
}

impl Floats {
    #[inline(always)]
    #[expect(clippy::float_cmp, reason = "a limit is met exactly or not")]
    pub(super) fn accept(&self, number: f64) -> bool {
        let ((min, or_min), (max, or_max)) = (self.min, self.max);
        (min < number || or_min && min == number) && (number < max || or_max && max == number)
    }
}

/// Whether a number that is not plain is whole, as JSON Schema defines it: as a 64-bit float.
#[cold]
pub(super) fn is_whole(text: &[u8]) -> Option<bool> {
    let number: serde_json::Number = serde_json::from_slice(text).ok()?;
    let is_whole = |float: f64| float.fract() == 0.0;
    Some(number.is_i64() || number.is_u64() || number.as_f64().is_some_and(is_whole))
}
