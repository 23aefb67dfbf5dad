//! Finds the references in a string.

use super::reference::{PathSegment, StepReference, is_id, is_plain, plain_index};
use super::words::shorten_to;

/// A string taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that stays as it is.
    Text(String),
    /// `{{…}}`
    Reference(StepReference),
}

/// What is wrong with what is in braces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
/// Stands for `{{` itself. Closing braces mean nothing on their own, so that JSON inside of a
/// string, which is full of them, needs no escapes.
const ESCAPED: &str = "{{{{";
/// No value is nested deeper, because no reader lets it through.
const DEEPEST: usize = 128;

/// Takes a string apart.
pub(super) fn scan(text: &str) -> Result<Vec<Piece>, Malformed> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        let (before, braces) = rest.split_at(at);
        plain.push_str(before);
        if let Some(after) = braces.strip_prefix(ESCAPED) {
            plain.push_str(OPEN);
            rest = after;
            continue;
        }
        let mut scanner = Scanner {
            rest: &braces[OPEN.len()..],
        };
        let reference = scanner.reference()?;
        if !plain.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
        }
        pieces.push(Piece::Reference(reference));
        rest = scanner.rest;
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    /// All up to the closing braces.
    fn reference(&mut self) -> Result<StepReference, Malformed> {
        self.space();
        let step = self.word(is_id);
        if step.is_empty() {
            return Err(self.expected("the id of a step"));
        }
        let mut path = Vec::new();
        loop {
            self.space();
            if self.eat(CLOSE) {
                return Ok(StepReference { step, path });
            }
            if path.len() == DEEPEST {
                return Err(self.expected("a path of at most 128 parts"));
            }
            path.push(self.part()?);
        }
    }

    fn part(&mut self) -> Result<PathSegment, Malformed> {
        if self.eat(".") {
            self.space();
            let word = self.word(is_plain);
            if word.is_empty() {
                return Err(self.expected("a key, or `[\"a key with odd characters\"]`"));
            }
            return Ok(match plain_index(&word) {
                Some(index) => PathSegment::Either(word, index),
                None => PathSegment::Member(word),
            });
        }
        if !self.eat("[") {
            return Err(self.expected("`.key`, `[0]`, `[\"key\"]` or `}}`"));
        }
        self.space();
        let part = self.bracketed()?;
        self.space();
        match self.eat("]") {
            true => Ok(part),
            false => Err(self.expected("`]`")),
        }
    }

    fn bracketed(&mut self) -> Result<PathSegment, Malformed> {
        for quote in ['"', '\''] {
            if self.rest.starts_with(quote) {
                return self.quoted(quote).map(PathSegment::Member);
            }
        }
        let digits = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let (number, after) = self.rest.split_at(self.rest.len() - digits.len());
        match number.parse() {
            Ok(index) => {
                self.rest = after;
                Ok(PathSegment::Element(index))
            }
            Err(_) => Err(self.expected("an index from 0 or a key in quotes")),
        }
    }

    /// A backslash makes the next character stand for itself.
    fn quoted(&mut self, quote: char) -> Result<Box<str>, Malformed> {
        let mut key = String::new();
        let mut chars = self.rest.chars();
        chars.next();
        while let Some(c) = chars.next() {
            match c {
                '\\' => key.extend(chars.next()),
                _ if c == quote => {
                    self.rest = chars.as_str();
                    return Ok(key.into());
                }
                _ => key.push(c),
            }
        }
        Err(self.expected("a key that ends with a quote"))
    }

    fn word(&mut self, belongs: fn(char) -> bool) -> Box<str> {
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.into()
    }

    fn eat(&mut self, token: &str) -> bool {
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn expected(&self, expected: &'static str) -> Malformed {
        let found = match self.rest {
            "" => "the end of the text".to_owned(),
            rest => format!("`{}`", shorten_to(rest, 20)),
        };
        Malformed { expected, found }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, scan};

    /// Pieces in the order they come, references in one spelling.
    fn shown(text: &str) -> Vec<String> {
        let show = |piece| match piece {
            Piece::Text(text) => format!("'{text}'"),
            Piece::Reference(reference) => reference.to_string(),
        };
        scan(text).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn references_of_every_form() {
        for (text, expected) in [
            ("{{s1}}", "{{s1}}"),
            ("{{ s1.data.0.id }}", "{{s1.data.0.id}}"),
            ("{{s1.data[0].id}}", "{{s1.data[0].id}}"),
            ("{{ s1 . data [ 0 ] }}", "{{s1.data[0]}}"),
            (r#"{{s1["odd key"]['x']}}"#, r#"{{s1["odd key"].x}}"#),
            (r#"{{s1["}}"]["a\"b\\"]}}"#, r#"{{s1["}}"]["a\"b\\"]}}"#),
            ("{{s1[\"\"]}}", "{{s1[\"\"]}}"),
            ("{{s1[\"0\"].00}}", "{{s1[\"0\"].00}}"),
            ("{{шаг-1.имя.$ref.a/b}}", "{{шаг-1.имя.$ref.a/b}}"),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
            assert_eq!(shown(expected), [expected], "{text}");
        }
    }

    #[test]
    fn text_around_and_braces_themselves() {
        assert_eq!(shown(""), [""; 0]);
        assert_eq!(shown("a {{b}} c{{d}}"), ["'a '", "{{b}}", "' c'", "{{d}}"]);
        assert_eq!(shown("{{{{ name }}"), ["'{{ name }}'"]);
        assert_eq!(shown("{{{{{{a}}}}"), ["'{{'", "{{a}}", "'}}'"]);
        assert_eq!(shown(r#"{"a":{"b":{}}}"#), [r#"'{"a":{"b":{}}}'"#]);
    }

    #[test]
    fn malformed_ones() {
        for (text, expected, found) in [
            ("{{", "the id of a step", "the end of the text"),
            ("{{}}", "the id of a step", "`}}`"),
            ("{{{a}}}", "the id of a step", "`{a}}}`"),
            (
                "{{a",
                "`.key`, `[0]`, `[\"key\"]` or `}}`",
                "the end of the text",
            ),
            (
                "{{a | upper}}",
                "`.key`, `[0]`, `[\"key\"]` or `}}`",
                "`| upper}}`",
            ),
            (
                "{{a.}}",
                "a key, or `[\"a key with odd characters\"]`",
                "`}}`",
            ),
            ("{{a[-1]}}", "an index from 0 or a key in quotes", "`-1]}}`"),
            ("{{a[b]}}", "an index from 0 or a key in quotes", "`b]}}`"),
            ("{{a[0}}", "`]`", "`}}`"),
            ("{{a[\"b]}}", "a key that ends with a quote", "`\"b]}}`"),
            ("{{a[\"b\\", "a key that ends with a quote", "`\"b\\`"),
            (
                "{{a[99999999999999999999]}}",
                "an index from 0 or a key in quotes",
                "`99999999999999999999…`",
            ),
        ] {
            let malformed = scan(text).unwrap_err();
            assert_eq!(
                (malformed.expected, &*malformed.found),
                (expected, found),
                "{text}"
            );
        }
        assert!(scan(&format!("{{{{a{}}}}}", ".b".repeat(128))).is_ok());
        assert!(scan(&format!("{{{{a{}}}}}", ".b".repeat(129))).is_err());
    }
}
