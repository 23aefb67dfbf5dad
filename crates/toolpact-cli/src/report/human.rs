use std::io::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use toolpact_core::{Location, Severity, Violation};

use super::{FileReport, Reporter, Summary};
use crate::output::{ERROR, FINE, Output, WARNING, count};

/// Shows the line with the place underlined.
pub(crate) struct Human;

/// Longer lines are cut around the place.
const WIDEST: usize = 120;
/// How much of a cut line is shown before the place.
const BEFORE: usize = 40;

impl Reporter for Human {
    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        let renderer = Renderer::styled();
        for violation in file.violations {
            let group = group(file, violation);
            writeln!(out, "{}\n", renderer.render(&[group]))?;
        }
        let more = file.violations.omitted();
        if more > 0 {
            writeln!(
                out,
                "{}: {} not shown (--max-violations)\n",
                file.name,
                count(more, "more violation")
            )?;
        }
        Ok(())
    }

    fn end(&mut self, summary: &Summary, out: &mut Output) -> anyhow::Result<()> {
        let found = match (summary.errors, summary.warnings) {
            (0, 0) => format!("{FINE}no problems{FINE:#}"),
            (0, warnings) => format!("{WARNING}{}{WARNING:#}", count(warnings, "warning")),
            (errors, 0) => format!("{ERROR}{}{ERROR:#}", count(errors, "error")),
            (errors, warnings) => format!(
                "{ERROR}{}{ERROR:#} and {WARNING}{}{WARNING:#}",
                count(errors, "error"),
                count(warnings, "warning")
            ),
        };
        write!(out, "{} checked: {found}", count(summary.files, "document"))?;
        if summary.fixed > 0 {
            write!(
                out,
                ", {} applied",
                count(summary.fixed, "fix").replace("fixs", "fixes")
            )?;
        }
        if summary.fixable > 0 {
            write!(out, "; --fix puts {} of them right", summary.fixable)?;
        }
        if summary.skipped > 0 {
            write!(
                out,
                " ({} of another kind passed over)",
                count(summary.skipped, "file")
            )?;
        }
        Ok(writeln!(out)?)
    }
}

fn group<'a>(file: &'a FileReport<'_>, violation: &'a Violation) -> Group<'a> {
    let level = match violation.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(violation.message())
        .id(violation.code());
    let mut group = match violation.location() {
        Some(location) => with_source(title, file, location),
        None => title.element(Origin::path(file.name)),
    };
    if let Some(suggestion) = violation.suggestion() {
        group = group.element(Level::HELP.message(&suggestion.text));
    }
    if !violation.pointer().is_root() {
        group = group.element(Level::NOTE.message(format!("at {}", shortened(violation))));
    }
    group
}

fn with_source<'a>(title: Title<'a>, file: &FileReport<'a>, location: &Location) -> Group<'a> {
    let Window { line, span, cut } = Window::at(file.text, location);
    // Of a line that was cut, the column cannot be counted.
    let origin = Origin::path(file.name)
        .line(location.line)
        .char_column(location.column);
    if line.is_empty() {
        return title.element(origin);
    }
    let annotation = AnnotationKind::Primary.span(span);
    let snippet = Snippet::source(line)
        .line_start(location.line)
        .annotation(annotation);
    if cut {
        title.element(origin).element(snippet)
    } else {
        title.element(snippet.path(file.name))
    }
}

/// A pointer of a person's length. The formats for programs have it in full.
fn shortened(violation: &Violation) -> String {
    let full = violation.pointer().to_string();
    if full.len() <= WIDEST {
        return full;
    }
    format!("…{}", &full[boundary_before(&full, full.len(), WIDEST)..])
}

/// The line where a place begins, and the place in it.
struct Window {
    line: String,
    span: Range<usize>,
    /// Whether only a part of the line is there.
    cut: bool,
}

impl Window {
    fn at(text: &str, location: &Location) -> Self {
        let start = location.span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..]
            .find(['\n', '\r'])
            .map_or(text.len(), |at| start + at);
        let (mut from, mut to) = (line_start, line_end);
        if line_end - line_start > WIDEST {
            from = boundary_before(text, start, BEFORE).max(line_start);
            to = boundary_after(text, start, WIDEST - BEFORE).min(line_end);
        }
        let before = if from > line_start { "…" } else { "" };
        let after = if to < line_end { "…" } else { "" };
        let place = |at: usize| at.clamp(start, to) - from + before.len();
        Self {
            line: format!("{before}{}{after}", &text[from..to]),
            span: place(start)..place(location.span.end),
            cut: !before.is_empty(),
        }
    }
}

fn boundary_before(text: &str, at: usize, characters: usize) -> usize {
    text[..at]
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(at, |(i, _)| i)
}

fn boundary_after(text: &str, at: usize, characters: usize) -> usize {
    text[at..]
        .char_indices()
        .nth(characters)
        .map_or(text.len(), |(i, _)| at + i)
}
