//! The constraints on a string.

use std::sync::atomic::{AtomicU8, Ordering};

use super::delegated::Delegated;
use super::format::Format;
use super::literal::Literal;
use super::names::Names;

#[derive(Debug)]
pub(super) struct StringRules {
    /// In characters.
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) values: Option<Values>,
    /// The only constraint, if there is just one.
    pub(super) only: Only,
    pub(super) formats: Box<[Format]>,
    /// Patterns and other formats.
    pub(super) delegated: Option<Box<Delegated>>,
}

/// Most strings have only one constraint.
#[derive(Debug, Clone, Copy)]
pub(super) enum Only {
    Values,
    Format(Format),
    /// Something else, or more than one thing.
    Other,
}

impl StringRules {
    /// Whether a string, which is UTF-8, satisfies all rules; `None` if that cannot be decided.
    pub(super) fn accept(&self, text: &[u8]) -> Option<bool> {
        let listed = |values: &Values| values.names.find(text).is_some();
        if !self.accepts_length(text)
            || !self.values.as_ref().is_none_or(listed)
            || !self.formats.iter().all(|format| format.holds(text))
        {
            return Some(false);
        }
        match &self.delegated {
            Some(delegated) => delegated.accepts_string(std::str::from_utf8(text).ok()?),
            None => Some(true),
        }
    }

    fn accepts_length(&self, text: &[u8]) -> bool {
        if self.min == 0 && self.max == u32::MAX {
            return true;
        }
        // A character takes one to four bytes, so the byte length bounds the number of characters.
        let (min, max) = (self.min as usize, self.max as usize);
        if text.len() < min || text.len().div_ceil(4) > max {
            return false;
        }
        let is_first = |byte: &&u8| !(0x80..0xC0).contains(*byte);
        let characters = if text.is_ascii() {
            text.len()
        } else {
            text.iter().filter(is_first).count()
        };
        (min..=max).contains(&characters)
    }
}

/// The allowed strings.
#[derive(Debug)]
pub(super) struct Values {
    literals: Box<[Literal]>,
    names: Names,
    /// The last one that was found.
    guess: AtomicU8,
}

/// Up to this many are compared one by one.
const FEW: usize = 8;

impl Values {
    pub(super) fn new(values: Vec<Box<str>>) -> Option<Self> {
        Some(Self {
            literals: values.iter().map(|value| Literal::string(value)).collect(),
            names: Names::new(values)?,
            guess: AtomicU8::new(0),
        })
    }

    /// The end of the string at `at`, if it is one of these and has no escapes.
    #[inline(always)]
    pub(super) fn end_of_one(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let guess = usize::from(self.guess.load(Ordering::Relaxed));
        let end = |literal: &Literal| literal.is_at(bytes, at).then(|| at + literal.len());
        if let Some(end) = self.literals.get(guess).and_then(end) {
            return Some(end);
        }
        let few = self.literals.get(..FEW).unwrap_or(&self.literals);
        few.iter().zip(0..).find_map(|(literal, position)| {
            let end = end(literal)?;
            self.guess.store(position, Ordering::Relaxed);
            Some(end)
        })
    }
}
