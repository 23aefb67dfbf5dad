use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};
use toolpact_core::{Checked, Violations};

use crate::cli::{self, LimitArguments};
use crate::files::{self, Source};
use crate::fix;
use crate::output::Output;
use crate::report::{FileReport, Format, Reporter, Summary};
use crate::status::Status;

/// Check documents: contracts, tools, declarations, schemas, calls and results
///
/// Every mistake is reported at once, with its place and what to write instead. The kind of a
/// document is found by its fields; a list of documents is checked one by one.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the documents are, instead of finding out
    #[arg(long = "as", value_enum, value_name = "KIND")]
    kind: Option<cli::Kind>,
    /// How to report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    format: Format,
    /// Apply the suggestions that are certain, and leave the rest of the file as it is
    #[arg(long)]
    fix: bool,
    /// What else to take for an error
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact check weather.json               One file
  toolpact check tools/ 'more/**/*.yaml'    A directory and a pattern
  toolpact check --fix tools/               Put right what is certain
  curl … | toolpact check --as call -       Standard input
  toolpact check --format sarif tools/      For code scanning";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings are errors
    Warnings,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let mut check = Check {
        kind: arguments.kind.map(Into::into),
        fix: arguments.fix,
        limits: arguments.limits.limits(),
        reporter: arguments.format.reporter(),
        summary: Summary::default(),
    };
    check.reporter.begin(out)?;
    let status = files::find(&arguments.files).for_each(|source| check.source(source, out));
    check.reporter.end(&check.summary, out)?;
    let denied = arguments.deny == Some(Deny::Warnings) && check.summary.warnings > 0;
    Ok(status.max(Status::wrong_if(denied)))
}

struct Check {
    kind: Option<DocumentKind>,
    fix: bool,
    limits: Limits,
    reporter: Box<dyn Reporter>,
    summary: Summary,
}

impl Check {
    fn source(&mut self, source: &Source, out: &mut Output) -> anyhow::Result<Status> {
        let bytes = source.read()?;
        let mut document = source.parse(&bytes, &self.limits);
        if source.found && self.kind.is_none() && is_something_else(&document) {
            self.summary.skipped += 1;
            return Ok(Status::Fine);
        }
        let mut checked = AnyDocument::check_each(&document, self.kind);
        if self.fix {
            (document, checked) = self.fix(source, document, checked)?;
        }
        let kinds: Vec<DocumentKind> = checked
            .value
            .iter()
            .flatten()
            .map(AnyDocument::kind)
            .collect();
        self.summary.add(&checked.violations);
        let report = FileReport {
            name: &source.name(),
            text: document.text(),
            kinds: &kinds,
            violations: &checked.violations,
        };
        self.reporter.file(&report, out)?;
        Ok(Status::wrong_if(checked.violations.errors() > 0))
    }

    /// Round by round, because a fix may bring out another.
    fn fix(
        &mut self,
        source: &Source,
        mut document: Document,
        mut checked: Checked<Vec<AnyDocument>>,
    ) -> anyhow::Result<(Document, Checked<Vec<AnyDocument>>)> {
        let Some(path) = &source.path else {
            anyhow::bail!("cannot fix standard input: there is no file to write to");
        };
        let mut fixed = 0;
        while let Some((text, applied)) = fix_once(&document, &checked.violations) {
            document = source.parse(text.as_bytes(), &self.limits);
            checked = AnyDocument::check_each(&document, self.kind);
            fixed += applied;
        }
        if fixed > 0 {
            fix::replace(path, document.text())?;
            self.summary.fixed += fixed;
        }
        Ok((document, checked))
    }
}

fn fix_once(document: &Document, violations: &Violations) -> Option<(String, usize)> {
    let (text, applied) = fix::apply(document.text(), violations);
    (applied > 0).then_some((text, applied))
}

/// Whether a file that nobody named is readable and no document of ours.
fn is_something_else(document: &Document) -> bool {
    let Some(root) = document.root() else {
        return false;
    };
    let is_none = |node| DocumentKind::of(node).is_none();
    is_none(root) && root.items().all(is_none)
}
