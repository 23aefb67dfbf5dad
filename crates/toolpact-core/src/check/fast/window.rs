//! The first 16 bytes of a text as one integer, so that short texts are compared at once.

/// How many bytes a window has.
pub(super) const WINDOW: usize = 16;

/// For each length, a mask that keeps this many bytes.
const MASKS: [u128; WINDOW + 1] = {
    let mut masks = [u128::MAX; WINDOW + 1];
    let mut length = 0;
    while length < WINDOW {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

/// A mask that keeps the first `length` bytes of a window, at most all.
#[inline(always)]
pub(super) fn mask(length: usize) -> u128 {
    MASKS[if length < WINDOW { length } else { WINDOW }]
}

/// The bytes at `at`; `None` if there are not enough.
#[inline(always)]
pub(super) fn window(bytes: &[u8], at: usize) -> Option<u128> {
    let chunk = bytes.get(at..)?.first_chunk()?;
    Some(u128::from_le_bytes(*chunk))
}

/// The bytes of a short text, padded with zeros, or the first bytes of a longer one.
pub(super) fn window_of(text: &[u8]) -> u128 {
    let mut chunk = [0; WINDOW];
    for (byte, place) in text.iter().zip(&mut chunk) {
        *place = *byte;
    }
    u128::from_le_bytes(chunk)
}
