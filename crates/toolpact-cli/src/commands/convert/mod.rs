mod losses;
mod page;
mod sizes;

use std::io::Write;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, ExportedTool};

use crate::cli::{LimitArguments, ToolsFrom};
use crate::output::{BOLD, Output};
use crate::status::Status;
use crate::tools;

pub(crate) use losses::{is_serious, loss_json};

/// Convert tools from any provider's form to any other
///
/// Reads contracts, ADM, ADL agents, MCP tool lists, OpenAPI documents and the tools of OpenAI,
/// Anthropic and Gemini, found out by their shape, and writes them for another. What the target
/// cannot say is listed on standard error: where, what follows from it, and what was done instead.
/// A tool that cannot be read or written is named and left out; the others go through.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required_unless_present = "list", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Dialect to write
    #[arg(long, required_unless_present_any = ["list", "sizes"], value_parser = dialects(), value_name = "DIALECT", hide_possible_values = true)]
    to: Option<Dialect>,
    #[command(flatten)]
    from: ToolsFrom,
    /// Output format of the losses
    #[arg(long, alias = "loss", value_enum, value_name = "FORMAT", default_value_t = LossFormat::Text)]
    loss_format: LossFormat,
    /// Fail if something is lost that changes which calls are valid; with `=all`, if anything is lost
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "calls",
        hide_possible_values = true
    )]
    strict_loss: Option<StrictLoss>,
    /// Print how many bytes each tool takes in each dialect, instead of converting
    #[arg(long, conflicts_with_all = ["to", "loss_format", "strict_loss"])]
    sizes: bool,
    /// List the dialects
    #[arg(long, conflicts_with_all = ["files", "to", "from", "sizes"])]
    list: bool,
    /// With --list: the page docs/dialects.md
    #[arg(long, requires = "list", hide = true)]
    markdown: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact convert --list                               The dialects
  toolpact convert shop.yaml --to openai-strict         Contracts for OpenAI
  toolpact convert tools.json --to contract             Any tools as contracts
  toolpact convert shop.yaml --to gemini --strict-loss  Only if no calls change meaning
  toolpact convert shop.yaml --to mcp --strict-loss=all Only if nothing is lost
  toolpact convert shop.yaml --sizes                    What each tool costs where

Exit status:
  0  everything was converted
  1  a tool was left out, or --strict-loss found a loss
  2  it could not run: usage, an unreadable file";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LossFormat {
    /// For people: the losses of each tool
    Text,
    /// For programs: one JSON object
    Json,
}

/// Which losses are errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StrictLoss {
    /// Those that change which calls are valid, in a way that callers notice
    Calls,
    /// All, those of reading included
    All,
}

/// The dialects, as words of the command line.
pub(crate) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.iter().map(|dialect| dialect.as_str());
    PossibleValuesParser::new(names)
        .try_map(|name| Dialect::from_name(&name).ok_or("no such dialect"))
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.markdown {
        return page::print(out);
    }
    if arguments.list {
        return list(out);
    }
    let mut tools = tools::load_for(
        &arguments.files,
        arguments.from.from,
        &arguments.limits.limits(),
        // Programs read what was left out from the JSON, and nothing else may be before it.
        arguments.loss_format == LossFormat::Text,
    );
    if let Some(Dialect::OpenApi | Dialect::OpenApi3_0) = arguments.to {
        for tool in &mut tools.list {
            let lost = tool.lost_route();
            tool.losses.extend(lost);
        }
    }
    let contracts: Vec<&Contract> = tools.list.iter().map(|t| &t.contract).collect();
    let Some(dialect) = arguments.to else {
        sizes::print(&contracts, out)?;
        return Ok(tools.status);
    };
    let export = dialect.export(contracts.iter().copied());
    if !tools.list.is_empty() {
        writeln!(out, "{}", export.document().to_pretty())?;
    }
    losses::tell(arguments.loss_format, &tools, &export)?;
    let mut written = export.tools().iter().flat_map(ExportedTool::losses);
    let mut read = tools.list.iter().flat_map(|tool| &tool.losses);
    let lost = match arguments.strict_loss {
        None => false,
        Some(StrictLoss::Calls) => written.any(is_serious),
        Some(StrictLoss::All) => written.next().or_else(|| read.next()).is_some(),
    };
    let wrong = Status::wrong_if(lost || !export.left_out().is_empty());
    Ok(tools.status.max(wrong))
}

fn list(out: &mut Output) -> anyhow::Result<Status> {
    let widest = Dialect::ALL
        .iter()
        .map(|dialect| dialect.as_str().len())
        .max()
        .unwrap_or(0);
    for dialect in Dialect::ALL {
        let (name, about) = (dialect.as_str(), dialect.about());
        writeln!(out, "{BOLD}{name:widest$}{BOLD:#}  {about}")?;
    }
    Ok(Status::Fine)
}
