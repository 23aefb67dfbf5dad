//! From a source to the tools it has.

use std::collections::HashSet;
use std::path::Path;

use toolpact::Definition;
use toolpact::code::Sandbox;
use toolpact_upstream::Upstream;

use super::programs::missing;
use super::{files, mcp, shop};
use crate::config::{Config, McpSource, Source};

/// What a source has.
#[derive(Default)]
pub(super) struct Built {
    pub(super) definitions: Vec<Definition>,
    /// The tools that cannot be used, and why.
    pub(super) left_out: Vec<String>,
    /// The programs that are started for calls, with the tools that they are for.
    pub(super) programs: Vec<(String, String)>,
    /// The server behind them, if there is one.
    pub(super) upstream: Option<Upstream>,
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

/// Starts a source, or says why it does not start.
pub(super) async fn build(source: &Source, data: &Path) -> Result<Built, NotBuilt> {
    match source {
        Source::Shop(shop) => {
            let built = shop::build(shop, data).await;
            built.map_err(|why| NotBuilt::new("the shop does not open", why))
        }
        Source::Files(files) => files::build(files),
        Source::Mcp(mcp) => mcp::build(mcp).await,
    }
}

/// Looks at what a config names: the files, their tools, and the programs. Nothing is started, but
/// other MCP servers with `contracts` are asked for their tools. Returns what is wrong.
pub async fn check(config: &Config) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(code) = &config.code
        && let Err(error) = Sandbox::find()
    {
        wrong.push(format!("the tool `{}`: {error}", code.name));
    }
    // Those of sources without a name, which are not told apart by it.
    let mut names = HashSet::new();
    for source in &config.sources {
        match source {
            Source::Shop(_) => {}
            Source::Files(files) => match files::build(files) {
                Ok(built) => {
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
                Err(error) => wrong.push(error.reason),
            },
            Source::Mcp(mcp) => check_server(mcp, &mut wrong).await,
        }
    }
    wrong
}

/// Only the server itself can tell whether it has the tools that there are contracts for.
async fn check_server(config: &McpSource, wrong: &mut Vec<String>) {
    if let Some(why) = mcp::program(config).and_then(missing) {
        wrong.push(match &config.name {
            Some(name) => format!("the source `{name}`: {why}"),
            None => why,
        });
    } else if !config.contracts.is_empty() {
        match mcp::build(config).await {
            Ok(built) => {
                wrong.extend(built.left_out);
                if let Some(upstream) = built.upstream {
                    upstream.close().await;
                }
            }
            Err(error) => wrong.push(error.reason),
        }
    }
}
