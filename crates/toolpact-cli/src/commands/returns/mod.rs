//! The standard return types.

mod guide;
mod show;
mod suggest;

use std::io::Write;

use clap::{Args, Subcommand};
use toolpact_core::returns::{Category, StandardType};

use crate::output::{BOLD, Output};
use crate::status::Status;

pub(crate) use show::parse_name;

/// The standard return types: list, show, suggest, bundle
///
/// Without a subcommand, lists them.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact returns                                        The fourteen types
  toolpact returns show ListResult                        Schema, examples, rules of one
  toolpact returns suggest --use-case \"search products\"   Which one fits, and why
  toolpact returns suggest --guide                        Find it by a few questions
  toolpact returns bundle > returns.schema.json           All schemas in one document";

#[derive(Debug, Subcommand)]
enum Command {
    Show(show::Arguments),
    #[command(alias = "pick")]
    Suggest(suggest::Arguments),
    /// Print one JSON Schema document in which every reference resolves
    Bundle,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    match &arguments.command {
        None => table(out),
        Some(Command::Show(arguments)) => show::run(arguments, out),
        Some(Command::Suggest(arguments)) => suggest::run(arguments, out),
        Some(Command::Bundle) => {
            writeln!(out, "{}", toolpact_core::returns::bundle())?;
            Ok(Status::Fine)
        }
    }
}

fn table(out: &mut Output) -> anyhow::Result<Status> {
    for category in Category::ALL {
        writeln!(out, "{BOLD}{category}{BOLD:#}")?;
        for standard in StandardType::all().filter(|standard| standard.category() == category) {
            writeln!(out, "  {:16} {}", standard.name(), standard.purpose())?;
        }
    }
    writeln!(out, "{BOLD}Anything else{BOLD:#}")?;
    writeln!(
        out,
        "  {:16} A JSON Schema of your own, enforced like the others",
        "Custom"
    )?;
    writeln!(
        out,
        "\n`toolpact returns show NAME` shows one of the standard types."
    )?;
    Ok(Status::Fine)
}
