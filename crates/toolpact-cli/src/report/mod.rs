//! Reports the findings, in four formats.

mod github;
mod human;
mod json;
mod paths;
mod sarif;

use clap::ValueEnum;
use toolpact_core::document::DocumentKind;
use toolpact_core::json::Document;
use toolpact_core::{Severity, Violations};

use crate::output::Output;

pub(crate) use github::annotation;
pub(crate) use human::{Human, pointer_for_people};
pub(crate) use json::violation as violation_json;
pub(crate) use paths::ToolPaths;
pub(crate) use sarif::{region, uri};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: the source line with the place underlined
    Human,
    /// For programs: one JSON object
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub Actions: annotations on the changed lines
    Github,
}

/// One text and its findings.
pub(crate) struct FileReport<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    /// The kinds of the documents in it, if they are valid.
    pub(crate) kinds: &'a [DocumentKind],
    pub(crate) violations: &'a Violations,
    /// The fast path report of each tool, if requested.
    pub(crate) paths: Option<&'a [ToolPaths]>,
}

/// Prints the violations of a document, for commands that report nothing else about it.
pub(crate) fn explain(
    name: &str,
    document: &Document,
    violations: &Violations,
    out: &mut Output,
) -> anyhow::Result<()> {
    let report = FileReport {
        name,
        text: document.text(),
        kinds: &[],
        violations,
        paths: None,
    };
    Human.file(&report, out)
}

/// Totals over all files.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) files: usize,
    /// How many of the files that were found are not toolpact documents.
    pub(crate) passed_over: usize,
    /// How many words of the command line or files could not be read.
    pub(crate) unread: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// Whether warnings are errors.
    pub(crate) denies_warnings: bool,
    /// How many fixes were applied.
    pub(crate) fixed: usize,
    /// How many fixes could be applied.
    pub(crate) fixable: usize,
}

impl Summary {
    pub(crate) fn add(&mut self, violations: &Violations, fixable: usize) {
        self.files += 1;
        self.errors += violations.errors();
        self.warnings += violations.warnings();
        self.fixable += fixable;
    }
}

/// Writes each report at once, so that memory does not grow with their number.
pub(crate) trait Reporter {
    fn begin(&mut self, _: &mut Output) -> anyhow::Result<()> {
        Ok(())
    }

    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()>;

    fn end(&mut self, summary: &Summary, out: &mut Output) -> anyhow::Result<()>;
}

impl Format {
    pub(crate) fn reporter(self) -> Box<dyn Reporter> {
        match self {
            Format::Human => Box::new(Human),
            Format::Json => Box::new(json::Json::default()),
            Format::Sarif => Box::new(sarif::Sarif::default()),
            Format::Github => Box::new(github::Github),
        }
    }
}

/// GitHub and SARIF use the same words for levels.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
