use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use toolpact_core::contract::Contract;
use toolpact_core::document::AnyDocument;
use toolpact_core::reference::{Reference, html, markdown};

use crate::cli::LimitArguments;
use crate::files::{self, Source};
use crate::output::{Output, complain, count, printable};
use crate::report::{FileReport, Human, Reporter};
use crate::status::Status;

/// Make a reference that people read: types, examples, errors, a call to copy
///
/// Takes contract documents, ADM tools and ADL agents. Each tool has a page, and there is an index.
/// Without --out, everything is one document on standard output. What is wrong with a document is
/// said on standard error, and the others still have their pages.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Write to this directory, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What the reference is called
    #[arg(long, default_value = "Tools")]
    title: String,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// index.md, and a file for each tool
    Markdown,
    /// index.html: one file that needs no other
    Html,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact docs shop.yaml                             Read it in the terminal
  toolpact docs tools/ --out docs/tools               index.md and a page for each tool
  toolpact docs tools/ --format html --out site       site/index.html
  toolpact docs shop.yaml --format html > shop.html   The same, wherever it is to be

Files of other names in the directory are left alone.";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let mut reference = Reference::new(&arguments.title);
    let status = files::find(&arguments.files).for_each(|source| {
        let (contracts, status) = load(source, arguments)?;
        for contract in &contracts {
            reference.add(contract, Some(&source.name()));
        }
        Ok(status)
    });
    if reference.pages().is_empty() {
        // Unless that has been said of each file.
        if status == Status::Fine {
            complain(&anyhow::anyhow!("there are no tools in what was given"));
        }
        return Ok(status.max(Status::Wrong));
    }
    match &arguments.out {
        None => write!(out, "{}", whole(&reference, arguments.format))?,
        Some(directory) => write_files(directory, &reference, arguments.format)?,
    }
    Ok(status)
}

/// The contracts in a file. What is wrong with it has then been said.
fn load(source: &Source, arguments: &Arguments) -> anyhow::Result<(Vec<Contract>, Status)> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, &arguments.limits.limits());
    if source.found && files::is_something_else(&document) {
        return Ok((Vec::new(), Status::Fine));
    }
    let name = source.name();
    let checked = AnyDocument::check_each(&document, None);
    let Some(documents) = checked.value else {
        let report = FileReport {
            name: &name,
            text: document.text(),
            kinds: &[],
            violations: &checked.violations,
            paths: None,
        };
        // What is on standard output is the reference and nothing else.
        Human.file(&report, &mut Output::stderr())?;
        return Ok((Vec::new(), Status::Wrong));
    };
    let (mut contracts, mut status) = (Vec::new(), Status::Fine);
    for document in &documents {
        status = status.max(contracts_of(document, &name, &mut contracts));
    }
    if contracts.is_empty() && status == Status::Fine && !source.found {
        complain(&anyhow::anyhow!("{name}: there are no tools in it"));
        status = Status::Wrong;
    }
    Ok((contracts, status))
}

fn contracts_of(document: &AnyDocument, file: &str, contracts: &mut Vec<Contract>) -> Status {
    let mut status = Status::Fine;
    match document {
        AnyDocument::Contract(document) => contracts.extend(document.tools().cloned()),
        AnyDocument::Tool(tool) => {
            contracts.extend(tool.declarations().cloned().map(Contract::from));
        }
        AnyDocument::Declaration(declaration) => contracts.push(declaration.clone().into()),
        AnyDocument::Agent(agent) => {
            for tool in agent.tools() {
                match Contract::try_from(tool) {
                    Ok(contract) => contracts.push(contract),
                    Err(violations) => {
                        let why = violations.iter().next().map(|v| v.message().to_owned());
                        let why = why.unwrap_or_default();
                        complain(&anyhow::anyhow!("{file}: a tool has no page: {why}"));
                        status = Status::Wrong;
                    }
                }
            }
        }
        _ => {}
    }
    status
}

fn whole(reference: &Reference, format: Format) -> String {
    match format {
        Format::Markdown => markdown::whole(reference),
        Format::Html => html::whole(reference),
    }
}

fn write_files(directory: &Path, reference: &Reference, format: Format) -> anyhow::Result<()> {
    let files = match format {
        Format::Markdown => markdown::files(reference),
        Format::Html => vec![("index.html".to_owned(), html::whole(reference))],
    };
    let cannot_make = || format!("cannot make the directory {}", directory.display());
    fs::create_dir_all(directory).with_context(cannot_make)?;
    for (name, text) in &files {
        let path = directory.join(name);
        let cannot_write = || format!("cannot write {}", path.display());
        fs::write(&path, text).with_context(cannot_write)?;
    }
    let index = directory.join(files.first().map_or("", |(name, _)| name));
    let pages = match files.len() {
        0 | 1 => String::new(),
        number => format!(" and {}", count(number - 1, "page")),
    };
    let index = printable(&index.display().to_string());
    writeln!(Output::stderr(), "wrote {index}{pages}")?;
    Ok(())
}
