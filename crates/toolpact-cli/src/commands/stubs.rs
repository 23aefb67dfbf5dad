use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use toolpact_core::contract::Contract;
use toolpact_core::stubs::{Stubs, python, typescript};

use crate::backend::{Backend, ServerArguments, Target};
use crate::cli::{LimitArguments, ToolsFrom};
use crate::output::{Output, printable};
use crate::status::Status;
use crate::tools;

/// Declare tools for code that calls them: types, signatures, docstrings
///
/// Takes tools in any dialect (see `convert --list`), or those of a server. Each becomes a function,
/// and what it takes and returns become types. What is wrong with a document is said on standard error,
/// and the others are still declared. Without files and flags, it is the `toolpact.yaml` of the working
/// directory, and where there is none, a server on this machine.
///
/// The declarations are for models that write scripts for `toolpact run`, and for type checkers. With
/// --client, the functions can be called by any Python program.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files, directories or patterns; `-` for standard input
    #[arg(value_name = "SOURCE", conflicts_with_all = ["server", "command", "auth_token_env", "config"])]
    files: Vec<PathBuf>,
    /// The language of the declarations
    #[arg(long, value_enum)]
    lang: Language,
    /// Write a Python module that calls the tools at a toolpact server: that of --server, or at
    /// http://127.0.0.1:7878. It needs Python 3.9 and no packages
    #[arg(long, conflicts_with = "command")]
    client: bool,
    /// Declare only this tool; can be given several times
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    #[command(flatten)]
    servers: ServerArguments,
    #[command(flatten)]
    from: ToolsFrom,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A .pyi file
    #[value(alias = "py")]
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
  toolpact stubs --lang python --server 127.0.0.1:7878     The tools of a server, also of MCP
  toolpact stubs --lang python --client > tools.py         Functions that call them: import tools

Exit status:
  0  everything was declared
  1  a tool was left out
  2  it could not run: usage, an unreadable file, no tool of a name, no server";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.client && arguments.lang != Language::Python {
        bail!("expected --lang python with --client: there is no client in another language");
    }
    let tools = match arguments.files.is_empty() {
        true => arguments.of_server()?,
        false => arguments.of_files(),
    };
    let stubs = arguments.declare(tools.named.iter().map(|(_, contract)| contract));
    let mut wanted = HashSet::new();
    for name in &arguments.tool {
        wanted.insert(find_tool(name, &tools.named, &stubs)?);
    }
    if stubs.tools().is_empty() {
        return Ok(tools.status);
    }
    let text = stubs.text_of(|tool| wanted.is_empty() || wanted.contains(tool.name().as_str()));
    out.write_foreign(&text);
    Ok(tools.status)
}

/// What there is to declare.
struct Found {
    /// With the names in their own dialects.
    named: Vec<(Box<str>, Contract)>,
    status: Status,
}

impl Arguments {
    fn of_files(&self) -> Found {
        let tools = tools::load(&self.files, self.from.from, &self.limits.limits());
        let named = tools.list.into_iter();
        Found {
            named: named.map(|tool| (tool.name, tool.contract)).collect(),
            status: tools.status,
        }
    }

    /// The tools under the names that the server, or a server of the config, gives them.
    fn of_server(&self) -> anyhow::Result<Found> {
        let target = self.servers.open_here()?;
        let is_config = matches!(target, Target::Config { .. });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (backend, contracts) = runtime.block_on(async {
            let backend = target.connect().await?;
            let contracts = backend.contracts().await?;
            anyhow::Ok((backend, contracts))
        })?;
        if self.client && !is_config && matches!(backend, Backend::Local(_)) {
            bail!(
                "expected a toolpact server for --client, found an MCP server; serve its tools with \
                 `toolpact serve`"
            );
        }
        let named = contracts.into_iter();
        let named = named.map(|contract| (contract.name().as_str().into(), contract));
        Ok(Found {
            named: named.collect(),
            status: backend.status(),
        })
    }

    fn declare<'c>(&self, contracts: impl Iterator<Item = &'c Contract>) -> Stubs {
        match self.lang {
            Language::Python if self.client => python::client(contracts, &self.servers.address()),
            Language::Python => python::preamble(contracts),
            Language::Typescript => typescript::preamble(contracts),
        }
    }
}

/// The tool that has this name in its own dialect or in its contract.
fn find_tool<'t>(
    name: &str,
    tools: &'t [(Box<str>, Contract)],
    stubs: &Stubs,
) -> anyhow::Result<&'t str> {
    let found = tools.iter().find(|(own, _)| **own == *name);
    let by_contract = || tools.iter().find(|(_, one)| one.is_called(name));
    if let Some((_, contract)) = found.or_else(by_contract) {
        return Ok(contract.name().as_str());
    }
    let shown = printable(name);
    match stubs.nearest(name) {
        Some(near) => bail!("there is no tool `{shown}` in what was given; did you mean `{near}`?"),
        None => bail!("there is no tool `{shown}` in what was given"),
    }
}
