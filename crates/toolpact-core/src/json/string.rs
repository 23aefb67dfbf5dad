//! Escapes in JSON strings.

use std::borrow::Cow;

/// Decodes the text between the quotes of a well-formed string. A lone surrogate, which the reader
/// has reported, becomes U+FFFD, so that the rest can still be checked.
pub(crate) fn decode(inner: &str) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let (c, length) = escape(&rest[at..]);
        out.push(c);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character that the escape at the start of `text` encodes, and the escape's length.
fn escape(text: &str) -> (char, usize) {
    let simple = match text.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(text),
        Some(other) => char::from(*other),
        None => return ('\\', 1),
    };
    (simple, 2)
}

fn unicode(text: &str) -> (char, usize) {
    let Some(high) = code_unit(text) else {
        return (char::REPLACEMENT_CHARACTER, 2);
    };
    if let Some(c) = char::from_u32(high.into()) {
        return (c, 6);
    }
    let low = text.get(6..).and_then(code_unit);
    match low.and_then(|low| char::decode_utf16([high, low]).next()?.ok()) {
        Some(c) => (c, 12),
        None => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// The code unit of a `\uXXXX` at the start of `text`.
pub(crate) fn code_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    // `from_str_radix` would accept a sign, too.
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes() {
        assert_eq!(decode(r"plain"), "plain");
        assert_eq!(decode(r#"\"\\\/\b\f\n\r\t"#), "\"\\/\u{8}\u{c}\n\r\t");
        assert_eq!(decode(r"aA\u00e9\ud83d\ude00z"), "aA\u{e9}\u{1f600}z");
        assert_eq!(decode(r"\ud83dx"), "\u{fffd}x");
        assert_eq!(decode(r"\ude00\ud83d"), "\u{fffd}\u{fffd}");
    }
}
