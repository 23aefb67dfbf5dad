//! Strings, escaped as `serde_json` does it.

use crate::check::fast::scan;

/// Writes a string with its quotes.
#[inline]
pub(super) fn write(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    match is_plain(text.as_bytes()) {
        true => out.extend_from_slice(text.as_bytes()),
        false => escaped(out, text.as_bytes()),
    }
    out.push(b'"');
}

#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks();
    chunks
        .iter()
        .all(|chunk| scan::step(chunk).ordinary == scan::STEP)
        && rest.iter().all(is_ordinary)
}

#[inline(always)]
fn is_ordinary(byte: &u8) -> bool {
    *byte >= b' ' && *byte != b'"' && *byte != b'\\'
}

#[inline(never)]
fn escaped(out: &mut Vec<u8>, mut rest: &[u8]) {
    while let Some(at) = rest.iter().position(|byte| !is_ordinary(byte)) {
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
