//! Texts that are recognised in place, without finding their end first.

use super::window::{WINDOW, mask, window, window_of};
use crate::json::scan;

/// A text whose first 16 bytes are compared as one integer.
#[derive(Debug)]
pub(super) struct Literal {
    head: u128,
    mask: u128,
    /// The last bytes, if there are more than 16.
    tail: u128,
    text: Box<[u8]>,
}

impl Literal {
    /// `"name":`
    pub(super) fn key(name: &str) -> Self {
        Self::new(name, "\":")
    }

    /// `"value"`
    pub(super) fn string(value: &str) -> Self {
        Self::new(value, "\"")
    }

    /// A text that has to be escaped in JSON never matches.
    fn new(name: &str, end: &str) -> Self {
        let plain = name.bytes().all(scan::is_ordinary);
        let text = if plain {
            format!("\"{name}{end}")
        } else {
            String::new()
        };
        let tail = text.as_bytes().last_chunk().copied();
        Self {
            // All ones never match under a mask of zeros.
            head: if plain {
                window_of(text.as_bytes())
            } else {
                u128::MAX
            },
            mask: mask(text.len()),
            tail: u128::from_le_bytes(tail.unwrap_or_default()),
            text: text.into_bytes().into(),
        }
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether this is the key `name`.
    #[inline(always)]
    pub(super) fn is_key(&self, name: &str) -> bool {
        match &*self.text {
            [b'"', known @ .., b'"', b':'] => known == name.as_bytes(),
            _ => false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether this text is at `at`.
    #[inline(always)]
    pub(super) fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        match window(bytes, at) {
            Some(found) => {
                found & self.mask == self.head
                    && (self.text.len() <= WINDOW || self.tail_is_at(bytes, at))
            }
            None => self.is_at_end(bytes, at),
        }
    }

    #[inline(always)]
    fn tail_is_at(&self, bytes: &[u8], at: usize) -> bool {
        let length = self.text.len();
        window(bytes, at + length - WINDOW) == Some(self.tail)
            && (length <= 2 * WINDOW || self.is_at_end(bytes, at))
    }

    #[inline(never)]
    fn is_at_end(&self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes.get(at..).unwrap_or_default();
        !self.text.is_empty() && rest.starts_with(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::Literal;

    #[test]
    fn found_where_it_stands() {
        let cases = [
            ("a", r#"{"a":1}"#, true),
            ("a", r#"{"a":1,"b":2,"c":3,"d":4}"#, true),
            ("a", r#"{"a" :1,"b":2,"c":3,"d":4}"#, false),
            ("ab", r#"{"a":1,"b":2,"c":3,"d":4}"#, false),
            ("thirteen_long", r#"{"thirteen_long":1,"b":2,"c":3}"#, true),
            (
                "fourteen_long_",
                r#"{"fourteen_long_":1,"b":2,"c":3}"#,
                true,
            ),
            (
                "fourteen_long_",
                r#"{"fourteen_long_"x1,"b":2,"c":3}"#,
                false,
            ),
            (
                "a_very_long_name_indeed",
                r#"{"a_very_long_name_indeed":1}"#,
                true,
            ),
            (
                "a_very_long_name_indeed",
                r#"{"a_very_long_name_indeex":1}"#,
                false,
            ),
            ("", r#"{"":1,"b":2,"c":3,"d":4,"e":5}"#, true),
            // Never matches: it has to be escaped.
            ("a\"b", "{\"a\"b\":1,\"b\":2,\"c\":3,\"d\":4}", false),
            ("a\\", "{\"a\\\":1,\"b\":2,\"c\":3,\"d\":4}", false),
        ];
        for (name, text, expected) in cases {
            let found = Literal::key(name).is_at(text.as_bytes(), 1);
            assert_eq!(found, expected, "{name} in {text}");
        }
        assert!(!Literal::key("a").is_at(b"", 7));
    }
}
