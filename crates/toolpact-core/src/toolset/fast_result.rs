//! Results that are valid without warnings, checked in one pass.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::fast_within;
use crate::Violations;
use crate::json::{Document, Limits};
use crate::returns::Enforcer;
use crate::violation::Checked;

/// What a text contains if it may be valid with a warning: errors have codes, and checksums
/// may be of an unknown algorithm. Either may be written with escapes.
static REMARKABLE: LazyLock<[Finder<'static>; 3]> =
    LazyLock::new(|| ["error", "checksum", "\\u"].map(Finder::new));

impl Enforcer {
    /// Checks a JSON text within custom limits. Every error and warning has its position.
    #[must_use]
    pub fn check_within(&self, json: &[u8], limits: &Limits) -> Checked<()> {
        if fast_within(limits, json) && self.fast_accepts(json) {
            return nothing_found();
        }
        self.check_document(&Document::json(json, limits)).map(drop)
    }

    /// Whether a text satisfies the contract and cannot cause a warning.
    pub(super) fn fast_accepts(&self, json: &[u8]) -> bool {
        self.is_valid(json) && REMARKABLE.iter().all(|word| word.find(json).is_none())
    }
}

/// The result without findings.
pub(super) fn nothing_found() -> Checked<()> {
    Checked {
        value: Some(()),
        violations: Violations::default(),
    }
}
