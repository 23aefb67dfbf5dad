//! Results that are valid without even a warning, judged in one pass.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::fast_within;
use crate::Violations;
use crate::json::{Document, Limits};
use crate::returns::Enforcer;
use crate::violation::Checked;

/// What a text has in it wherever a result that is valid may be worth a warning: its errors have
/// codes, and its checksums name their algorithm. Either may be spelled with escapes.
static REMARKABLE: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["error", "algorithm", "\\u"].map(Finder::new));

impl Enforcer {
    /// Checks a JSON text within limits of your own, with every error and warning in place.
    #[must_use]
    pub fn check_within(&self, json: &[u8], limits: &Limits) -> Checked<()> {
        if fast_within(limits, json) && self.fast_accepts(json) {
            return nothing_found();
        }
        self.check_document(&Document::json(json, limits)).map(drop)
    }

    /// Whether a text keeps the promise and cannot be worth a warning.
    pub(super) fn fast_accepts(&self, json: &[u8]) -> bool {
        self.is_valid(json) && REMARKABLE.iter().all(|word| word.find(json).is_none())
    }
}

/// Nothing was found.
pub(super) fn nothing_found() -> Checked<()> {
    Checked {
        value: Some(()),
        violations: Violations::default(),
    }
}
