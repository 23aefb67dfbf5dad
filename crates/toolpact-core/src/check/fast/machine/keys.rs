//! Keys without rules, kept to detect duplicates.

use std::borrow::Cow;
use std::ops::Range;

use super::Stop;
use super::string::Text;
use crate::check::fast::window::{WINDOW, mask, window, window_of};
use crate::json::decode;

/// The keys of all open objects, those of the innermost last.
#[derive(Debug, Default)]
pub(in super::super) struct Keys(Vec<Key>);

#[derive(Debug, Clone, Copy)]
struct Key {
    hash: u64,
    name: Name,
}

/// The span of a key, between its quotes.
///
/// The start is in the low half, the end above it, and the top bit is set if the key has escapes:
/// one word, because there are many of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name(u64);

const ESCAPED: u64 = 1 << 63;

/// Up to this many keys are compared pairwise.
const FEW: usize = 8;

/// The keys of one object while there are only a few.
pub(super) struct Few {
    names: [Name; FEW],
    count: usize,
}

impl Few {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            names: [Name::NONE; FEW],
            count: 0,
        }
    }

    /// Adds a key. `keys` takes over when there are more than a few.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        keys: &mut Keys,
        base: usize,
        name: Name,
    ) -> Result<(), Stop> {
        match self.names.get_mut(self.count) {
            Some(place) => *place = name,
            None => self.spill(bytes, keys, base, name)?,
        }
        self.count += 1;
        Ok(())
    }

    #[inline(never)]
    fn spill(&self, bytes: &[u8], keys: &mut Keys, base: usize, name: Name) -> Result<(), Stop> {
        if self.count == FEW {
            for known in self.names {
                keys.push(bytes, base, known)?;
            }
        }
        keys.push(bytes, base, name)
    }

    /// Checks for duplicates.
    #[inline(always)]
    pub(super) fn close(&self, bytes: &[u8], keys: &mut Keys, base: usize) -> Result<(), Stop> {
        let Some(names) = self.names.get(..self.count) else {
            return keys.close(bytes, base);
        };
        for (i, name) in names.iter().enumerate() {
            for other in &names[..i] {
                if name.may_be(*other) && name.text(bytes) == other.text(bytes) {
                    return Err(Stop::Malformed);
                }
            }
        }
        Ok(())
    }
}

impl Name {
    const NONE: Name = Name(0);

    /// Offsets are less than 2^31, because longer texts are refused.
    #[inline(always)]
    pub(super) fn new(at: usize, text: Text) -> Self {
        let (start, end) = (at as u64 + 1, text.end as u64 - 1);
        Self(start | end << 32 | if text.escaped { ESCAPED } else { 0 })
    }

    #[inline(always)]
    fn start(self) -> usize {
        (self.0 & 0xFFFF_FFFF) as usize
    }

    #[inline(always)]
    fn end(self) -> usize {
        (self.0 >> 32 & 0x7FFF_FFFF) as usize
    }

    /// Whether it can be equal to another key.
    #[inline(always)]
    fn may_be(self, other: Name) -> bool {
        let same_length = self.end() - self.start() == other.end() - other.start();
        same_length || self.is_escaped() || other.is_escaped()
    }

    /// The span including the quotes.
    pub(super) fn quoted(self) -> Range<usize> {
        self.start() - 1..self.end() + 1
    }

    #[inline(always)]
    pub(super) fn is_escaped(self) -> bool {
        self.0 & ESCAPED != 0
    }

    #[inline(always)]
    fn hash(self, bytes: &[u8]) -> u64 {
        let length = self.end() - self.start();
        match window(bytes, self.start()) {
            Some(found) if length <= WINDOW && !self.is_escaped() => {
                short_hash(found & mask(length))
            }
            _ => self.slow_hash(bytes),
        }
    }

    /// The same for a key that is long, escaped, or at the end of the text.
    #[inline(never)]
    fn slow_hash(self, bytes: &[u8]) -> u64 {
        let text = self.text(bytes);
        match text.len() <= WINDOW {
            true => short_hash(window_of(&text)),
            false => hash(&text),
        }
    }

    pub(super) fn text(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let inner = bytes.get(self.start()..self.end()).unwrap_or_default();
        if !self.is_escaped() {
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
            let same =
                |known: &Key| known.hash == hash && known.name.text(bytes) == name.text(bytes);
            if before.iter().any(same) {
                return Err(Stop::Malformed);
            }
        }
        self.0.push(Key { hash, name });
        Ok(())
    }

    /// Checks the keys from `base` on for duplicates, and drops them.
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
        // Ordered by name where hashes are equal, so that crafted collisions stay cheap.
        keys.sort_unstable_by(|a, b| {
            let by_name = || a.name.text(bytes).cmp(&b.name.text(bytes));
            a.hash.cmp(&b.hash).then_with(by_name)
        });
        let same = |a: &Key, b: &Key| a.hash == b.hash && a.name.text(bytes) == b.name.text(bytes);
        keys.windows(2).all(|pair| !same(&pair[0], &pair[1]))
    }
}

/// A hash of the length and all bytes, eight at a time. Keys with equal hashes are sorted by name,
/// so the hash need not be keyed.
fn hash(name: &[u8]) -> u64 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let (chunks, rest) = name.as_chunks::<8>();
    let mut hash = (name.len() as u64).wrapping_mul(K);
    for chunk in chunks {
        hash = (hash ^ u64::from_le_bytes(*chunk)).wrapping_mul(K);
        hash ^= hash >> 29;
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    hash = (hash ^ u64::from_le_bytes(last)).wrapping_mul(K);
    hash ^ (hash >> 29)
}

#[inline(always)]
fn short_hash(window: u128) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "one half, and then the other"
    )]
    let (low, high) = (window as u64, (window >> 64) as u64);
    (low.rotate_left(29) ^ high).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
