use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::ImportedTool;
use toolpact_core::stubs::{Stubs, python, typescript};

use crate::cli::{LimitArguments, ToolsFrom};
use crate::output::{Output, printable};
use crate::status::Status;
use crate::tools;

/// Declare tools for code that calls them: types, signatures, docstrings
///
/// Takes tools in any dialect (see `convert --list`). Each becomes a function, and what it takes
/// and returns become types. What is wrong with a document is said on standard error, and the
/// others are still declared.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(required = true, value_name = "SOURCE")]
    files: Vec<PathBuf>,
    /// The language of the declarations
    #[arg(long, value_enum)]
    lang: Language,
    /// Declare only this tool; can be given several times
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    #[command(flatten)]
    from: ToolsFrom,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A .pyi file
    Python,
    /// A .d.ts file
    #[value(alias = "ts")]
    Typescript,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact stubs --lang python shop.yaml > tools.pyi       All tools of a file
  toolpact stubs --lang typescript tools/ > tools.d.ts     All below a directory
  toolpact stubs --lang python --tool get_order shop.yaml  One of them

Exit status:
  0  everything was declared
  1  a tool was left out
  2  it could not run: usage, an unreadable file, no tool of a name";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let tools = tools::load(
        &arguments.files,
        arguments.from.from,
        &arguments.limits.limits(),
    );
    let contracts = tools.list.iter().map(|tool| &tool.contract);
    let stubs = declare(arguments.lang, contracts);
    let mut wanted = HashSet::new();
    for name in &arguments.tool {
        wanted.insert(find_tool(name, &tools.list, &stubs)?);
    }
    if stubs.tools().is_empty() {
        return Ok(tools.status);
    }
    let text = stubs.text_of(|tool| wanted.is_empty() || wanted.contains(tool.name().as_str()));
    write!(out, "{text}")?;
    Ok(tools.status)
}

fn declare<'c>(language: Language, contracts: impl Iterator<Item = &'c Contract>) -> Stubs {
    match language {
        Language::Python => python::preamble(contracts),
        Language::Typescript => typescript::preamble(contracts),
    }
}

/// The tool that has this name in its own dialect or in its contract.
fn find_tool<'t>(name: &str, tools: &'t [ImportedTool], stubs: &Stubs) -> anyhow::Result<&'t str> {
    let is_called = |tool: &&ImportedTool| *tool.name == *name;
    let by_contract = |tool: &&ImportedTool| tool.contract.name().as_str() == name;
    let found = tools.iter().find(is_called);
    if let Some(tool) = found.or_else(|| tools.iter().find(by_contract)) {
        return Ok(tool.contract.name().as_str());
    }
    let shown = printable(name);
    match stubs.nearest(name) {
        Some(near) => bail!("there is no tool `{shown}` in what was given; did you mean `{near}`?"),
        None => bail!("there is no tool `{shown}` in what was given"),
    }
}
