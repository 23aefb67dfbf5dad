//! From a source to the tools it has.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use toolpact::Definition;
use toolpact::code::Sandbox;
use toolpact::core::contract::Contract;
use toolpact::mock::Mock;
use toolpact_upstream::{Excess, Upstream};

use super::grid::{self, OpenHost};
use super::known_names::KnownNames;
use super::lock::LockKeeper;
use super::programs::missing;
use super::{files, mcp, mock, shop};
use crate::config::{Config, Limits, McpSource, Source};
use crate::memory::Memory;

/// What a source has.
#[derive(Default)]
pub(super) struct Built {
    pub(super) definitions: Vec<Definition>,
    /// The tools that cannot be used, and why.
    pub(super) left_out: Vec<String>,
    /// What a server lists beyond the limits.
    pub(super) excess: Option<Excess>,
    /// The programs that are started for calls, with the tools that they are for.
    pub(super) programs: Vec<(String, String)>,
    /// The server behind them, if there is one.
    pub(super) upstream: Option<Upstream>,
    /// The host of a grid.
    pub(super) host: Option<OpenHost>,
}

/// Why a source does not start.
pub(super) struct NotBuilt {
    /// For clients, so without names of programs, files and servers.
    pub(super) public_reason: &'static str,
    /// For operators.
    pub(super) reason: String,
}

impl NotBuilt {
    pub(super) fn new(public_reason: &'static str, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self {
            public_reason,
            reason,
        }
    }
}

/// Starts a source, or says why it does not start. For a mock nothing is started.
pub(super) async fn build(
    source: &Source,
    data: &Path,
    limits: &Limits,
    memory: &Memory,
    mock: Option<&Mock>,
) -> Result<Built, NotBuilt> {
    if let Some(mock) = mock {
        return mock::build(source, mock).await;
    }
    match source {
        Source::Shop(shop) => {
            let built = shop::build(shop, data).await;
            built.map_err(|why| NotBuilt::new("the shop does not open", why))
        }
        Source::Files(files) => {
            let (files, memory) = (files.clone(), memory.clone());
            let built = toolpact::background::spawn(move || files::build(&files, &memory)).await;
            built.unwrap_or_else(|error| {
                Err(NotBuilt::new("the files cannot be read", error.to_string()))
            })
        }
        Source::Mcp(mcp) => Box::pin(mcp::build(mcp, limits, memory)).await,
        Source::Grid(grid) => Box::pin(grid::build(grid)).await,
    }
}

/// Looks at what a config names: keys and certificates, the files, their tools, and the programs. Nothing is started, but
/// other MCP servers with `contracts` are asked for their tools. Returns what is wrong.
pub async fn check(config: &Config) -> Vec<String> {
    let (mut wrong, memory) = (crate::identity::check(config), Memory::new(&config.limits));
    if let Some(code) = &config.code
        && let Err(error) = Sandbox::find()
    {
        wrong.push(format!("the tool `{}`: {error}", code.name));
    }
    if let Err(error) = LockKeeper::reading(config) {
        wrong.extend(error.to_string().lines().map(str::to_owned));
    }
    let mut known = KnownNames::default();
    if let Some(code) = &config.code {
        known.add(code.name.clone());
        known.add(code.declarations_name());
    }
    // Those of sources without a name, which are not told apart by it.
    let mut names = HashSet::new();
    for source in &config.sources {
        if config.mock.is_some() {
            match mock::contracts(source) {
                Ok((contracts, left_out)) => {
                    known.add_contracts(source, &contracts);
                    wrong.extend(left_out);
                }
                Err(error) => {
                    known.add_unasked(source);
                    wrong.push(error.reason);
                }
            }
            continue;
        }
        match source {
            Source::Shop(_) => known.add_unasked(source),
            Source::Files(files) => match files::build(files, &memory) {
                Ok(built) => {
                    known.add_tools(source, &built.definitions);
                    wrong.extend(built.left_out);
                    let unnamed = built.definitions.iter().filter(|_| files.name.is_none());
                    let tools = unnamed.map(|tool| tool.contract().name().to_string());
                    for taken in tools.filter(|name| !names.insert(name.clone())) {
                        wrong.push(format!(
                            "the tool `{taken}` is in two sources, of which one is served; give a source \
                             a `name`, which becomes a part of the names of its tools"
                        ));
                    }
                    wrong.extend(built.programs.iter().filter_map(|(tool, program)| {
                        missing(program).map(|why| format!("the tool `{tool}`: {why}"))
                    }));
                }
                Err(error) => {
                    known.add_unasked(source);
                    wrong.push(error.reason);
                }
            },
            Source::Grid(config) => {
                let (contracts, mistakes) = grid::check(config);
                wrong.extend(mistakes);
                match contracts.is_empty() {
                    true => known.add_unasked(source),
                    false => known.add_contracts(source, &contracts),
                }
            }
            Source::Mcp(mcp) => {
                match check_server(mcp, &config.limits, &memory, &mut wrong).await {
                    Some(tools) => known.add_tools(source, &tools),
                    None => known.add_unasked(source),
                }
            }
        }
    }
    wrong.extend(known.findings(&config.calls));
    wrong.extend(config.mock.iter().flat_map(|mock| known.of_mock(mock)));
    wrong.extend(crate::policy::check(config));
    wrong
}

/// The contracts of a source, if they can be told without starting anything.
pub(crate) fn contracts_of(source: &Source, memory: &Memory) -> Option<Vec<Arc<Contract>>> {
    let files = match source {
        Source::Files(files) => files,
        Source::Grid(config) if !config.tools.is_empty() => {
            let (contracts, _) = grid::check(config);
            return Some(contracts.into_iter().map(Arc::new).collect());
        }
        _ => return None,
    };
    let built = files::build(files, memory).ok()?;
    let contracts = built.definitions.iter().map(Definition::contract);
    Some(
        contracts
            .map(|contract| Arc::new(contract.clone()))
            .collect(),
    )
}

/// Only the server itself can tell whether it has the tools that there are contracts for. Returns its tools, if
/// it was asked.
async fn check_server(
    config: &McpSource,
    limits: &Limits,
    memory: &Memory,
    wrong: &mut Vec<String>,
) -> Option<Vec<Definition>> {
    if let Some(why) = mcp::program(config).and_then(missing) {
        wrong.push(match &config.name {
            Some(name) => format!("the source `{name}`: {why}"),
            None => why,
        });
    } else if !config.contracts.is_empty() {
        match mcp::build(config, limits, memory).await {
            Ok(built) => {
                wrong.extend(built.left_out);
                if let Some(upstream) = built.upstream {
                    upstream.close().await;
                }
                return Some(built.definitions);
            }
            Err(error) => wrong.push(error.reason),
        }
    }
    None
}
