//! Checksums of data: which algorithms are known, and what is wrong with a checksum.

use std::fmt::Write as _;

use sha2::Digest as _;

use super::{Broken, Found};
use crate::text::shorten;
use crate::violation::rules::meaning as rules;

/// A checksum as it is given, and the bytes it is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checksum<'a> {
    pub(crate) bytes: &'a [u8],
    /// The SHA-256 of the bytes, where it is known already.
    pub(crate) sha256: Option<&'a [u8; 32]>,
    /// The algorithm, where it is not part of the value.
    pub(crate) algorithm: Option<&'a str>,
    /// Hexadecimal digits, or the name of an algorithm, a colon and the digits.
    pub(crate) value: &'a str,
}

/// The keys that lead to a checksum.
pub(super) struct At {
    pub(super) algorithm: &'static [&'static str],
    pub(super) value: &'static [&'static str],
}

struct Algorithm {
    name: &'static str,
    /// How many hexadecimal digits its checksums have.
    digits: usize,
    digest: fn(&[u8]) -> String,
}

const SHA256: Algorithm = Algorithm {
    name: "sha256",
    digits: 64,
    digest: |bytes| hex(&sha2::Sha256::digest(bytes)),
};

const ALGORITHMS: [Algorithm; 6] = [
    SHA256,
    Algorithm {
        name: "sha384",
        digits: 96,
        digest: |bytes| hex(&sha2::Sha384::digest(bytes)),
    },
    Algorithm {
        name: "sha512",
        digits: 128,
        digest: |bytes| hex(&sha2::Sha512::digest(bytes)),
    },
    Algorithm {
        name: "sha1",
        digits: 40,
        digest: |bytes| hex(&sha1::Sha1::digest(bytes)),
    },
    Algorithm {
        name: "md5",
        digits: 32,
        digest: |bytes| hex(&md5::Md5::digest(bytes)),
    },
    Algorithm {
        name: "crc32",
        digits: 8,
        digest: |bytes| hex(&crc32fast::hash(bytes).to_be_bytes()),
    },
];

/// The fewest digits that a shortened SHA-256 may have: one altered chunk in sixteen million passes.
const SHORTEST: usize = 6;

impl Checksum<'_> {
    /// Tells what is wrong: it is not that of the bytes, or (a warning) it cannot be checked.
    pub(super) fn broken(&self, at: &At, tell: &mut dyn FnMut(Broken<'_>)) {
        let (name, digits) = self.parts();
        match name {
            None => self.unnamed(digits, at, tell),
            Some(name) => match ALGORITHMS.iter().find(|known| known.has_name(name)) {
                Some(known) => self.compare(known, name, digits, at, tell),
                None => tell(Broken::wrong(
                    &rules::CHECKSUM_ALGORITHM,
                    match self.algorithm {
                        Some(_) => at.algorithm,
                        None => at.value,
                    },
                    format_args!("one of sha256, sha384, sha512, sha1, md5 and crc32"),
                    Found::Said(&format_args!("`{}`", shorten(name))),
                )),
            },
        }
    }

    /// The name of the algorithm, wherever it is given, and the digits.
    fn parts(&self) -> (Option<&str>, &str) {
        match (self.algorithm, self.value.split_once(':')) {
            (None, Some((name, digits))) => (Some(name), digits),
            (Some(name), Some((again, digits))) if plain(name) == plain(again) => {
                (Some(name), digits)
            }
            (name, _) => (name, self.value),
        }
    }

    /// The length says which algorithm it is. Any other length may be a shortened SHA-256.
    fn unnamed(&self, digits: &str, at: &At, tell: &mut dyn FnMut(Broken<'_>)) {
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let known = ALGORITHMS
            .iter()
            .find(|known| is_hex && known.digits == digits.len());
        if known.is_none_or(|known| !self.agrees(known, digits)) && self.is_shortened(digits) {
            return;
        }
        match known {
            Some(known) => self.compare(known, known.name, digits, at, tell),
            None => tell(
                Broken::wrong(
                    &rules::CHECKSUM_ALGORITHM,
                    at.value,
                    format_args!("a checksum that can be checked"),
                    Found::Value(&format_args!("`{}`", shorten(digits))),
                )
                .advise("name the algorithm, as in `sha256:` and 64 hexadecimal digits"),
            ),
        }
    }

    fn compare(
        &self,
        known: &Algorithm,
        name: &str,
        digits: &str,
        at: &At,
        tell: &mut dyn FnMut(Broken<'_>),
    ) {
        if !self.agrees(known, digits) {
            tell(Broken::wrong(
                &rules::CHECKSUM,
                at.value,
                format_args!("the {} of the data, {}", shorten(name), self.digest(known)),
                Found::Value(&shorten(digits)),
            ));
        }
    }

    fn agrees(&self, known: &Algorithm, digits: &str) -> bool {
        known.digits == digits.len() && self.digest(known).eq_ignore_ascii_case(digits)
    }

    fn is_shortened(&self, digits: &str) -> bool {
        let possible = (SHORTEST..SHA256.digits).contains(&digits.len());
        let real = possible.then(|| self.digest(&SHA256));
        let beginning = real.as_ref().and_then(|real| real.get(..digits.len()));
        beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(digits))
    }

    fn digest(&self, known: &Algorithm) -> String {
        match self.sha256 {
            Some(sha256) if known.name == SHA256.name => hex(sha256),
            _ => (known.digest)(self.bytes),
        }
    }
}

impl Algorithm {
    fn has_name(&self, name: &str) -> bool {
        plain(name) == self.name
    }
}

/// In lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A name without what spellings differ in: `SHA-256` is `sha256`.
fn plain(name: &str) -> String {
    let mut name = name.to_ascii_lowercase();
    name.retain(|c| c.is_ascii_alphanumeric());
    name
}
