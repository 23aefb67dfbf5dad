mod file;
mod targets;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use toolpact_core::dialect::Dialect;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};
use toolpact_core::lint::Selection;
use toolpact_core::violation::fix::{self, Fixed};

use self::file::CheckedFile;
use crate::cli::{DocumentsFrom, LimitArguments, LintArguments};
use crate::commands::convert;
use crate::files::{self, Source};
use crate::output::Output;
use crate::report::{FileReport, Format, Reporter, Summary, ToolPaths};
use crate::save;
use crate::status::Status;

/// Check documents: contracts, tools of any provider, agents, schemas, calls, results and values
///
/// Every mistake is reported at once, with its place and what to write instead. The kind of a
/// document is found by its fields; a list of documents is checked one by one. Below a directory,
/// files that are none of these are passed over. --fix changes a file only if there is no doubt what
/// it is.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    from: DocumentsFrom,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    format: Format,
    /// Apply the fixes that are certain, and leave the rest of the file as it is
    #[arg(long)]
    fix: bool,
    /// Treat these as errors, too
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    #[command(flatten)]
    lint: LintArguments,
    /// Say of each tool whether its calls and results are judged on the fast path, and if not, why
    ///
    /// On the fast path a text is judged in one pass while it is read. What uses a keyword that the
    /// path does not know is read into a tree first: as strict, and slower.
    #[arg(long, alias = "paths")]
    fast_path_report: bool,
    /// Say what would be lost in these dialects, separated by commas (see `convert --list`)
    ///
    /// The files may hold tools in any dialect. A tool that a dialect has no words for is an error,
    /// and what changes which calls are valid is a warning.
    #[arg(
        long, alias = "for", value_delimiter = ',', value_parser = convert::dialects(), value_name = "DIALECT",
        hide_possible_values = true, conflicts_with_all = ["fix", "fast_path_report", "lint"]
    )]
    targets: Vec<Dialect>,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact check weather.json                    One file
  toolpact check tools/ 'more/**/*.yaml'         A directory and a pattern
  toolpact check --fix tools/                    Fix what is certain
  toolpact check --from ListResult page.json     What a tool returned
  curl … | toolpact check --from call -          Standard input
  toolpact check --lint tools.json               What tools of others want from a model
  toolpact check --fast-path-report shop.yaml    What is fast to check, and what is not
  toolpact check --targets gemini,mcp shop.yaml  What would be lost where
  toolpact check --format sarif tools/           For code scanning";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Warnings are errors
    Warnings,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if !arguments.targets.is_empty() {
        let targets = targets::Targets {
            dialects: &arguments.targets,
            files: &arguments.files,
            from: arguments.from.from,
            format: arguments.format,
            deny_warnings: arguments.deny == Some(Deny::Warnings),
        };
        return targets::run(&targets, &arguments.limits.limits(), out);
    }
    let sources = files::find(&arguments.files);
    anyhow::ensure!(
        !arguments.fix || sources.list.iter().all(|source| source.path.is_some()),
        "cannot fix standard input: there is no file to write to"
    );
    anyhow::ensure!(
        !arguments.fast_path_report || matches!(arguments.format, Format::Human | Format::Json),
        "--fast-path-report goes with --format human and json only"
    );
    let mut check = Check {
        kind: arguments.from.from,
        fix: arguments.fix,
        lint: arguments.lint.lint.clone(),
        fast_path_report: arguments.fast_path_report,
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
    let nothing = check.summary.files == 0;
    Ok(status.max(Status::wrong_if(denied || nothing)))
}

struct Check {
    kind: Option<DocumentKind>,
    fix: bool,
    lint: Option<Selection>,
    fast_path_report: bool,
    limits: Limits,
    reporter: Box<dyn Reporter>,
    summary: Summary,
}

impl Check {
    fn source(&mut self, source: &Source, out: &mut Output) -> anyhow::Result<Status> {
        let bytes = source.read().inspect_err(|_| self.summary.unread += 1)?;
        let document = source.parse(&bytes, &self.limits);
        let found = self.look(document);
        if source.found && found.is_of_others() {
            self.summary.passed_over += 1;
            return Ok(Status::Fine);
        }
        let may_fix = self.fix && found.fixes() > 0;
        let Some(path) = source.path.as_deref().filter(|_| may_fix) else {
            return self.report(source, &found, out);
        };
        match self.fix(source, path, &found) {
            Ok(after) => {
                self.summary.fixed += after.applied;
                let document = source.parse(after.text.as_bytes(), &self.limits);
                self.report(source, &self.look(document), out)
            }
            // A file that could not be written is unchanged, and is reported as it is.
            Err(problem) => {
                self.report(source, &found, out)?;
                Err(problem)
            }
        }
    }

    fn look(&self, document: Document) -> CheckedFile {
        CheckedFile::check(document, self.kind, self.lint.as_ref())
    }

    /// Applies the fixes to the file.
    fn fix(&self, source: &Source, path: &Path, found: &CheckedFile) -> anyhow::Result<Fixed> {
        let fixed = fix::fix(found.document.text(), |text| {
            let document = source.parse(text.as_bytes(), &self.limits);
            AnyDocument::check_each(&document, self.kind).violations
        });
        anyhow::ensure!(
            fixed.is_done,
            "the fixes of {} undo each other, so none was applied; this is a mistake of toolpact",
            source.name()
        );
        save::replace(path, &fixed.text)?;
        Ok(fixed)
    }

    fn report(
        &mut self,
        source: &Source,
        file: &CheckedFile,
        out: &mut Output,
    ) -> anyhow::Result<Status> {
        let kinds: Vec<DocumentKind> = file.documents().map(AnyDocument::kind).collect();
        let paths = || file.documents().flat_map(ToolPaths::of).collect();
        let paths: Option<Vec<_>> = self.fast_path_report.then(paths);
        self.summary.add(file.violations(), file.fixes());
        let report = FileReport {
            name: &source.name(),
            text: file.document.text(),
            kinds: &kinds,
            violations: file.violations(),
            paths: paths.as_deref(),
        };
        self.reporter.file(&report, out)?;
        Ok(Status::wrong_if(file.violations().errors() > 0))
    }
}
