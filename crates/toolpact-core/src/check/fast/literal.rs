//! Texts that are recognised where they stand, without looking for their end first.

/// A text of which the first 16 bytes are compared as one number.
#[derive(Debug)]
pub(super) struct Literal {
    head: u128,
    mask: u128,
    /// The last bytes, if there are more than these.
    tail: u128,
    text: Box<[u8]>,
}

/// How many bytes are compared at once.
const HEAD: usize = 16;

impl Literal {
    /// `"name":`
    pub(super) fn key(name: &str) -> Self {
        Self::new(name, "\":")
    }

    /// `"value"`
    pub(super) fn string(value: &str) -> Self {
        Self::new(value, "\"")
    }

    /// A text that has to be escaped in JSON never stands there as it is.
    fn new(name: &str, end: &str) -> Self {
        let plain = name.bytes().all(|b| b >= b' ' && b != b'"' && b != b'\\');
        let text = if plain {
            format!("\"{name}{end}")
        } else {
            String::new()
        };
        let mut head = [0; HEAD];
        let mut mask = [0; HEAD];
        for ((byte, head), mask) in text.bytes().zip(&mut head).zip(&mut mask) {
            (*head, *mask) = (byte, u8::MAX);
        }
        if text.is_empty() {
            // No bytes give this under that mask.
            (head, mask) = ([u8::MAX; HEAD], [0; HEAD]);
        }
        let tail = text.as_bytes().last_chunk().copied();
        Self {
            head: u128::from_le_bytes(head),
            mask: u128::from_le_bytes(mask),
            tail: u128::from_le_bytes(tail.unwrap_or_default()),
            text: text.into_bytes().into(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether this text is at `at`.
    #[inline(always)]
    pub(super) fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        let Some(rest) = bytes.get(at..) else {
            return false;
        };
        match rest.first_chunk::<HEAD>() {
            Some(chunk) => {
                u128::from_le_bytes(*chunk) & self.mask == self.head
                    && (self.text.len() <= HEAD || self.tail_is_at(rest))
            }
            None => !self.text.is_empty() && rest.starts_with(&self.text),
        }
    }

    #[inline(always)]
    fn tail_is_at(&self, rest: &[u8]) -> bool {
        let length = self.text.len();
        let tail = rest
            .get(length - HEAD..)
            .and_then(|rest| rest.first_chunk::<HEAD>());
        tail.is_some_and(|tail| u128::from_le_bytes(*tail) == self.tail)
            && (length <= 2 * HEAD || rest.starts_with(&self.text))
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
            // Not as it is: it has to be escaped.
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
