//! Strings, escaped as `serde_json` escapes them.

use crate::json::index::Shape;
use crate::json::scan;

/// Longer texts are looked at in blocks.
const LONG: usize = 256;

/// What is likely to come after a string.
const ROOM_AFTER: usize = 64;

/// Writes a string with its quotes. Returns whether something had to be escaped.
#[inline]
pub(super) fn write(out: &mut Vec<u8>, text: &str) -> Shape {
    // With room for what closes the objects around it, so that a long text is moved once.
    out.reserve(text.len() + ROOM_AFTER);
    out.push(b'"');
    let shape = match is_plain(text.as_bytes()) {
        true => {
            out.extend_from_slice(text.as_bytes());
            Shape::Plain
        }
        false => {
            escaped(out, text.as_bytes());
            Shape::Escaped
        }
    };
    out.push(b'"');
    shape
}

/// Whether nothing has to be escaped. The last chunk overlaps the one before it, so that no byte is
/// checked alone.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let bytes = match bytes.len() > LONG {
        true => &bytes[scan::blocks(bytes).ordinary..],
        false => bytes,
    };
    if let Some(last) = bytes.last_chunk() {
        let (chunks, _) = bytes.as_chunks();
        let plain = |chunk: &[u8; scan::STEP]| scan::step(chunk).ordinary == scan::STEP;
        return chunks.iter().all(plain) && plain(last);
    }
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => is_plain_word(*first) && is_plain_word(*last),
        _ => bytes.iter().all(|byte| scan::is_ordinary(*byte)),
    }
}

/// Eight bytes at once: the top bit of a byte is set if it is below a limit.
#[inline(always)]
fn is_plain_word(bytes: [u8; 8]) -> bool {
    const LOW: u64 = u64::from_le_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    let word = u64::from_le_bytes(bytes);
    let below = |word: u64, limit: u8| word.wrapping_sub(LOW * u64::from(limit)) & !word;
    let is = |byte: u8| below(word ^ (LOW * u64::from(byte)), 1);
    (is(b'"') | is(b'\\') | below(word, 0x20)) & HIGH == 0
}

#[inline(never)]
fn escaped(out: &mut Vec<u8>, mut rest: &[u8]) {
    while let Some(at) = rest.iter().position(|byte| !scan::is_ordinary(*byte)) {
        let (plain, others) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((byte, others)) = others.split_first() else {
            return;
        };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0C => out.extend_from_slice(b"\\f"),
            other => out.extend_from_slice(format!("\\u{other:04x}").as_bytes()),
        }
        rest = others;
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    #[test]
    fn as_serde_json_does_it() {
        let every: String = (0..0x250).filter_map(char::from_u32).collect();
        let texts = [
            "",
            "a",
            "exactly sixteen!",
            "ä",
            "\"",
            "a text with a\nline break in it",
            &every,
        ];
        for text in texts {
            let mut out = Vec::new();
            super::write(&mut out, text);
            assert_eq!(out, serde_json::to_vec(text).unwrap(), "{text:?}");
        }
    }
}
