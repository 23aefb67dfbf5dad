mod detail;

use std::io::Write;

use anyhow::bail;
use clap::Args;
use toolpact_core::contract::Contract;
use toolpact_core::returns::Returns;
use toolpact_core::stubs::python;

use crate::backend::BackendArguments;
use crate::output::{Output, printable};
use crate::status::Status;
use crate::table::table;

/// List the tools of a server or of files, with what they return
///
/// With a name, describes that tool: its parameters, what it returns, its effects, and where it
/// comes from.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Tool to describe
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print contracts as JSON: a document of all, or that of the tool
    #[arg(long)]
    json: bool,
    /// Print the digest of each contract, as `toolpact digest` prints that of the file it is from
    #[arg(long, conflicts_with_all = ["json", "name"])]
    digests: bool,
    #[command(flatten)]
    backend: BackendArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact tools                                    Of the server on this machine
  toolpact tools search_orders                      One of them, with its parameters
  toolpact tools --json                             Their contracts, for scripts
  toolpact tools --digests                          What `toolpact digest` says of their files
  toolpact tools --server http://tools.local:7878   Of another, or of any MCP server
  toolpact tools --command 'python3 server.py'      Of a program that is an MCP server
  toolpact tools --config toolpact.yaml             Of a config, without its server
  toolpact tools --tools shop.yaml                  Of a file";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let target = arguments.backend.open()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    if arguments.digests {
        let (backend, digests) = runtime.block_on(async {
            let backend = target.connect().await?;
            let digests = backend.digests().await?;
            anyhow::Ok((backend, digests))
        })?;
        for (name, digest) in digests {
            writeln!(out, "{}  {}", printable(&digest), printable(&name))?;
        }
        return Ok(backend.status());
    }
    let (backend, contracts) = runtime.block_on(async {
        let backend = target.connect().await?;
        let contracts = backend.contracts().await?;
        anyhow::Ok((backend, contracts))
    })?;
    match &arguments.name {
        Some(name) => {
            let contract = named(&contracts, name)?;
            match arguments.json {
                true => json(&contract.to_canonical(), out)?,
                false => detail::write(contract, &backend.origin(name), out)?,
            }
        }
        None if arguments.json => {
            let tools: Vec<String> = contracts.iter().map(Contract::to_canonical).collect();
            json(
                &format!(r#"{{"toolpact":1,"tools":[{}]}}"#, tools.join(",")),
                out,
            )?;
        }
        None => list(&contracts, out)?,
    }
    Ok(backend.status())
}

/// Writes text from outside; programs get it unchanged.
fn json(text: &str, out: &mut Output) -> anyhow::Result<()> {
    out.write_foreign(text);
    writeln!(out)?;
    Ok(())
}

fn named<'c>(contracts: &'c [Contract], name: &str) -> anyhow::Result<&'c Contract> {
    let mut named = contracts.iter().filter(|one| one.is_called(name));
    if let Some(contract) = named.next() {
        return Ok(contract);
    }
    match python::preamble(contracts).nearest(name) {
        Some(meant) => bail!("there is no tool `{name}`; did you mean `{meant}`?"),
        None => bail!("there is no tool `{name}`; `toolpact tools` lists those there are"),
    }
}

fn list(contracts: &[Contract], out: &mut Output) -> anyhow::Result<()> {
    let rows: Vec<[String; 3]> = contracts.iter().map(row).collect();
    table(["TOOL", "RETURNS", "DESCRIPTION"], &rows, out)
}

fn row(contract: &Contract) -> [String; 3] {
    [
        printable(contract.name().as_str()),
        word(contract.returns()).to_owned(),
        printable(&sentence(contract.description())),
    ]
}

/// The first sentence, which says what the tool is for.
fn sentence(description: &str) -> String {
    let words = description.split_whitespace();
    let mut sentence = String::new();
    for word in words {
        sentence.push_str(word);
        if word.ends_with('.') {
            break;
        }
        sentence.push(' ');
    }
    sentence.trim_end().to_owned()
}

fn word(returns: &Returns) -> &'static str {
    match returns {
        Returns::Standard { standard, .. } => standard.name(),
        Returns::Custom(_) => "Custom",
        Returns::Opaque => "Opaque",
        Returns::Legacy { .. } | Returns::Undeclared => "-",
    }
}
