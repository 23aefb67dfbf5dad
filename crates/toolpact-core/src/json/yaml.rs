//! The YAML reader: builds the same index as for JSON, and the span of each entry in the YAML.
//!
//! Plain scalars follow the core schema of YAML 1.2. What JSON cannot represent is refused.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use super::document::YamlSource;
use super::index::{Entry, Index, NodeId, Shape};
use super::read::{Stop, admit, narrow, report_duplicate_keys, unreadable};
use super::{Document, Limits, Writer};
use crate::json::report::{Finding, Place, Report};
use crate::violation::Rule;
use crate::violation::rules::{json as json_rules, yaml as rules};

mod offsets;
mod scalar;

use offsets::Offsets;
use scalar::Scalar;

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Document {
    let mut report = Report::new(limits.violations);
    let text = match admit(bytes, limits, &mut report) {
        Ok(text) => text,
        Err(text) => return unreadable(text, report),
    };
    let mut reader = Reader {
        text,
        offsets: Offsets::new(text),
        json: Writer::default(),
        entries: Vec::new(),
        spans: Vec::new(),
        open: Vec::new(),
        anchors: HashMap::new(),
        trimmed: (0, 0),
        limits: *limits,
        report,
    };
    let whole = reader.document().is_ok();
    reader.close_all();
    let Reader {
        json,
        entries,
        spans,
        report,
        ..
    } = reader;
    let index = Index {
        text: json.finish().into(),
        entries,
    };
    let yaml = YamlSource {
        text: text.into(),
        spans,
    };
    Document {
        index: Arc::new(index),
        whole,
        yaml: Some(yaml),
        report,
    }
}

/// Aliases may expand a document to about this many times the length of its text.
const EXPANSION: usize = 10;

/// The longest text after conversion to JSON, so that every offset in it fits.
const LONGEST_JSON: usize = u32::MAX as usize;

/// The deepest nesting of brackets and braces, whatever the limits are: the parser counts it in one
/// byte. Block collections have no such bound.
const DEEPEST_FLOW: usize = 255;

struct Reader<'a> {
    text: &'a str,
    offsets: Offsets<'a>,
    json: Writer,
    entries: Vec<Entry>,
    spans: Vec<(u32, u32)>,
    open: Vec<Open>,
    anchors: HashMap<usize, NodeId>,
    /// Memoised by `without_space`: an offset, and where the white space before it begins.
    trimmed: (usize, usize),
    limits: Limits,
    report: Report,
}

struct Open {
    id: NodeId,
    /// In an object, whether a key comes next.
    key_next: bool,
}

impl<'a> Reader<'a> {
    fn document(&mut self) -> Result<(), Stop> {
        if self.text.starts_with('\u{feff}') {
            return self.stop(&json_rules::BYTE_ORDER_MARK, 0..3, |finding| {
                finding.say("expected the text to begin with a value, found a byte order mark");
            });
        }
        let mut documents = 0;
        let mut parser = Parser::new_from_str(self.text);
        while let Some(event) = parser.next_event() {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => return self.syntax(&error),
            };
            let span = self.offsets.byte(span.start.index())..self.end_of(&span);
            if matches!(event, Event::DocumentStart(_)) {
                documents += 1;
                if documents > 1 {
                    return self.unsupported(
                        span,
                        "a second document after `---`",
                        "use one file each",
                    );
                }
            }
            self.event(event, span.clone())?;
            if self.json.text().len() > LONGEST_JSON {
                return self.stop(&json_rules::TOO_LARGE, span, |finding| {
                    finding.say("as JSON, where some characters are longer, it has over 4 GiB");
                });
            }
        }
        if self.entries.is_empty() {
            return self.stop(&rules::SYNTAX, 0..0, |finding| {
                finding.say("the document is empty; expected a value");
            });
        }
        Ok(())
    }

    fn syntax(&mut self, error: &ScanError) -> Result<(), Stop> {
        let at = self.offsets.byte(error.marker().index());
        // The parser looks ahead, so this comes before the event that is too deep for our limit.
        if error.info() == "recursion limit exceeded" {
            return self.too_deep(self.limits.depth.min(DEEPEST_FLOW), at..at);
        }
        self.stop(&rules::SYNTAX, at..at, |finding| {
            finding.say(format!("expected YAML, but {}", error.info()));
        })
    }

    fn event(&mut self, event: Event<'a>, span: Range<usize>) -> Result<(), Stop> {
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar(&value, style, tag.as_deref(), anchor, span)
            }
            Event::SequenceStart(anchor, tag) => {
                self.container(Shape::Array, tag.as_deref(), anchor, span)
            }
            Event::MappingStart(anchor, tag) => {
                self.container(Shape::Object, tag.as_deref(), anchor, span)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.close(span.end);
                Ok(())
            }
            Event::Alias(anchor) => self.alias(anchor, span),
            _ => Ok(()),
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        tag: Option<&Tag>,
        anchor: usize,
        span: Range<usize>,
    ) -> Result<(), Stop> {
        let scalar = match tag {
            None if style == ScalarStyle::Plain => Scalar::resolve(value),
            None => Scalar::String,
            Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => Scalar::String,
            Some(_) => return self.unsupported(span, "a tag", "leave it out"),
        };
        if self.key_next() && scalar != Scalar::String {
            let shown = crate::text::shorten(value);
            return self.unsupported(
                span,
                &format!("the key `{shown}`, which is no string"),
                "put it in quotes",
            );
        }
        self.anchor(anchor);
        match scalar {
            Scalar::String => self.push_scalar(Shape::Escaped, span, |json| json.string(value)),
            Scalar::Null => self.push_scalar(Shape::Null, span, |json| json.raw("null")),
            Scalar::Bool(true) => self.push_scalar(Shape::Bool, span, |json| json.raw("true")),
            Scalar::Bool(false) => self.push_scalar(Shape::Bool, span, |json| json.raw("false")),
            Scalar::Number(text) => {
                if !text.parse().is_ok_and(f64::is_finite) {
                    self.overflow(&text, span.clone());
                }
                self.push_scalar(Shape::Number, span, |json| json.raw(&text));
            }
            Scalar::TooLarge => {
                return self.unsupported(
                    span,
                    "a number of more than 128 bits",
                    "write it in decimal, or in quotes",
                );
            }
            Scalar::NotFinite => {
                return self.unsupported(
                    span,
                    "a number that is not finite",
                    "JSON has no such number",
                );
            }
        }
        Ok(())
    }

    fn overflow(&mut self, text: &str, span: Range<usize>) {
        let within = self.open.last().map_or(0, |open| open.id);
        let place = Place::Bytes { within, span };
        self.report
            .add(&json_rules::NUMBER_OVERFLOW, place, |finding| {
                finding.say(format!(
                    "expected a number within the range of a 64-bit float, found {}",
                    crate::text::shorten(text)
                ));
            });
    }

    fn container(
        &mut self,
        shape: Shape,
        tag: Option<&Tag>,
        anchor: usize,
        span: Range<usize>,
    ) -> Result<(), Stop> {
        if tag.is_some() {
            return self.unsupported(span, "a tag", "leave it out");
        }
        if self.key_next() {
            return self.unsupported(span, "a key that is no string", "put it in quotes");
        }
        self.depth_allows(1, &span)?;
        self.anchor(anchor);
        let start = self.json.mark();
        match shape {
            Shape::Object => self.json.begin_object(),
            _ => self.json.begin_array(),
        };
        self.value_begins();
        let id = self.push(shape, start, span);
        self.open.push(Open {
            id,
            key_next: shape == Shape::Object,
        });
        Ok(())
    }

    fn close(&mut self, end: usize) {
        let Some(Open { id, .. }) = self.open.pop() else {
            return;
        };
        let is_object = self.entries[id as usize].shape == Shape::Object;
        if is_object {
            self.json.end_object();
        } else {
            self.json.end_array();
        }
        self.entries[id as usize].end = narrow(self.json.text().len());
        self.entries[id as usize].next = narrow(self.entries.len());
        let (start, end) = (self.spans[id as usize].0, self.without_space(end));
        self.spans[id as usize].1 = start.max(narrow(end));
        if is_object {
            report_duplicate_keys(&self.entries, self.json.text(), id, &mut self.report);
        }
    }

    /// Trims the white space before `end`, since a block ends where the next token begins. Many
    /// blocks may end at the same offset, so the last result is memoised.
    fn without_space(&mut self, end: usize) -> usize {
        if self.trimmed.0 != end {
            let before = self.text.get(..end).unwrap_or_default();
            self.trimmed = (end, before.trim_end().len());
        }
        self.trimmed.1
    }

    /// Copies the anchored node, if it is complete and the document does not get too large.
    fn alias(&mut self, anchor: usize, span: Range<usize>) -> Result<(), Stop> {
        let id = self.anchors.get(&anchor).copied();
        let Some(id) = id.filter(|id| self.open.iter().all(|open| open.id != *id)) else {
            return self.unsupported(span, "an alias inside of what it names", "write it out");
        };
        let source = self.entries[id as usize];
        if self.key_next() && !matches!(source.shape, Shape::Plain | Shape::Escaped) {
            return self.unsupported(span, "a key that is no string", "put it in quotes");
        }
        let length = (source.end - source.start) as usize;
        let most = (self.text.len() * EXPANSION + 65_536).min(self.limits.bytes);
        if self.json.text().len() + length > most {
            return self.unsupported(
                span,
                "aliases that expand to far more than the text",
                "write less",
            );
        }
        let copied: Vec<Entry> = self.entries[id as usize..source.next as usize].to_vec();
        self.depth_allows(depth(&copied), &span)?;
        let json = self.json.text()[source.start as usize..source.end as usize].to_owned();
        let (start, first) = (self.json.mark(), narrow(self.entries.len()));
        self.json.raw(&json);
        self.value_begins();
        for entry in copied {
            self.entries.push(Entry {
                start: entry.start - source.start + narrow(start),
                end: entry.end - source.start + narrow(start),
                next: entry.next - id + first,
                shape: entry.shape,
            });
            self.spans.push((narrow(span.start), narrow(span.end)));
        }
        Ok(())
    }

    fn push_scalar(
        &mut self,
        shape: Shape,
        span: Range<usize>,
        write: impl FnOnce(&mut Writer) -> &mut Writer,
    ) {
        let start = self.json.mark();
        write(&mut self.json);
        let id = self.push(shape, start, span);
        self.entries[id as usize].end = narrow(self.json.text().len());
        self.value_begins();
    }

    fn push(&mut self, shape: Shape, start: usize, span: Range<usize>) -> NodeId {
        let id = narrow(self.entries.len());
        self.entries.push(Entry {
            start: narrow(start),
            end: narrow(start),
            next: id + 1,
            shape,
        });
        self.spans.push((narrow(span.start), narrow(span.end)));
        id
    }

    /// After a fatal mistake: closes the open containers, so that pointers can be computed.
    fn close_all(&mut self) {
        let (end, next) = (narrow(self.json.text().len()), narrow(self.entries.len()));
        for Open { id, .. } in std::mem::take(&mut self.open) {
            let entry = &mut self.entries[id as usize];
            (entry.end, entry.next) = (end, next);
        }
    }

    fn anchor(&mut self, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, narrow(self.entries.len()));
        }
    }

    fn key_next(&self) -> bool {
        self.open.last().is_some_and(|open| open.key_next)
    }

    /// In an object, keys and values alternate.
    fn value_begins(&mut self) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if open.key_next {
            self.json.colon();
        }
        let is_object = self.entries[open.id as usize].shape == Shape::Object;
        open.key_next = is_object && !open.key_next;
    }

    fn depth_allows(&mut self, more: usize, span: &Range<usize>) -> Result<(), Stop> {
        let limit = self.limits.depth;
        if self.open.len() + more <= limit {
            return Ok(());
        }
        self.too_deep(limit, span.clone())
    }

    fn too_deep(&mut self, limit: usize, span: Range<usize>) -> Result<(), Stop> {
        self.stop(&json_rules::TOO_DEEP, span, |finding| {
            finding.say(format!("nested deeper than the limit of {limit} levels"));
        })
    }

    fn unsupported(&mut self, span: Range<usize>, found: &str, advice: &str) -> Result<(), Stop> {
        self.stop(&rules::UNSUPPORTED, span, |finding| {
            finding
                .say(format!("expected YAML that JSON can say, found {found}"))
                .advise(advice);
        })
    }

    fn stop(
        &mut self,
        rule: &'static Rule,
        span: Range<usize>,
        say: impl FnOnce(&mut Finding),
    ) -> Result<(), Stop> {
        let within = self.open.last().map_or(0, |open| open.id);
        self.report.add(rule, Place::Bytes { within, span }, say);
        Err(Stop)
    }

    fn end_of(&self, span: &Span) -> usize {
        self.offsets.byte(span.end.index())
    }
}

/// The depth of nesting in a run of entries.
fn depth(entries: &[Entry]) -> usize {
    let (mut open, mut deepest) = (Vec::new(), 0);
    let first = entries
        .first()
        .map_or(0, |root| root.next as usize - entries.len());
    for (i, entry) in entries.iter().enumerate() {
        while open.last().is_some_and(|end| *end <= first + i) {
            open.pop();
        }
        if entry.shape.is_container() {
            open.push(entry.next as usize);
            deepest = deepest.max(open.len());
        }
    }
    deepest
}
