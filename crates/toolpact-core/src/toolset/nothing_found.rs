//! Results about which there is nothing to say.

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
        if fast_within(limits, json) && self.finds_nothing(json) {
            return nothing_found();
        }
        let checked = self.check_document(&Document::json(json, limits));
        Checked {
            value: checked.value.map(drop),
            violations: checked.violations,
        }
    }

    /// Whether a text keeps the promise and surely deserves no warning.
    pub(super) fn finds_nothing(&self, json: &[u8]) -> bool {
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
