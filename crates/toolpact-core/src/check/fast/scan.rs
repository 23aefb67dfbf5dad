//! Where a string ends, 16 bytes at a time.

/// What one step over a string found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// How many bytes come before the first that needs a look: a quote, a backslash, or a control
    /// character. All of them, if there is none.
    pub(super) ordinary: usize,
    /// Whether one of these is not ASCII.
    pub(super) unicode: bool,
}

/// How many bytes one step looks at.
pub(super) const STEP: usize = 16;

/// Written so that the compiler makes vector instructions of it: each byte becomes 1 or 0, and the
/// first 1 is found by counting zeros.
#[inline(always)]
pub(super) fn step(chunk: &[u8; STEP]) -> Found {
    const NOT_ASCII: u128 = u128::from_le_bytes([0x80; STEP]);
    let special =
        chunk.map(|byte| u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte < b' '));
    let special = u128::from_le_bytes(special);
    let before = special.wrapping_sub(1) & !special;
    Found {
        ordinary: (special.trailing_zeros() / 8) as usize,
        unicode: u128::from_le_bytes(*chunk) & NOT_ASCII & before != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, STEP, step};

    fn expected(bytes: &[u8]) -> Found {
        let special = |b: &u8| *b < 0x20 || *b == b'"' || *b == b'\\';
        let ordinary = bytes.iter().position(special).unwrap_or(bytes.len());
        Found {
            ordinary,
            unicode: !bytes[..ordinary].is_ascii(),
        }
    }

    #[test]
    fn every_pair_of_bytes_in_every_place() {
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            for place in 0..STEP - 1 {
                let mut bytes = [b'x'; STEP];
                (bytes[place], bytes[place + 1]) = (a, b);
                assert_eq!(step(&bytes), expected(&bytes), "{bytes:?}");
            }
        }
    }
}
