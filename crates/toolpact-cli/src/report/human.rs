use std::io::Write;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use toolpact_core::violation::Location;
use toolpact_core::{Severity, Violation};

use super::{FileReport, Reporter, Summary, paths};
use crate::output::{ERROR, FINE, Output, WARNING, count, printable};

/// Shows the line with the place underlined.
pub(crate) struct Human;

/// Longer lines are cut around the place.
const WIDEST: usize = 120;
/// How much of a cut line is shown before the place.
const BEFORE: usize = 40;

/// How the message about a document of a kind that has no tools begins.
const NO_TOOLS: &str = "expected tools, found";

impl Reporter for Human {
    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        let renderer = Renderer::styled();
        let name = &printable(file.name);
        let file = &FileReport { name, ..*file };
        for violation in file.violations {
            writeln!(out, "{}\n", render(&renderer, file, violation))?;
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
        paths::print(name, file.paths.unwrap_or_default(), out)
    }

    fn end(&mut self, summary: &Summary, out: &mut Output) -> anyhow::Result<()> {
        match summary.files {
            0 if summary.unread == 0 => write!(out, "{ERROR}nothing to check{ERROR:#}")?,
            files => write!(out, "{} checked", count(files, "document"))?,
        }
        if summary.passed_over > 0 {
            let files = count(summary.passed_over, "file");
            write!(out, ", {files} passed over")?;
        }
        write!(out, "{}", found(summary))?;
        if summary.denies_warnings && summary.warnings > 0 {
            write!(out, ", denied")?;
        }
        if summary.fixed > 0 {
            let fixes = count(summary.fixed, "fix").replace("fixs", "fixes");
            write!(out, ", {fixes} applied")?;
        }
        if summary.fixable > 0 {
            write!(out, "; {} fixable with --fix", summary.fixable)?;
        }
        if summary.unread > 0 {
            let unread = summary.unread;
            write!(out, "; {ERROR}{unread} could not be read{ERROR:#}")?;
        }
        Ok(writeln!(out)?)
    }
}

/// The verdict on all documents, if there were any.
fn found(summary: &Summary) -> String {
    match (summary.errors, summary.warnings) {
        (0, 0) if summary.files == 0 => String::new(),
        (0, 0) => format!(": {FINE}no problems{FINE:#}"),
        (0, warnings) => format!(": {WARNING}{}{WARNING:#}", count(warnings, "warning")),
        (errors, 0) => format!(": {ERROR}{}{ERROR:#}", count(errors, "error")),
        (errors, warnings) => format!(
            ": {ERROR}{}{ERROR:#} and {WARNING}{}{WARNING:#}",
            count(errors, "error"),
            count(warnings, "warning")
        ),
    }
}

fn render(renderer: &Renderer, file: &FileReport<'_>, violation: &Violation) -> String {
    let window = violation
        .location()
        .map(|location| Window::at(file.text, location));
    let text = renderer.render(&[group(file, violation, window.as_ref())]);
    match (
        violation.location(),
        window.and_then(|window| window.column_if_cut()),
    ) {
        // The renderer counts the column in the text it is given, which is only part of the line.
        (Some(Location { line, column, .. }), Some(shown)) => {
            let place = |column: usize| format!("{}:{line}:{column}", file.name);
            text.replacen(&place(shown), &place(*column), 1)
        }
        _ => text,
    }
}

/// Values can be anything, so nothing says by itself that it is a result.
const WHICH: &str = "say which it is with `--from`; a result of a tool is for `check --from ObjectResult`, or what its type is";

fn group<'a>(
    file: &FileReport<'a>,
    violation: &'a Violation,
    window: Option<&'a Window>,
) -> Group<'a> {
    let level = match violation.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(violation.message())
        .id(violation.code());
    let mut group = with_source(title, file, violation.location(), window);
    if let Some(suggestion) = violation.suggestion() {
        group = group.element(Level::HELP.message(printable(&suggestion.text)));
    } else if violation.code() == "unknown-document" && !violation.message().starts_with(NO_TOOLS) {
        group = group.element(Level::HELP.message(WHICH));
    }
    if !violation.pointer().is_root() {
        let pointer = pointer_for_people(violation);
        group = group.element(Level::NOTE.message(format!("at {pointer}")));
    }
    group
}

fn with_source<'a>(
    title: Title<'a>,
    file: &FileReport<'a>,
    location: Option<&Location>,
    window: Option<&'a Window>,
) -> Group<'a> {
    let origin = Origin::path(file.name);
    match (location, window) {
        (Some(location), Some(window)) if !window.line.is_empty() => title.element(
            Snippet::source(&window.line)
                .path(file.name)
                .line_start(location.line)
                .annotation(AnnotationKind::Primary.span(window.span.clone())),
        ),
        (Some(location), _) => {
            title.element(origin.line(location.line).char_column(location.column))
        }
        _ => title.element(origin),
    }
}

/// A shortened pointer. The formats for programs have it in full.
pub(crate) fn pointer_for_people(violation: &Violation) -> String {
    let full = printable(&violation.pointer().to_string());
    if full.len() <= WIDEST {
        return full;
    }
    format!("…{}", &full[boundary_before(&full, full.len(), WIDEST)..])
}

/// The line where a place begins, and the place in it.
struct Window {
    line: String,
    span: Range<usize>,
    /// Whether the beginning of the line is missing.
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

    /// The place's column in the shown part of the line, if that differs from the real one.
    fn column_if_cut(&self) -> Option<usize> {
        self.cut
            .then(|| self.line[..self.span.start].chars().count() + 1)
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
