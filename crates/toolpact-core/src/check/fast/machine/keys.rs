//! Keys that no rule knows, so that one that comes twice is noticed.

use std::borrow::Cow;

use super::Stop;
use super::string::Text;
use crate::check::fast::names::hash;
use crate::check::fast::window::{WINDOW, mask, window, window_of};
use crate::json::decode;

/// The keys of the objects that are open, the innermost at the end.
#[derive(Debug, Default)]
pub(in super::super) struct Keys(Vec<Key>);

#[derive(Debug, Clone, Copy)]
struct Key {
    hash: u64,
    name: Name,
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

    #[inline(always)]
    fn hash(self, bytes: &[u8]) -> u64 {
        let length = (self.end - self.start) as usize;
        match window(bytes, self.start as usize) {
            Some(found) if length <= WINDOW && !self.escaped => short_hash(found & mask(length)),
            _ => self.slow_hash(bytes),
        }
    }

    /// The same for what is long, escaped, or at the end of the text.
    #[inline(never)]
    fn slow_hash(self, bytes: &[u8]) -> u64 {
        let text = self.text(bytes);
        match text.len() <= WINDOW {
            true => short_hash(window_of(&text)),
            false => hash(&text),
        }
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
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Adds a key of the object whose keys begin at `base`.
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8], base: usize, name: Name) -> Result<(), Stop> {
        let hash = name.hash(bytes);
        let before = self.0.get(base..).unwrap_or_default();
        if before.len() < FEW {
            for known in before {
                if known.hash == hash && known.name.text(bytes) == name.text(bytes) {
                    return Err(Stop::Malformed);
                }
            }
        }
        self.0.push(Key { hash, name });
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
    fn are_unique(&mut self, bytes: &[u8], base: usize) -> bool {
        let keys = self.0.get_mut(base..).unwrap_or_default();
        // By name where the hashes are the same, so that those cannot be made to hurt.
        keys.sort_unstable_by(|a, b| {
            let by_name = || a.name.text(bytes).cmp(&b.name.text(bytes));
            a.hash.cmp(&b.hash).then_with(by_name)
        });
        let same = |a: &Key, b: &Key| a.hash == b.hash && a.name.text(bytes) == b.name.text(bytes);
        keys.windows(2).all(|pair| !same(&pair[0], &pair[1]))
    }
}

#[inline(always)]
fn short_hash(window: u128) -> u64 {
    let (low, high) = (window as u64, (window >> 64) as u64);
    (low.rotate_left(29) ^ high).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
