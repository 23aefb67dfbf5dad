//! A set of names with lookup by hash.

use std::hash::{BuildHasher as _, RandomState};

/// Names in a fixed order.
#[derive(Debug, Default)]
pub(super) struct Names {
    secret: Secret,
    list: Box<[Box<str>]>,
    /// Positions plus one; zero is a free slot. The length is a power of two, at most half full.
    table: Box<[u16]>,
}

impl Names {
    /// `None` if there are too many.
    pub(super) fn new(names: Vec<Box<str>>) -> Option<Self> {
        if names.len() >= usize::from(u16::MAX) {
            return None;
        }
        let secret = Secret::new();
        let mut table = vec![0_u16; (names.len() * 2).next_power_of_two()];
        for (name, position) in names.iter().zip(1..) {
            let mut place = secret.start(name.as_bytes(), table.len());
            while table[place] != 0 {
                place = (place + 1) % table.len();
            }
            table[place] = position;
        }
        Some(Self {
            secret,
            list: names.into(),
            table: table.into(),
        })
    }

    /// The position of a name.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let mut place = self.secret.start(name, self.table.len());
        loop {
            let position = usize::from(*self.table.get(place)?).checked_sub(1)?;
            if self.list.get(position)?.as_bytes() == name {
                return Some(position);
            }
            place = (place + 1) % self.table.len();
        }
    }
}

/// A random key, so that names cannot be chosen to collide.
#[derive(Debug, Clone, Copy, Default)]
struct Secret {
    start: u64,
    factor: u64,
}

impl Secret {
    fn new() -> Self {
        let random = RandomState::new();
        Self {
            start: random.hash_one(0),
            factor: random.hash_one(1) | 1,
        }
    }

    /// The first slot to probe, in a table of `length` slots, a power of two.
    #[inline]
    fn start(self, name: &[u8], length: usize) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "some bits are enough")]
        let hash = self.hash(name) as usize;
        hash & length.wrapping_sub(1)
    }

    /// A hash of the length and all bytes, eight at a time.
    #[inline]
    fn hash(self, name: &[u8]) -> u64 {
        let (chunks, rest) = name.as_chunks::<8>();
        let mut hash = self.start ^ name.len() as u64;
        for chunk in chunks {
            hash = self.mix(hash ^ u64::from_le_bytes(*chunk));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(hash ^ u64::from_le_bytes(last))
    }

    /// Both halves of a product, so that every bit affects every other.
    #[inline]
    fn mix(self, word: u64) -> u64 {
        let product = u128::from(word) * u128::from(self.factor);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "one half, and then the other"
        )]
        let (low, high) = (product as u64, (product >> 64) as u64);
        low ^ high
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn finds_each_and_nothing_else() {
        for count in [0, 1, 2, 3, 7, 8, 9, 100, 1000] {
            let list: Vec<Box<str>> = (0..count).map(|i| format!("name_{i}").into()).collect();
            let names = Names::new(list.clone()).unwrap();
            for (i, name) in list.iter().enumerate() {
                assert_eq!(names.find(name.as_bytes()), Some(i));
            }
            assert_eq!(names.find(b"other"), None);
            assert_eq!(names.find(b""), None);
        }
    }

    /// Otherwise a schema could be crafted whose names all collide.
    #[test]
    fn each_set_has_a_secret_of_its_own() {
        let list: Vec<Box<str>> = (0..1_000).map(|i| format!("{i:08}").into()).collect();
        let (one, other) = (Names::new(list.clone()).unwrap(), Names::new(list).unwrap());
        assert_ne!(one.table, other.table);
    }
}
