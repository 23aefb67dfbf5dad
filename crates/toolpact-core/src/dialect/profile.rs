//! Which schemas a dialect supports: the facts that the steps depend on.

use super::references::References;
use super::step::Step;

/// The schema support of one dialect.
pub(super) struct Profile {
    pub(super) references: References,
    /// The steps that convert a JSON Schema to the dialect, in order.
    pub(super) steps: &'static [Step],
    /// The supported keywords; `None` for all of JSON Schema.
    pub(super) keywords: Option<&'static [&'static str]>,
    /// The supported formats; `None` for any.
    pub(super) formats: Option<&'static [&'static str]>,
    /// Which keys are allowed; `None` for any.
    pub(super) keys: Option<KeyRule>,
    /// Whether dropped rules are added to the description.
    pub(super) tells: bool,
}

/// Which keys are allowed.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRule {
    /// The bytes that are allowed besides letters, digits and `_`.
    pub(super) others: &'static [u8],
    /// Whether a key may start with a digit or one of `others`.
    pub(super) any_first: bool,
    /// The maximum length in bytes.
    pub(super) longest: usize,
    /// Whether it applies only to top-level argument keys, and not to nested ones.
    pub(super) top_only: bool,
}

impl KeyRule {
    /// Whether a key is allowed.
    pub(super) fn allows(&self, key: &str) -> bool {
        let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        let other = |b: u8| letter(b) || b.is_ascii_digit() || self.others.contains(&b);
        let bytes = key.as_bytes();
        let first = bytes.first().is_some_and(|b| letter(*b) || self.any_first);
        first && bytes.len() <= self.longest && bytes.iter().all(|b| other(*b))
    }
}

impl Profile {
    /// Whether repeated schemas can be hoisted into `$defs`.
    pub(super) fn hoists(&self) -> bool {
        self.references != References::Inline
    }

    /// Supports all of JSON Schema.
    pub(super) const ANYTHING: Profile = Profile {
        references: References::Keep,
        steps: &[],
        keywords: None,
        formats: None,
        keys: None,
        tells: false,
    };
}
