//! The JSON reader: bytes in, index out, in one pass without recursion.
//!
//! It is strict about everything RFC 8259 leaves open: duplicate keys, lone surrogates, byte order
//! marks and numbers that overflow are errors. Where a mistake is unambiguous (a trailing comma, a
//! comment, a duplicate key) the reader recovers and continues, so that the author of a handwritten
//! document gets all mistakes at once.

mod duplicates;
mod mistakes;
mod scalars;

use std::ops::Range;
use std::sync::Arc;

use super::index::{Entry, Index, NodeId, Shape};
use super::{Document, Limits};
use crate::json::report::{Edit, Place, Report};
use crate::violation::rules::json as rules;

pub(super) use duplicates::report_duplicate_keys;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut report = Report::new(limits.violations);
    match admit(bytes, limits, &mut report) {
        Ok(text) => read_text(text, limits, report).into_document(text.into()),
        Err(text) => unreadable(text, report),
    }
}

/// The same of a text that is kept as it is: a long one is not copied.
pub(super) fn read_owned(text: String, limits: &Limits) -> Document {
    let mut report = Report::new(limits.violations);
    match admit(text.as_bytes(), limits, &mut report) {
        Ok(_) => {
            let read = read_text(&text, limits, report);
            read.into_document(text.into())
        }
        Err(text) => unreadable(text, report),
    }
}

/// What was found in a text.
struct Found {
    entries: Vec<Entry>,
    whole: bool,
    report: Report,
}

impl Found {
    fn into_document(self, text: Box<str>) -> Document {
        let index = Index {
            text,
            entries: self.entries,
        };
        Document {
            index: Arc::new(index),
            whole: self.whole,
            yaml: None,
            report: self.report,
        }
    }
}

fn read_text(text: &str, limits: &Limits, report: Report) -> Found {
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: 0,
        // Capacity for the entries of a typical message, to avoid reallocation.
        entries: Vec::with_capacity((text.len() / 8 + 2).min(128)),
        open: Vec::with_capacity(8),
        depth: limits.depth,
        report,
    };
    let whole = reader.document().is_ok();
    reader.close_all();
    let Reader {
        entries, report, ..
    } = reader;
    Found {
        entries,
        whole,
        report,
    }
}

/// A text that cannot be read because of its size or encoding: as much of it as can be shown.
pub(super) struct Unreadable(String);

/// The text, if its size and encoding allow reading it. Otherwise the reason is reported.
pub(super) fn admit<'a>(
    bytes: &'a [u8],
    limits: &Limits,
    report: &mut Report,
) -> Result<&'a str, Unreadable> {
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
        return Err(Unreadable(String::new()));
    }
    simdutf8::compat::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        // The text that is shown has U+FFFD there instead, which is three bytes.
        report.add(&rules::INVALID_UTF8, bytes_at(at..at + 3), |finding| {
            let found = bytes.get(at).copied().unwrap_or_default();
            finding
                .say(format!("expected UTF-8 text, found the byte 0x{found:02X}"))
                .advise("save the file as UTF-8");
        });
        Unreadable(String::from_utf8_lossy(bytes).into_owned())
    })
}

pub(super) fn unreadable(Unreadable(text): Unreadable, report: Report) -> Document {
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

/// Reading stopped; the report says why.
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

    /// The next element of the innermost array, or the end of the array.
    fn element(&mut self) -> Result<(), Stop> {
        self.next_before(b']', "`,` or `]`", Self::value)
    }

    /// The next member of the innermost object up to the start of its value, or the object's end.
    fn member(&mut self) -> Result<(), Stop> {
        self.next_before(b'}', "`,` or `}`", Self::key_and_value)
    }

    /// The next item of the innermost container, or the container's end.
    #[inline]
    fn next_before(
        &mut self,
        end: u8,
        expected: &'static str,
        read: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.space()?;
        let is_first = self.is_empty_container();
        match self.peek() {
            Some(byte) if byte == end => self.close(),
            _ if is_first => read(self),
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.space()?;
                if self.peek() == Some(end) {
                    self.trailing_comma(comma);
                    return self.close();
                }
                read(self)
            }
            _ => self.expected(expected),
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

    /// After a fatal mistake: closes the open containers, so that pointers can be computed.
    fn close_all(&mut self) {
        let (end, next) = (narrow(self.at), narrow(self.entries.len()));
        for id in std::mem::take(&mut self.open) {
            let entry = &mut self.entries[id as usize];
            (entry.end, entry.next) = (end, next);
        }
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

    /// Skips white space, and comments, which are reported.
    #[inline]
    fn space(&mut self) -> Result<(), Stop> {
        match self.peek() {
            // Most messages have none.
            Some(byte) if byte > b' ' && byte != b'/' => Ok(()),
            _ => self.skip_space(),
        }
    }

    fn skip_space(&mut self) -> Result<(), Stop> {
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

fn bytes_at(span: Range<usize>) -> Place {
    Place::Bytes { within: 0, span }
}

/// Offsets and entry numbers fit, because longer texts are refused up front.
pub(super) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
