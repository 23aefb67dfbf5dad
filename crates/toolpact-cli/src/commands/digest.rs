use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::model::Digest;

use crate::cli::{self, LimitArguments};
use crate::files::{self, Source};
use crate::output::Output;
use crate::report::{FileReport, Human, Reporter};
use crate::status::Status;

/// Print the digest of documents: SHA-256 of their canonical form
///
/// Two spellings of one document have one digest: the order of fields and of `required`, white
/// space, escapes and the spelling of numbers make no difference. In a contract document each
/// contract has a digest of its own, over everything but `run`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the canonical form itself
    #[arg(long)]
    canonical: bool,
    /// What the documents are, instead of finding out; the name of a return type for values of it
    #[arg(long = "as", value_parser = cli::kinds_and_types(), value_name = "KIND", hide_possible_values = false)]
    kind: Option<DocumentKind>,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact digest weather.json               Digest and file, as sha256sum prints them
  toolpact digest shop.yaml                  One line for each contract: digest and file#tool
  toolpact digest --canonical weather.json   What the digest is made from";

#[expect(clippy::unnecessary_wraps, reason = "all commands are run alike")]
pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    Ok(files::find(&arguments.files).for_each(|source| one(arguments, source, out)))
}

fn one(arguments: &Arguments, source: &Source, out: &mut Output) -> anyhow::Result<Status> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, &arguments.limits.limits());
    let kind = arguments.kind;
    if source.found && kind.is_none() && files::is_something_else(&document) {
        return Ok(Status::Fine);
    }
    let checked = AnyDocument::check(&document, kind);
    let Some(value) = checked.value else {
        let name = source.name();
        let violations = &checked.violations;
        let report = FileReport {
            name: &name,
            text: document.text(),
            kinds: &[],
            violations,
            paths: None,
        };
        // What is on standard output is digests and nothing else.
        Human.file(&report, &mut Output::stderr())?;
        return Ok(Status::Wrong);
    };
    for (name, canonical, digest) in parts(&value, &source.name()) {
        if arguments.canonical {
            writeln!(out, "{canonical}")?;
        } else {
            writeln!(out, "{digest}  {name}")?;
        }
    }
    Ok(Status::Fine)
}

/// What has a digest of its own: each contract of a contract document, or the whole of any other.
fn parts(value: &AnyDocument, file: &str) -> Vec<(String, String, Digest)> {
    match value {
        AnyDocument::Contract(document) => document
            .tools()
            .map(|contract| {
                let name = format!("{file}#{}", contract.name());
                (name, contract.to_canonical(), contract.digest())
            })
            .collect(),
        other => vec![(file.to_owned(), other.to_canonical(), other.digest())],
    }
}
