use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 of a text: for documents, of their canonical form. Shown as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// That of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits, with `sha256:` in front of them or without.
    ///
    /// ```
    /// use toolpact_core::model::Digest;
    ///
    /// let digest = Digest::of(b"ping");
    /// assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
    /// assert_eq!(Digest::parse(&format!("sha256:{digest}")), Some(digest));
    /// assert_eq!(Digest::parse("sha256:abc"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("sha256:").unwrap_or(text).as_bytes();
        let (pairs, rest) = digits.as_chunks::<2>();
        if pairs.len() != 32 || !rest.is_empty() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = half(*high)? << 4 | half(*low)?;
        }
        Some(Self(bytes))
    }

    /// The 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digits, which are ASCII.
    #[must_use]
    pub fn digits(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        let (pairs, _) = digits.as_chunks_mut::<2>();
        for ([high, low], byte) in pairs.iter_mut().zip(self.0) {
            (*high, *low) = (digit(byte >> 4), digit(byte & 15));
        }
        digits
    }
}

impl From<[u8; 32]> for Digest {
    /// A SHA-256 that was made elsewhere.
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

const fn half(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

const fn digit(half: u8) -> u8 {
    match half {
        0..=9 => b'0' + half,
        _ => b'a' + half - 10,
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
