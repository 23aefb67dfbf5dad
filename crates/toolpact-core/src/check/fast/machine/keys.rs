//! Keys that no rule knows, so that one that comes twice is noticed.

use std::borrow::Cow;

use super::Stop;
use super::string::Text;
use crate::check::fast::names::hash;
use crate::json::decode;

/// The keys of the objects that are open, the innermost at the end.
#[derive(Debug, Default)]
pub(super) struct Keys {
    hashes: Vec<u64>,
    names: Vec<Name>,
}

/// Where the text of a key is, between its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    start: u32,
    end: u32,
    escaped: bool,
}

/// Up to so many keys are compared with each other as they come.
const FEW: usize = 16;

impl Name {
    pub(super) fn new(at: usize, text: Text) -> Self {
        // Places fit, because longer texts are refused.
        let narrow = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        Self {
            start: narrow(at + 1),
            end: narrow(text.end - 1),
            escaped: text.escaped,
        }
    }

    /// Where its opening quote is.
    pub(super) fn quote(self) -> usize {
        self.start as usize - 1
    }

    pub(super) fn is_escaped(self) -> bool {
        self.escaped
    }

    pub(super) fn text(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let range = self.start as usize..self.end as usize;
        let inner = bytes.get(range).unwrap_or_default();
        if !self.escaped {
            return Cow::Borrowed(inner);
        }
        match decode(std::str::from_utf8(inner).unwrap_or_default()) {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

impl Keys {
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.hashes.truncate(length);
        self.names.truncate(length);
    }

    /// Adds a key of the object whose keys begin at `base`.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8], base: usize, name: Name) -> Result<(), Stop> {
        let text = name.text(bytes);
        let hash = hash(&text);
        let before = self.hashes.get(base..).unwrap_or_default();
        if before.len() < FEW && before.contains(&hash) {
            let same = |(known, other): (&u64, &Name)| *known == hash && other.text(bytes) == text;
            let names = self.names.get(base..).unwrap_or_default();
            if before.iter().zip(names).any(same) {
                return Err(Stop::Malformed);
            }
        }
        self.hashes.push(hash);
        self.names.push(name);
        Ok(())
    }

    /// Looks whether a key from `base` on is there twice, and forgets them.
    #[inline]
    pub(super) fn close(&mut self, bytes: &[u8], base: usize) -> Result<(), Stop> {
        let unique = self.len() - base <= FEW || self.are_unique(bytes, base);
        self.truncate(base);
        match unique {
            true => Ok(()),
            false => Err(Stop::Malformed),
        }
    }

    #[cold]
    fn are_unique(&self, bytes: &[u8], base: usize) -> bool {
        let mut sorted: Vec<(u64, Name)> = (self.hashes.iter().copied())
            .zip(self.names.iter().copied())
            .skip(base)
            .collect();
        // By name where the hashes are the same, so that those cannot be made to hurt.
        sorted.sort_unstable_by(|(a, x), (b, y)| {
            a.cmp(b).then_with(|| x.text(bytes).cmp(&y.text(bytes)))
        });
        sorted
            .windows(2)
            .all(|pair| pair[0].0 != pair[1].0 || pair[0].1.text(bytes) != pair[1].1.text(bytes))
    }
}
