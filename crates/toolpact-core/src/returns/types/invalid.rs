use std::fmt;

use crate::Pointer;
use crate::returns::meaning::{Broken, Facts, Problem};

/// Why there can be no such result: it would break its shape or contradict itself.
///
/// ```
/// use toolpact_core::returns::types::ListResult;
///
/// let refused = ListResult::page(vec![1, 2, 3], 1, 2, 45).unwrap_err();
/// assert_eq!(refused.to_string(), "at /data: expected at most as many items as `per_page` says, 2, found 3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidResult {
    pointer: Pointer,
    message: String,
}

impl InvalidResult {
    pub(super) fn new(pointer: Pointer, message: impl Into<String>) -> Self {
        Self {
            pointer,
            message: message.into(),
        }
    }

    /// About one key of the result.
    pub(super) fn at(key: &str, message: impl Into<String>) -> Self {
        Self::new(Pointer::root().key(key), message)
    }

    /// Refuses facts that break a rule of meaning.
    pub(super) fn unless_hold(facts: &impl Facts) -> Result<(), Self> {
        let mut first = None;
        facts.broken(&mut |broken| {
            first.get_or_insert_with(|| Self::of(&broken));
        });
        first.map_or(Ok(()), Err)
    }

    fn of(broken: &Broken<'_>) -> Self {
        match &broken.problem {
            Problem::Beside { key, outcome } => {
                Self::at(key, format!("expected it to agree with `{outcome}`"))
            }
            Problem::Wrong {
                at,
                expected,
                found,
                ..
            } => {
                let pointer = at.iter().fold(Pointer::root(), |at, key| at.key(key));
                Self::new(pointer, format!("expected {expected}{found}"))
            }
        }
    }

    /// Where in the result.
    #[must_use]
    pub fn pointer(&self) -> &Pointer {
        &self.pointer
    }

    /// What was expected and what was found.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for InvalidResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_root() {
            write!(f, "at {}: ", self.pointer)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidResult {}
