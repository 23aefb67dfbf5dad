//! What chains a line to the one before it.

use std::fmt;
use std::io::Write as _;

use sha2::{Digest as _, Sha256};
use toolpact::core::model::Digest;

/// The hash of a line and everything before it: SHA-256 of the 32 bytes of the line before, followed by this line
/// up to its own hash. It is written as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Chain([u8; 32]);

/// A line, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sealed<'a> {
    /// What the hash is of.
    pub(crate) covered: &'a [u8],
    pub(crate) seq: u64,
    pub(crate) chain: Chain,
}

const SEQ: &[u8] = br#","seq":"#;
const CHAIN: &[u8] = br#","chain":""#;
const END: &[u8] = br#""}"#;

impl Chain {
    /// Before the first line.
    pub const START: Self = Self([0; 32]);

    /// After one more line.
    pub(crate) fn after(self, covered: &[u8]) -> Self {
        let hash = Sha256::new().chain_update(self.0).chain_update(covered);
        Self(hash.finalize().into())
    }

    /// Reads what was written, and no other spelling of it.
    #[must_use]
    pub fn from_hex(text: &[u8]) -> Option<Self> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut bytes = [0; 32];
        let (pairs, rest) = text.as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return None;
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Self(bytes))
    }

    pub(crate) fn digits(self) -> [u8; 64] {
        Digest::from(self.0).digits()
    }
}

/// Writes a line: a JSON object, as far as its closing brace, with its number and its hash.
pub(crate) fn seal(object: &[u8], seq: u64, before: Chain, out: &mut Vec<u8>) -> Chain {
    let start = out.len();
    out.extend_from_slice(object.strip_suffix(b"}").unwrap_or(object));
    out.extend_from_slice(SEQ);
    // Memory does not fail to be written.
    let _ = write!(out, "{seq}");
    let chain = before.after(out.get(start..).unwrap_or_default());
    out.extend_from_slice(CHAIN);
    out.extend_from_slice(&chain.digits());
    out.extend_from_slice(END);
    out.push(b'\n');
    chain
}

/// Reads a line without its end. `None` if it is not written as [`seal`] writes it.
pub(crate) fn open(line: &[u8]) -> Option<Sealed<'_>> {
    let line = line.strip_suffix(END)?;
    let (line, hex) = line.split_at_checked(line.len().checked_sub(64)?)?;
    let covered = line.strip_suffix(CHAIN)?;
    let digits = covered.iter().rev().take_while(|b| b.is_ascii_digit());
    let (rest, digits) = covered.split_at_checked(covered.len() - digits.count())?;
    rest.strip_suffix(SEQ)?;
    Some(Sealed {
        covered,
        seq: std::str::from_utf8(digits).ok()?.parse().ok()?,
        chain: Chain::from_hex(hex)?,
    })
}

/// The SHA-256 of some bytes, as it is written.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Digest::from(self.0), f)
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain({self})")
    }
}

impl serde::Serialize for Chain {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Chain {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = "expected 64 lower-case hexadecimal digits";
        Self::from_hex(text.as_bytes()).ok_or_else(|| serde::de::Error::custom(expected))
    }
}

#[cfg(test)]
mod tests {
    use super::{Chain, digest_of, open, seal};

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut out = Vec::new();
        let one = seal(br#"{"a":1}"#, 7, Chain::START, &mut out);
        let line = out.strip_suffix(b"\n").unwrap();
        let text = std::str::from_utf8(line).unwrap();
        assert_eq!(
            text,
            format!(r#"{{"a":1,"seq":7,"chain":"{one}"}}"#),
            "{text}"
        );
        let read = open(line).unwrap();
        assert_eq!((read.seq, read.chain), (7, one));
        assert_eq!(Chain::START.after(read.covered), one);
        let whole = [&[0; 32][..], br#"{"a":1,"seq":7"#].concat();
        assert_eq!(digest_of(&whole), one.to_string());
        for wrong in [
            text.to_uppercase(),
            text.replace(",\"seq\":7", ""),
            text.replace("\"}", "\" }"),
            text.replace("seq\":7", "seq\":x"),
            String::new(),
            "{}".to_owned(),
        ] {
            assert_eq!(open(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
