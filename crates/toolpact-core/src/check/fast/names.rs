//! A set of names, found by hash.

/// Names in a fixed order.
#[derive(Debug, Default)]
pub(super) struct Names {
    names: Box<[Box<str>]>,
    /// Positions plus one; zero is a free place. A power of two, at most half full.
    table: Box<[u16]>,
}

impl Names {
    /// `None` if there are too many.
    pub(super) fn new(names: Vec<Box<str>>) -> Option<Self> {
        if names.len() >= usize::from(u16::MAX) {
            return None;
        }
        let mut table = vec![0_u16; (names.len() * 2).next_power_of_two()];
        for (name, position) in names.iter().zip(1..) {
            let mut place = start(name.as_bytes(), table.len());
            while table[place] != 0 {
                place = (place + 1) % table.len();
            }
            table[place] = position;
        }
        Some(Self {
            names: names.into(),
            table: table.into(),
        })
    }

    /// The position of a name.
    #[inline]
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let mut place = start(name, self.table.len());
        loop {
            let position = usize::from(*self.table.get(place)?).checked_sub(1)?;
            if self.names.get(position)?.as_bytes() == name {
                return Some(position);
            }
            place = (place + 1) % self.table.len();
        }
    }
}

/// Where to begin to look, in a table of `length` places, a power of two.
#[inline]
fn start(name: &[u8], length: usize) -> usize {
    let hash = hash(name);
    // The high bits are the better ones.
    (hash >> 32) as usize & length.wrapping_sub(1)
}

/// Of the length and all bytes, eight at a time.
#[inline]
pub(super) fn hash(name: &[u8]) -> u64 {
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
}
