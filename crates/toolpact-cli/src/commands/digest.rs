use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use toolpact_core::contract::Contract;
use toolpact_core::document::AnyDocument;
use toolpact_core::model::Digest;

use crate::cli::{DocumentsFrom, LimitArguments};
use crate::files::{self, Source};
use crate::output::{Output, complain, printable};
use crate::report;
use crate::status::Status;

/// Print the digest of documents: SHA-256 of their canonical form
///
/// Two spellings of one document have one digest: the order of fields and of `required`, white
/// space, escapes and the spelling of numbers make no difference. In a contract document and in a list
/// of tools, each tool has a digest of its own: that of its contract, over everything but `run`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the canonical form itself
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    from: DocumentsFrom,
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
    let mut any = false;
    let status =
        files::find(&arguments.files).for_each(|source| one(arguments, source, &mut any, out));
    if !any && status == Status::Fine {
        complain(&anyhow::anyhow!("there are no documents in what was given"));
        return Ok(Status::Wrong);
    }
    Ok(status)
}

fn one(
    arguments: &Arguments,
    source: &Source,
    any: &mut bool,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, &arguments.limits.limits());
    let kind = arguments.from.from;
    if source.found && kind.is_none() && files::is_none_of_ours(&document) {
        return Ok(Status::Fine);
    }
    let checked = AnyDocument::check_each(&document, kind);
    let name = source.name();
    let Some(values) = checked.value else {
        // Standard output contains only digests.
        report::explain(&name, &document, &checked.violations, &mut Output::stderr())?;
        return Ok(Status::Wrong);
    };
    for (number, value) in values.iter().enumerate() {
        let name = match values.len() {
            1 => name.clone(),
            _ => format!("{name}#{number}"),
        };
        for (name, canonical, digest) in parts(value, &name) {
            *any = true;
            if arguments.canonical {
                out.write_foreign(&canonical);
                writeln!(out)?;
            } else {
                writeln!(out, "{digest}  {}", printable(&name))?;
            }
        }
    }
    Ok(Status::Fine)
}

/// The parts with a digest of their own: each tool of a contract document or of a list of tools, or
/// the whole of any other document.
fn parts(value: &AnyDocument, file: &str) -> Vec<(String, String, Digest)> {
    let of_contract = |contract: &Contract| {
        let name = format!("{file}#{}", contract.name());
        (name, contract.to_canonical(), contract.digest())
    };
    match value {
        AnyDocument::Contract(document) => document.tools().map(of_contract).collect(),
        AnyDocument::Lock(lock) => {
            let sources = lock.sources();
            let tools = sources.flat_map(|(label, source)| {
                let tools = source.tools();
                tools.map(move |tool| (label, tool.contract()))
            });
            let named = tools.map(|(label, contract)| {
                let (_, canonical, digest) = of_contract(contract);
                let name = format!("{file}#{label}/{}", contract.name());
                (name, canonical, digest)
            });
            named.collect()
        }
        AnyDocument::Tools(document) => document.contracts().map(of_contract).collect(),
        other => vec![(file.to_owned(), other.to_canonical(), other.digest())],
    }
}
