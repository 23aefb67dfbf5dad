mod portable;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use toolpact_core::dialect::Dialect;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};
use toolpact_core::violation::Checked;

use crate::cli::{self, LimitArguments};
use crate::commands::convert;
use crate::files::{self, Source};
use crate::fix;
use crate::output::Output;
use crate::report::{FileReport, Format, Reporter, Summary, ToolPaths};
use crate::save;
use crate::status::Status;

/// Check documents: contracts, tools, agents, schemas, calls, results and values
///
/// Every mistake is reported at once, with its place and what to write instead. The kind of a
/// document is found by its fields; a list of documents is checked one by one.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the documents are, instead of finding out; the name of a return type for values of it
    #[arg(long = "as", value_parser = cli::kinds_and_types(), value_name = "KIND", hide_possible_values = false)]
    kind: Option<DocumentKind>,
    /// How to report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    format: Format,
    /// Apply the suggestions that are certain, and leave the rest of the file as it is
    #[arg(long)]
    fix: bool,
    /// What else to take for an error
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Say of each tool whether its calls and results are judged on the fast path, and if not, why
    ///
    /// On the fast path a text is judged in one pass while it is read. What uses a keyword that the
    /// path does not know is read into a tree first: as strict, and slower.
    #[arg(long)]
    paths: bool,
    /// Say what would be lost in these dialects, separated by commas (see `convert --list`)
    ///
    /// The files may hold tools in any dialect. A tool that a dialect has no words for is an error,
    /// and what changes which calls are valid is a warning.
    #[arg(
        long = "for", value_delimiter = ',', value_parser = convert::dialects(), value_name = "DIALECT",
        hide_possible_values = true, conflicts_with_all = ["kind", "fix", "paths"]
    )]
    targets: Vec<Dialect>,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact check weather.json               One file
  toolpact check tools/ 'more/**/*.yaml'    A directory and a pattern
  toolpact check --fix tools/               Put right what is certain
  toolpact check --as ListResult page.json  What a tool returned
  curl … | toolpact check --as call -       Standard input
  toolpact check --paths shop.yaml          What is fast to check, and what is not
  toolpact check --for gemini,mcp shop.yaml What would be lost where
  toolpact check --format sarif tools/      For code scanning";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings are errors
    Warnings,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if !arguments.targets.is_empty() {
        let targets = portable::Targets {
            dialects: &arguments.targets,
            files: &arguments.files,
            format: arguments.format,
            deny_warnings: arguments.deny == Some(Deny::Warnings),
        };
        return portable::run(&targets, &arguments.limits.limits(), out);
    }
    let sources = files::find(&arguments.files);
    anyhow::ensure!(
        !arguments.fix || sources.list.iter().all(|source| source.path.is_some()),
        "cannot fix standard input: there is no file to write to"
    );
    anyhow::ensure!(
        !arguments.paths || matches!(arguments.format, Format::Human | Format::Json),
        "--paths is for people and for JSON: there is no place for it in the other formats"
    );
    let mut check = Check {
        kind: arguments.kind,
        fix: arguments.fix,
        paths: arguments.paths,
        limits: arguments.limits.limits(),
        reporter: arguments.format.reporter(),
        summary: Summary {
            unread: sources.problems.len(),
            denies_warnings: arguments.deny == Some(Deny::Warnings),
            ..Summary::default()
        },
    };
    check.reporter.begin(out)?;
    let status = sources.for_each(|source| check.source(source, out));
    check.reporter.end(&check.summary, out)?;
    let denied = check.summary.denies_warnings && check.summary.warnings > 0;
    Ok(status.max(Status::wrong_if(denied)))
}

struct Check {
    kind: Option<DocumentKind>,
    fix: bool,
    paths: bool,
    limits: Limits,
    reporter: Box<dyn Reporter>,
    summary: Summary,
}

impl Check {
    fn source(&mut self, source: &Source, out: &mut Output) -> anyhow::Result<Status> {
        let bytes = source.read().inspect_err(|_| self.summary.unread += 1)?;
        let document = source.parse(&bytes, &self.limits);
        if source.found && self.kind.is_none() && files::is_something_else(&document) {
            self.summary.skipped += 1;
            return Ok(Status::Fine);
        }
        let checked = AnyDocument::check_each(&document, self.kind);
        let before = Look { document, checked };
        let path = source.path.as_deref().filter(|_| self.fix);
        let Some((fixed, after)) = path.and_then(|_| self.fixed(source, &before)) else {
            return self.report(source, &before, out);
        };
        // What could not be written is as it was, and is reported as it is.
        match path.map_or(Ok(()), |path| save::replace(path, after.document.text())) {
            Ok(()) => {
                self.summary.fixed += fixed;
                self.report(source, &after, out)
            }
            Err(problem) => {
                self.report(source, &before, out)?;
                Err(problem)
            }
        }
    }

    fn report(&mut self, source: &Source, look: &Look, out: &mut Output) -> anyhow::Result<Status> {
        let Look { document, checked } = look;
        let kinds: Vec<DocumentKind> = checked
            .value
            .iter()
            .flatten()
            .map(AnyDocument::kind)
            .collect();
        let documents = checked.value.iter().flatten();
        let paths: Option<Vec<_>> = self
            .paths
            .then(|| documents.flat_map(ToolPaths::of).collect());
        self.summary.add(&checked.violations);
        let report = FileReport {
            name: &source.name(),
            text: document.text(),
            kinds: &kinds,
            violations: &checked.violations,
            paths: paths.as_deref(),
        };
        self.reporter.file(&report, out)?;
        Ok(Status::wrong_if(checked.violations.errors() > 0))
    }

    /// Round by round, because a fix may bring out another.
    fn fixed(&self, source: &Source, before: &Look) -> Option<(usize, Look)> {
        let mut fixed = 0;
        let mut after: Option<Look> = None;
        loop {
            let look = after.as_ref().unwrap_or(before);
            let (text, applied) = fix::apply(look.document.text(), &look.checked.violations);
            // A fix that changes nothing would be applied for ever.
            if applied == 0 || text == look.document.text() {
                return after.map(|after| (fixed, after));
            }
            fixed += applied;
            let document = source.parse(text.as_bytes(), &self.limits);
            let checked = AnyDocument::check_each(&document, self.kind);
            after = Some(Look { document, checked });
        }
    }
}

/// A document and what was found in it.
struct Look {
    document: Document,
    checked: Checked<Vec<AnyDocument>>,
}
