//! Strings, numbers and literals.

use std::ops::Range;

use super::super::index::Shape;
use super::super::scan;
use super::super::string;
use super::{Reader, Stop, narrow};
use crate::text::shorten;
use crate::violation::rules::json as rules;

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let id = self.push(Shape::Plain, start);
        self.at += 1;
        loop {
            self.at += ordinary(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.entries[id as usize].shape = Shape::Escaped;
                    self.escape()?;
                }
                Some(0..=0x1f) => return self.control_character(start),
                Some(_) => self.at += 1,
                None => return self.unclosed_string(start),
            }
        }
        self.at += 1;
        self.entries[id as usize].end = narrow(self.at);
        Ok(())
    }

    pub(super) fn escape(&mut self) -> Result<(), Stop> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => return self.unicode_escape(),
            _ => {
                let found = self.character_at(self.at + 1);
                return self.stop_span(
                    self.at..self.at + 1,
                    format!("expected an escape such as `\\n` or `\\u0041`, found a backslash before {found}"),
                    Some("write `\\\\` for a backslash"),
                );
            }
        }
        Ok(())
    }

    pub(super) fn unicode_escape(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let unit = |at: usize| self.text.get(at..).and_then(string::code_unit);
        let Some(first) = unit(start) else {
            return self.stop_span(
                start..start + 2,
                "expected four hexadecimal digits after `\\u`",
                None,
            );
        };
        let second = unit(start + 6).filter(|unit| (0xDC00..0xE000).contains(unit));
        self.at += 6;
        match first {
            0xD800..0xDC00 if second.is_some() => self.at += 6,
            0xD800..0xE000 => self.find(&rules::LONE_SURROGATE, start..start + 6, |finding| {
                finding.say(format!(
                    "expected a surrogate pair, found the lone surrogate `\\u{first:04x}`, which is no character"
                ));
            }),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn number(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let id = self.push(Shape::Number, start);
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        let integer_digits = self.digits();
        if integer_digits == 0 {
            return self.expected("a digit after `-`");
        }
        if leading_zero && integer_digits > 1 {
            return self.stop_span(
                start..self.at,
                "expected a number without leading zeros",
                None,
            );
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return self.expected("a digit after the decimal point");
            }
        }
        let exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if exponent {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            if self.digits() == 0 {
                return self.expected("a digit in the exponent");
            }
        }
        self.entries[id as usize].end = narrow(self.at);
        // A number of up to 308 integer digits without an exponent is always finite.
        if exponent || integer_digits > 308 {
            self.overflow(start..self.at);
        }
        Ok(())
    }

    pub(super) fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    pub(super) fn overflow(&mut self, span: Range<usize>) {
        let text = self.text;
        let finite = text
            .get(span.clone())
            .and_then(|t| t.parse().ok())
            .is_some_and(f64::is_finite);
        if !finite {
            self.find(&rules::NUMBER_OVERFLOW, span.clone(), |finding| {
                finding.say(format!(
                    "expected a number within the range of a 64-bit float, found {}",
                    shorten(&text[span])
                ));
            });
        }
    }

    pub(super) fn literal(&mut self, word: &str, shape: Shape) -> Result<(), Stop> {
        let end = self.at + word.len();
        let follows = self
            .bytes
            .get(end)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if follows || self.bytes.get(self.at..end) != Some(word.as_bytes()) {
            return self.no_value();
        }
        let id = self.push(shape, self.at);
        self.at = end;
        self.entries[id as usize].end = narrow(end);
        Ok(())
    }
}

/// How many bytes come before the first special one of a string.
#[inline]
fn ordinary(bytes: &[u8]) -> usize {
    let (mut count, mut steps) = (0, 0);
    while let Some(chunk) = bytes[count..].first_chunk() {
        let found = scan::step(chunk).ordinary;
        count += found;
        if found < scan::STEP {
            return count;
        }
        steps += 1;
        if steps == scan::BEFORE_BLOCKS {
            count += scan::blocks(&bytes[count..]).ordinary;
            steps = 0;
        }
    }
    let rest = &bytes[count..];
    let special = rest.iter().position(|byte| !scan::is_ordinary(*byte));
    count + special.unwrap_or(rest.len())
}
