//! Checksums of data.

use std::fmt::Write as _;

use sha2::Digest as _;

/// The fewest digits that a shortened checksum may have: one altered chunk in sixteen million
/// passes.
pub(crate) const SHORTEST: usize = 6;

/// In hexadecimal; `None` for an unknown algorithm.
pub(super) fn digest(algorithm: &str, bytes: &[u8]) -> Option<String> {
    let mut name = algorithm.to_ascii_lowercase();
    name.retain(|c| c.is_ascii_alphanumeric());
    Some(match &*name {
        "sha256" => sha256(bytes),
        "sha384" => hex(&sha2::Sha384::digest(bytes)),
        "sha512" => hex(&sha2::Sha512::digest(bytes)),
        "sha1" => hex(&sha1::Sha1::digest(bytes)),
        "md5" => hex(&md5::Md5::digest(bytes)),
        "crc32" => hex(&crc32fast::hash(bytes).to_be_bytes()),
        _ => return None,
    })
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&sha2::Sha256::digest(bytes))
}

/// In lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
