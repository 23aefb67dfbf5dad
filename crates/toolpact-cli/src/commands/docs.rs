use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use toolpact_docs::{Docs, html, markdown};

use crate::cli::{LimitArguments, ToolsFrom};
use crate::files;
use crate::output::{Output, complain, count, printable};
use crate::status::Status;
use crate::tools;

/// Make a reference that people read: types, examples, errors, a call to copy
///
/// Takes tools in any dialect (see `convert --list`). Each tool has a page, and there is an index.
/// Without --out, everything is one document on standard output. What is wrong with a document is
/// said on standard error, and the others still have their pages.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Write to this directory, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Title of the reference
    #[arg(long, default_value = "Tools")]
    title: String,
    #[command(flatten)]
    from: ToolsFrom,
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
    let mut docs = Docs::new(&arguments.title);
    let limits = arguments.limits.limits();
    let mut left_out = Vec::new();
    let status = files::find(&arguments.files).for_each(|source| {
        let (tools, status) =
            tools::read(source, arguments.from.from, &limits, true, &mut left_out)?;
        for tool in &tools {
            docs.add(&tool.contract, Some(&source.name()));
        }
        Ok(status)
    });
    let status = status.max(Status::wrong_if(!left_out.is_empty()));
    if docs.pages().is_empty() {
        // Unless problems with the files were already reported.
        if status == Status::Fine {
            complain(&anyhow::anyhow!("there are no tools in what was given"));
        }
        return Ok(status.max(Status::Wrong));
    }
    match &arguments.out {
        None => out.write_foreign(&whole(&docs, arguments.format)),
        Some(directory) => write_files(directory, &docs, arguments.format)?,
    }
    Ok(status)
}

fn whole(docs: &Docs, format: Format) -> String {
    match format {
        Format::Markdown => markdown::whole(docs),
        Format::Html => html::whole(docs),
    }
}

fn write_files(directory: &Path, docs: &Docs, format: Format) -> anyhow::Result<()> {
    let files = match format {
        Format::Markdown => markdown::files(docs),
        Format::Html => vec![("index.html".to_owned(), html::whole(docs))],
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
