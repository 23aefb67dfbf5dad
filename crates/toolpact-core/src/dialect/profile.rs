//! What a dialect can say about a schema: the facts that the steps go by.

use super::references::References;
use super::step::Step;

/// The schemas of one dialect.
pub(super) struct Profile {
    pub(super) references: References,
    /// The steps that make a schema one of the dialect's, in order.
    pub(super) steps: &'static [Step],
    /// The keywords it knows; `None` if it knows JSON Schema.
    pub(super) keywords: Option<&'static [&'static str]>,
    /// The formats it knows; `None` if any will do.
    pub(super) formats: Option<&'static [&'static str]>,
    /// Which names keys may have.
    pub(super) keys: Option<KeyRule>,
    /// Whether what is left out is told in the description.
    pub(super) tells: bool,
}

/// Which names keys may have.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyRule {
    /// The bytes that may stand in one, beside letters, digits and `_`.
    pub(super) others: &'static [u8],
    /// Whether a digit or one of the others may come first.
    pub(super) any_first: bool,
    /// Most bytes.
    pub(super) longest: usize,
    /// Whether it holds for the keys of the arguments only, and not for those inside of them.
    pub(super) top_only: bool,
}

impl KeyRule {
    /// Whether a key is within the rule.
    pub(super) fn allows(&self, key: &str) -> bool {
        let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        let other = |b: u8| letter(b) || b.is_ascii_digit() || self.others.contains(&b);
        let bytes = key.as_bytes();
        let first = bytes.first().is_some_and(|b| letter(*b) || self.any_first);
        first && bytes.len() <= self.longest && bytes.iter().all(|b| other(*b))
    }
}

impl Profile {
    /// Whether schemas that are there twice can be written once.
    pub(super) fn hoists(&self) -> bool {
        self.references != References::Inline
    }

    /// Knows all of JSON Schema.
    pub(super) const ANYTHING: Profile = Profile {
        references: References::Keep,
        steps: &[],
        keywords: None,
        formats: None,
        keys: None,
        tells: false,
    };
}
