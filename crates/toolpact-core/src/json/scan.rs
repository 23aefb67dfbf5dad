//! Scans for the end of a string or of white space: 16 bytes at a time with SSE2, which every
//! x86-64 has, and 8 at a time elsewhere.

/// The result of one step over a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// How many bytes come before the first special one: a quote, a backslash, or a control
    /// character. All of them, if there is none.
    pub(crate) ordinary: usize,
    /// Whether one of these bytes is not ASCII.
    pub(crate) unicode: bool,
}

/// The result of one quick step over a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quick {
    /// The closing quote, after this many bytes.
    End(usize),
    /// Nothing but ordinary ASCII.
    Ordinary,
    /// A special or non-ASCII byte comes first.
    Other,
}

/// Whether a byte of a string is not special.
#[inline(always)]
pub(crate) fn is_ordinary(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

/// Whether a byte is JSON white space.
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

#[cfg(target_arch = "x86_64")]
use vector::block;
#[cfg(target_arch = "x86_64")]
pub(crate) use vector::{STEP, quick, separator, space, step};

#[cfg(not(target_arch = "x86_64"))]
use portable::block;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::{STEP, quick, separator, space, step};

/// How many bytes are looked at together in long strings.
const BLOCK: usize = 64;

/// After so many steps without anything special, a string is taken for a long one.
pub(crate) const BEFORE_BLOCKS: usize = BLOCK / STEP;

/// The blocks at the beginning of a text that have nothing special: of texts that are longer than a few steps, this
/// takes a third of the time.
pub(crate) fn blocks(bytes: &[u8]) -> Found {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let mut found = Found {
        ordinary: 0,
        unicode: false,
    };
    for (special, unicode) in blocks.iter().map(block) {
        if special {
            break;
        }
        found.ordinary += BLOCK;
        found.unicode |= unicode;
    }
    found
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::{BLOCK, Found, Quick};
    use safe_arch::{
        bitor_m128i, cmp_eq_mask_i8_m128i, load_unaligned_m128i, m128i, min_u8_m128i,
        move_mask_i8_m128i, set_splat_i8_m128i,
    };

    /// How many bytes one step scans.
    pub(crate) const STEP: usize = 16;

    /// A mask of the bytes that equal `byte`.
    #[inline(always)]
    fn is(bytes: m128i, byte: u8) -> m128i {
        cmp_eq_mask_i8_m128i(bytes, set_splat_i8_m128i(byte.cast_signed()))
    }

    /// A mask of backslashes and control characters.
    #[inline(always)]
    fn is_special(bytes: m128i) -> m128i {
        let control = min_u8_m128i(bytes, set_splat_i8_m128i(0x1F));
        bitor_m128i(is(bytes, b'\\'), cmp_eq_mask_i8_m128i(control, bytes))
    }

    /// One bit for each byte.
    #[inline(always)]
    fn bits(mask: m128i) -> u32 {
        move_mask_i8_m128i(mask).cast_unsigned()
    }

    #[inline(always)]
    pub(crate) fn step(chunk: &[u8; STEP]) -> Found {
        let bytes = load_unaligned_m128i(chunk);
        // A bit past the last byte makes the count right if there is no special byte.
        let special = bits(bitor_m128i(is(bytes, b'"'), is_special(bytes))) | 1 << STEP;
        let before = (special ^ (special - 1)) >> 1;
        Found {
            ordinary: special.trailing_zeros() as usize,
            unicode: bits(bytes) & before != 0,
        }
    }

    /// Whether a byte of a block is special, and whether one is not ASCII.
    #[inline(always)]
    pub(super) fn block(block: &[u8; BLOCK]) -> (bool, bool) {
        let (parts, _) = block.as_chunks::<STEP>();
        let zero = set_splat_i8_m128i(0);
        let (mut special, mut all) = (zero, zero);
        for part in parts {
            let bytes = load_unaligned_m128i(part);
            special = bitor_m128i(special, bitor_m128i(is(bytes, b'"'), is_special(bytes)));
            all = bitor_m128i(all, bytes);
        }
        (bits(special) != 0, bits(all) != 0)
    }

    #[inline(always)]
    pub(crate) fn quick(chunk: &[u8; STEP]) -> Quick {
        let bytes = load_unaligned_m128i(chunk);
        let quotes = bits(is(bytes, b'"'));
        // A byte that is not ASCII has its top bit set, as in a mask.
        let others = bits(bitor_m128i(is_special(bytes), bytes));
        let before = quotes ^ quotes.wrapping_sub(1);
        match others & before {
            0 if quotes != 0 => Quick::End(quotes.trailing_zeros() as usize),
            0 => Quick::Ordinary,
            _ => Quick::Other,
        }
    }

    /// How many leading bytes are white space.
    #[inline(always)]
    pub(crate) fn space(chunk: &[u8; STEP]) -> usize {
        let bytes = load_unaligned_m128i(chunk);
        let breaks = bitor_m128i(is(bytes, b'\n'), is(bytes, b'\r'));
        let blanks = bitor_m128i(is(bytes, b' '), is(bytes, b'\t'));
        // The bits above those of the bytes are ones after negation and end the count.
        (!bits(bitor_m128i(breaks, blanks))).trailing_zeros() as usize
    }

    /// The position of the first comma or colon.
    #[inline(always)]
    pub(crate) fn separator(chunk: &[u8; STEP]) -> Option<usize> {
        let bytes = load_unaligned_m128i(chunk);
        match bits(bitor_m128i(is(bytes, b','), is(bytes, b':'))) {
            0 => None,
            found => Some(found.trailing_zeros() as usize),
        }
    }
}

/// The same in one 64-bit word. The top bit of a byte marks it as special; the lowest such bit is
/// exact, and those above it do not matter.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use super::{BLOCK, Found, Quick};

    pub(crate) const STEP: usize = 8;

    const LOW: u64 = u64::from_le_bytes([0x01; STEP]);
    const HIGH: u64 = u64::from_le_bytes([0x80; STEP]);

    #[inline(always)]
    pub(crate) fn step(chunk: &[u8; STEP]) -> Found {
        let word = u64::from_le_bytes(*chunk);
        let below = |word: u64, limit: u8| word.wrapping_sub(LOW * u64::from(limit)) & !word & HIGH;
        let is = |byte: u8| below(word ^ (LOW * u64::from(byte)), 1);
        let special = is(b'"') | is(b'\\') | below(word, 0x20);
        let before = special.wrapping_sub(1) & !special;
        Found {
            ordinary: (special.trailing_zeros() / 8) as usize,
            unicode: word & HIGH & before != 0,
        }
    }

    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "tests have it"))]
    pub(super) fn block(block: &[u8; BLOCK]) -> (bool, bool) {
        let (parts, _) = block.as_chunks::<STEP>();
        let found = parts.iter().map(step);
        found.fold((false, false), |(special, unicode), found| {
            (special || found.ordinary < STEP, unicode || found.unicode)
        })
    }

    #[inline(always)]
    pub(crate) fn quick(chunk: &[u8; STEP]) -> Quick {
        let found = step(chunk);
        match chunk.get(found.ordinary) {
            _ if found.unicode => Quick::Other,
            None => Quick::Ordinary,
            Some(b'"') => Quick::End(found.ordinary),
            Some(_) => Quick::Other,
        }
    }

    #[inline(always)]
    pub(crate) fn space(chunk: &[u8; STEP]) -> usize {
        let word = u64::from_le_bytes(*chunk);
        // Exact for every byte, not only the first, because four masks are combined.
        let differs = |byte: u8| {
            let bits = word ^ (LOW * u64::from(byte));
            (((bits & !HIGH) + !HIGH) | bits) & HIGH
        };
        let other = differs(b' ') & differs(b'\n') & differs(b'\r') & differs(b'\t');
        (other.trailing_zeros() / 8) as usize
    }

    #[inline(always)]
    pub(crate) fn separator(chunk: &[u8; STEP]) -> Option<usize> {
        chunk.iter().position(|byte| matches!(byte, b',' | b':'))
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Quick, portable};

    fn expected(bytes: &[u8]) -> (Found, Quick) {
        let special = |b: &u8| *b < 0x20 || *b == b'"' || *b == b'\\';
        let ordinary = bytes.iter().position(special).unwrap_or(bytes.len());
        let unicode = !bytes[..ordinary].is_ascii();
        let quick = match bytes.get(ordinary) {
            _ if unicode => Quick::Other,
            None => Quick::Ordinary,
            Some(b'"') => Quick::End(ordinary),
            Some(_) => Quick::Other,
        };
        (Found { ordinary, unicode }, quick)
    }

    fn try_every_pair_of_bytes_in_every_place<const STEP: usize>(
        step: fn(&[u8; STEP]) -> Found,
        quick: fn(&[u8; STEP]) -> Quick,
    ) {
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            for place in 0..STEP - 1 {
                let mut bytes = [b'x'; STEP];
                (bytes[place], bytes[place + 1]) = (a, b);
                assert_eq!((step(&bytes), quick(&bytes)), expected(&bytes), "{bytes:?}");
            }
        }
    }

    fn skip_space_before_every_pair_of_bytes<const STEP: usize>(space: fn(&[u8; STEP]) -> usize) {
        for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
            for place in 0..STEP - 1 {
                let mut bytes = [b' '; STEP];
                (bytes[place], bytes[place + 1]) = (a, b);
                let other = bytes.iter().position(|byte| !super::is_space(*byte));
                assert_eq!(space(&bytes), other.unwrap_or(STEP), "{bytes:?}");
            }
        }
    }

    #[test]
    fn finds_the_first_separator() {
        for place in 0..16 {
            let mut bytes = [b'x'; 16];
            bytes[15] = b',';
            bytes[place] = b':';
            assert_eq!(
                super::separator(bytes.first_chunk().unwrap()),
                portable_separator(&bytes)
            );
        }
        assert_eq!(super::separator(&[b'x'; super::STEP]), None);
    }

    fn portable_separator(bytes: &[u8; 16]) -> Option<usize> {
        let (chunks, _) = bytes.as_chunks();
        let found = |(i, chunk)| Some(i * portable::STEP + portable::separator(chunk)?);
        chunks
            .iter()
            .enumerate()
            .find_map(found)
            .filter(|found| *found < super::STEP)
    }

    #[test]
    fn finds_where_space_ends() {
        skip_space_before_every_pair_of_bytes(super::space);
        skip_space_before_every_pair_of_bytes(portable::space);
    }

    #[test]
    fn blocks_end_before_what_is_special() {
        for (place, byte) in (0..200).flat_map(|place| (0..=255).map(move |byte| (place, byte))) {
            let mut bytes = [b'x'; 200];
            bytes[place] = byte;
            let found = super::blocks(&bytes);
            let whole = match super::is_ordinary(byte) {
                true => 192,
                false => (place / 64 * 64).min(192),
            };
            assert_eq!(found.ordinary, whole, "{byte} at {place}");
            assert_eq!(found.unicode, place < whole && !byte.is_ascii());
            let (blocks, _) = bytes.as_chunks();
            for block in blocks {
                let (special, unicode) = super::block(block);
                let (same, others) = portable::block(block);
                assert_eq!((special, unicode && !special), (same, others && !same));
            }
        }
    }

    #[test]
    fn finds_what_is_special() {
        try_every_pair_of_bytes_in_every_place(super::step, super::quick);
    }

    #[test]
    fn finds_the_same_everywhere() {
        try_every_pair_of_bytes_in_every_place(portable::step, portable::quick);
    }
}
