//! The layout of the file around a value, so that an edit keeps to it.

use std::io;
use std::ops::Range;

use serde::Serialize as _;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::json::Value;

pub(super) enum Style {
    /// On one line; whether there are spaces after commas and colons.
    OneLine { spaces: bool },
    /// Over several lines.
    Lines {
        /// What one level of nesting is.
        unit: String,
        /// What the line of the closing bracket begins with.
        base: String,
        line_break: &'static str,
    },
}

impl Style {
    /// The style of the object at `span` of a text.
    pub(super) fn of(text: &str, span: Range<usize>) -> Self {
        let inside = &text[span.clone()];
        let mut lines = inside.lines();
        let (Some(_), Some(second)) = (lines.next(), lines.next()) else {
            let spaces = inside.contains("\": ") || !inside.contains("\":");
            return Style::OneLine { spaces };
        };
        let last = inside.lines().next_back().unwrap_or_default();
        let (first, base) = (indent(second), indent(last));
        let unit = first
            .strip_prefix(base)
            .filter(|unit| !unit.is_empty())
            .unwrap_or("  ");
        let line_break = if inside.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        Style::Lines {
            unit: unit.to_owned(),
            base: base.to_owned(),
            line_break,
        }
    }

    pub(super) fn write(&self, value: &Value) -> String {
        match self {
            Style::OneLine { spaces: false } => render(value, serde_json::ser::CompactFormatter),
            Style::OneLine { spaces: true } => render(value, Spaced),
            Style::Lines {
                unit,
                base,
                line_break,
            } => {
                let text = render(value, PrettyFormatter::with_indent(unit.as_bytes()));
                text.replace('\n', &format!("{line_break}{base}"))
            }
        }
    }
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn render(value: &Value, formatter: impl Formatter) -> String {
    let mut out = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut out, formatter));
    match written {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        // Too deep for serde: as it was.
        Err(_) => value.text().to_owned(),
    }
}

/// One line, a space after each comma and colon.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        w.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b": ")
    }
}
