use std::io::Write;

use clap::Args;
use toolpact_core::document::DocumentKind;

use crate::cli;
use crate::output::Output;
use crate::status::Status;

/// Print the JSON Schema (2020-12) of a kind of document
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The kind of document
    #[arg(value_parser = cli::kinds())]
    kind: DocumentKind,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact schema tool > tool.schema.json           For editors and other languages
  toolpact schema contract > contract.schema.json";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    write!(out, "{}", arguments.kind.json_schema().unwrap_or_default())?;
    Ok(Status::Fine)
}
