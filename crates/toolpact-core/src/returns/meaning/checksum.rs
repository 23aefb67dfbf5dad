//! Checksums of data.

use sha2::Digest as _;

use super::text;
use crate::json::Node;
use crate::model::describe;
use crate::text::shorten;
use crate::violation::report::{Place, Report};
use crate::violation::rules::meaning as rules;

/// The fewest digits that say something.
const SHORTEST: usize = 6;

/// The `checksum` of a file: an algorithm and a value.
pub(super) fn of_file(file: Node<'_>, bytes: &[u8], report: &mut Report) {
    let Some(checksum) = file.get("checksum") else {
        return;
    };
    let (Some(algorithm), Some(node)) = (checksum.get("algorithm"), checksum.get("value")) else {
        return;
    };
    let (Some(name), Some(found)) = (algorithm.as_str(), node.as_str()) else {
        return;
    };
    match digest(&name, bytes) {
        Some(expected) if expected.eq_ignore_ascii_case(&found) => {}
        Some(expected) => mismatch(node, &name, &expected, report),
        None => report.add(
            &rules::CHECKSUM_ALGORITHM,
            Place::Node(algorithm.id()),
            |finding| {
                finding.say(format!(
                    "expected one of sha256, sha384, sha512, sha1, md5 and crc32, found `{}`",
                    shorten(&name)
                ));
            },
        ),
    }
}

/// The `checksum` of a chunk: SHA-256, in full or the beginning of it.
pub(super) fn of_chunk(chunk: Node<'_>, bytes: &[u8], report: &mut Report) {
    let (Some(node), Some(found)) = (chunk.get("checksum"), text(chunk, "checksum")) else {
        return;
    };
    let expected = hex(&sha2::Sha256::digest(bytes));
    let beginning = expected.get(..found.len());
    if found.len() < SHORTEST || !beginning.is_some_and(|b| b.eq_ignore_ascii_case(&found)) {
        mismatch(node, "sha256", &expected, report);
    }
}

fn mismatch(node: Node<'_>, algorithm: &str, expected: &str, report: &mut Report) {
    report.add(&rules::CHECKSUM, Place::Node(node.id()), |finding| {
        finding.say(format!(
            "expected the {} of the data, {expected}, found {}",
            shorten(algorithm),
            describe(node)
        ));
    });
}

/// In hexadecimal; `None` for an algorithm that is not known here.
fn digest(algorithm: &str, bytes: &[u8]) -> Option<String> {
    let mut name = algorithm.to_ascii_lowercase();
    name.retain(|c| c.is_ascii_alphanumeric());
    Some(match &*name {
        "sha256" => hex(&sha2::Sha256::digest(bytes)),
        "sha384" => hex(&sha2::Sha384::digest(bytes)),
        "sha512" => hex(&sha2::Sha512::digest(bytes)),
        "sha1" => hex(&sha1::Sha1::digest(bytes)),
        "md5" => hex(&md5::Md5::digest(bytes)),
        "crc32" => hex(&crc32fast::hash(bytes).to_be_bytes()),
        _ => return None,
    })
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
