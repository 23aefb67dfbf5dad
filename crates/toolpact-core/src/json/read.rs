//! The JSON reader: bytes in, index out, in one pass without recursion.
//!
//! It is strict about everything RFC 8259 leaves open: duplicate keys, lone surrogates, byte order
//! marks and numbers that overflow are errors. Where a mistake leaves no doubt about the rest
//! (a trailing comma, a comment, a duplicate key) it goes on, so that a person who wrote a
//! document by hand hears of all mistakes at once.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::index::{Entry, Index, NodeId, Shape};
use super::{Document, Limits, string};
use crate::text::shorten;
use crate::violation::Rule;
use crate::violation::report::{Edit, Finding, Place, Report};
use crate::violation::rules::json as rules;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut report = Report::new(limits.violations);
    let text = match admit(bytes, limits, &mut report) {
        Ok(text) => text,
        Err(text) => return unreadable(text, report),
    };
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        entries: Vec::new(),
        open: Vec::new(),
        depth: limits.depth,
        report,
    };
    let whole = reader.document().is_ok();
    reader.close_all();
    let Reader {
        entries, report, ..
    } = reader;
    let index = Index {
        text: text.into(),
        entries,
    };
    Document {
        index: Arc::new(index),
        whole,
        yaml: None,
        report,
    }
}

/// The text, if its size and encoding let it be read; otherwise as much of it as can be shown.
pub(super) fn admit<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    report: &mut Report,
) -> Result<&'a str, String> {
    let most = limits.bytes.min(u32::MAX as usize);
    if bytes.len() > most {
        report.add(&rules::TOO_LARGE, bytes_at(0..0), |finding| {
            finding
                .say(format!(
                    "the text has {} bytes; expected at most {most}",
                    bytes.len()
                ))
                .advise("split it, or raise the limit");
        });
        return Err(String::new());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        // In the text that is shown, U+FFFD is there instead, which has three bytes.
        report.add(&rules::INVALID_UTF8, bytes_at(at..at + 3), |finding| {
            let found = bytes.get(at).copied().unwrap_or_default();
            finding
                .say(format!("expected UTF-8 text, found the byte 0x{found:02X}"))
                .advise("save the file as UTF-8");
        });
        String::from_utf8_lossy(bytes).into_owned()
    })
}

pub(super) fn unreadable(text: String, report: Report) -> Document {
    let index = Index {
        text: text.into(),
        entries: Vec::new(),
    };
    Document {
        index: Arc::new(index),
        whole: false,
        yaml: None,
        report,
    }
}

/// Reading cannot go on; the report says why.
pub(super) struct Stop;

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    entries: Vec<Entry>,
    /// The containers that are not closed yet.
    open: Vec<NodeId>,
    depth: usize,
    report: Report,
}

impl Reader<'_> {
    fn document(&mut self) -> Result<(), Stop> {
        self.byte_order_mark();
        self.space()?;
        if self.at == self.bytes.len() {
            return self.stop("the document is empty; expected a JSON value");
        }
        self.value()?;
        while let Some(container) = self.open.last() {
            match self.entries[*container as usize].shape {
                Shape::Object => self.member()?,
                _ => self.element()?,
            }
        }
        self.space()?;
        if self.at < self.bytes.len() {
            let found = self.found();
            return self.stop(format!("expected nothing after the value, found {found}"));
        }
        Ok(())
    }

    /// A scalar, or the opening of a container.
    fn value(&mut self) -> Result<(), Stop> {
        match self.peek() {
            Some(b'{') => self.open(Shape::Object),
            Some(b'[') => self.open(Shape::Array),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Shape::Bool),
            Some(b'f') => self.literal("false", Shape::Bool),
            Some(b'n') => self.literal("null", Shape::Null),
            _ => self.no_value(),
        }
    }

    /// The next element of the innermost array, or its end.
    fn element(&mut self) -> Result<(), Stop> {
        self.space()?;
        if self.is_empty_container() {
            return if self.peek() == Some(b']') {
                self.close()
            } else {
                self.value()
            };
        }
        match self.peek() {
            Some(b']') => self.close(),
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space()?;
                if self.peek() == Some(b']') {
                    self.trailing_comma(comma);
                    return self.close();
                }
                self.value()
            }
            _ => self.expected("`,` or `]`"),
        }
    }

    /// The next member of the innermost object with the start of its value, or its end.
    fn member(&mut self) -> Result<(), Stop> {
        self.space()?;
        if self.is_empty_container() {
            return if self.peek() == Some(b'}') {
                self.close()
            } else {
                self.key_and_value()
            };
        }
        match self.peek() {
            Some(b'}') => self.close(),
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space()?;
                if self.peek() == Some(b'}') {
                    self.trailing_comma(comma);
                    return self.close();
                }
                self.key_and_value()
            }
            _ => self.expected("`,` or `}`"),
        }
    }

    fn key_and_value(&mut self) -> Result<(), Stop> {
        if self.peek() != Some(b'"') {
            return self.expected("a key in double quotes");
        }
        self.string()?;
        self.space()?;
        if self.peek() != Some(b':') {
            return self.expected("`:` after the key");
        }
        self.at += 1;
        self.space()?;
        self.value()
    }

    fn open(&mut self, shape: Shape) -> Result<(), Stop> {
        if self.open.len() >= self.depth {
            let depth = self.depth;
            self.find(&rules::TOO_DEEP, self.at..self.at + 1, |finding| {
                finding
                    .say(format!("nested deeper than the limit of {depth} levels"))
                    .advise("flatten the document, or raise the limit");
            });
            return Err(Stop);
        }
        let id = self.push(shape, self.at);
        self.open.push(id);
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Stop> {
        self.at += 1;
        let Some(id) = self.open.pop() else {
            return Err(Stop);
        };
        let (end, next) = (self.at, self.entries.len());
        let entry = &mut self.entries[id as usize];
        (entry.end, entry.next) = (narrow(end), narrow(next));
        if entry.shape == Shape::Object {
            self.duplicate_keys(id);
        }
        Ok(())
    }

    /// After a fatal mistake: gives the open containers an end, so that pointers can be made.
    fn close_all(&mut self) {
        let (end, next) = (narrow(self.at), narrow(self.entries.len()));
        for id in std::mem::take(&mut self.open) {
            let entry = &mut self.entries[id as usize];
            (entry.end, entry.next) = (end, next);
        }
    }

    fn string(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let id = self.push(Shape::Plain, start);
        self.at += 1;
        loop {
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

    fn escape(&mut self) -> Result<(), Stop> {
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

    fn unicode_escape(&mut self) -> Result<(), Stop> {
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

    fn number(&mut self) -> Result<(), Stop> {
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
        // Up to 308 digits without an exponent are always finite.
        if exponent || integer_digits > 308 {
            self.overflow(start..self.at);
        }
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn overflow(&mut self, span: Range<usize>) {
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

    fn literal(&mut self, word: &str, shape: Shape) -> Result<(), Stop> {
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

    fn duplicate_keys(&mut self, object: NodeId) {
        report_duplicate_keys(&self.entries, self.text, object, &mut self.report);
    }

    fn byte_order_mark(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.report
                .add(&rules::BYTE_ORDER_MARK, bytes_at(0..3), |finding| {
                    finding
                        .say("expected the text to begin with a value, found a byte order mark")
                        .fix("remove the first three bytes", Edit::Cut(0..3));
                });
            self.at = 3;
        }
    }

    fn trailing_comma(&mut self, comma: usize) {
        self.find(&rules::TRAILING_COMMA, comma..comma + 1, |finding| {
            finding
                .say("expected another element after the comma, found the end of the list")
                .fix("remove the comma", Edit::Cut(comma..comma + 1));
        });
    }

    /// White space, and comments, which are reported.
    fn space(&mut self) -> Result<(), Stop> {
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            let rest = &self.bytes[self.at..];
            let length = match rest {
                [b'/', b'/', ..] => rest
                    .iter()
                    .position(|b| matches!(b, b'\n' | b'\r'))
                    .unwrap_or(rest.len()),
                [b'/', b'*', ..] => match self.text[self.at + 2..].find("*/") {
                    Some(end) => end + 4,
                    None => return self.stop("expected the end of a comment, found none"),
                },
                _ => return Ok(()),
            };
            let span = self.at..self.at + length;
            self.find(&rules::COMMENT, span.clone(), |finding| {
                finding
                    .say("expected no comments in JSON, found one")
                    .fix("remove it", Edit::Cut(span));
            });
            self.at += length;
        }
    }

    fn no_value<T>(&mut self) -> Result<T, Stop> {
        let rest = &self.text[self.at..];
        let word: &str = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or("");
        let advice = match word {
            "True" => Some("write `true`"),
            "False" => Some("write `false`"),
            "None" | "undefined" | "nil" | "NULL" | "Null" => Some("write `null`"),
            "NaN" | "Infinity" => Some("JSON has no such number"),
            _ if rest.starts_with('\'') => Some("write strings in double quotes"),
            _ if rest.starts_with('+') => Some("write the number without `+`"),
            _ if rest.starts_with('.') => Some("write `0` before the decimal point"),
            _ => None,
        };
        let found = self.found();
        let length = self.character_length(self.at).max(word.len());
        self.stop_span(
            self.at..self.at + length,
            format!("expected a JSON value, found {found}"),
            advice,
        )
    }

    fn control_character<T>(&mut self, start: usize) -> Result<T, Stop> {
        let code = self.peek().unwrap_or_default();
        if matches!(code, b'\n' | b'\r') {
            return self.unclosed_string(start);
        }
        self.stop_span(
            self.at..self.at + 1,
            format!("expected a control character in a string to be escaped, found U+{code:04X}"),
            Some(&format!("write `\\u{code:04x}`")),
        )
    }

    fn unclosed_string<T>(&mut self, start: usize) -> Result<T, Stop> {
        self.stop_span(
            start..self.at,
            "expected a closing `\"` on the same line, found none",
            Some("a line break in a string is written `\\n`"),
        )
    }

    fn expected<T>(&mut self, what: &str) -> Result<T, Stop> {
        let found = self.found();
        self.stop(format!("expected {what}, found {found}"))
    }

    fn stop<T>(&mut self, message: impl Into<String>) -> Result<T, Stop> {
        let length = self.character_length(self.at);
        self.stop_span(self.at..self.at + length, message, None)
    }

    fn stop_span<T>(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        advice: Option<&str>,
    ) -> Result<T, Stop> {
        self.find(&rules::SYNTAX, span, |finding| {
            finding.say(message);
            if let Some(advice) = advice {
                finding.advise(advice);
            }
        });
        Err(Stop)
    }

    /// Adds a finding at some bytes, inside of the innermost container.
    fn find(&mut self, rule: &'static Rule, span: Range<usize>, say: impl FnOnce(&mut Finding)) {
        let within = self.open.last().copied().unwrap_or(0);
        self.report.add(rule, Place::Bytes { within, span }, say);
    }

    fn found(&self) -> String {
        self.character_at(self.at)
    }

    fn character_at(&self, at: usize) -> String {
        match self.text.get(at..).and_then(|rest| rest.chars().next()) {
            Some(c) if c.is_control() || c.is_whitespace() && c != ' ' => {
                format!("U+{:04X}", u32::from(c))
            }
            Some(c) => format!("`{c}`"),
            None => "the end of the text".to_owned(),
        }
    }

    fn character_length(&self, at: usize) -> usize {
        self.text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn is_empty_container(&self) -> bool {
        self.open
            .last()
            .is_some_and(|id| *id as usize + 1 == self.entries.len())
    }

    fn push(&mut self, shape: Shape, start: usize) -> NodeId {
        let id = narrow(self.entries.len());
        self.entries.push(Entry {
            start: narrow(start),
            end: narrow(start),
            next: id + 1,
            shape,
        });
        id
    }
}

/// Reports each key of an object that was there before. `text` is the JSON text.
pub(super) fn report_duplicate_keys(
    entries: &[Entry],
    text: &str,
    object: NodeId,
    report: &mut Report,
) {
    for (key, name) in duplicate_keys(entries, text, object) {
        report.add(&rules::DUPLICATE_KEY, Place::Key(key), |finding| {
            finding
                .say(format!(
                    "expected each key once, found `{}` again in the same object",
                    shorten(&name)
                ))
                .advise("remove one of them, or rename it");
        });
    }
}

/// Compared by value: `"a"` and `"\u0061"` are one key.
fn duplicate_keys<'a>(
    entries: &[Entry],
    text: &'a str,
    object: NodeId,
) -> Vec<(NodeId, Cow<'a, str>)> {
    let mut keys = Vec::new();
    let mut key = object + 1;
    while key < entries[object as usize].next {
        let entry = entries[key as usize];
        let inner = &text[entry.start as usize + 1..entry.end as usize - 1];
        keys.push((key, string::decode(inner)));
        key = entries[key as usize + 1].next;
    }
    // Most objects are small, and comparing a few names is quicker than hashing them.
    if keys.len() <= 8 {
        let repeats = |i: usize| keys[..i].iter().any(|(_, name)| *name == keys[i].1);
        return (1..keys.len())
            .filter(|i| repeats(*i))
            .map(|i| keys[i].clone())
            .collect();
    }
    let mut seen = HashSet::with_capacity(keys.len());
    keys.into_iter()
        .filter(|(_, name)| !seen.insert(name.clone()))
        .collect()
}

fn bytes_at(span: Range<usize>) -> Place {
    Place::Bytes { within: 0, span }
}

/// Offsets and entry numbers fit, because longer texts are refused at the door.
pub(super) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
