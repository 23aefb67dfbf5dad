//! What the tools of all sources try to do to a model, for `serve --check`.

use std::path::PathBuf;

use toolpact::Definition;
use toolpact::core::contract::Contract;
use toolpact::core::lint::{self, Selection};

use super::build::{Built, check};
use super::files;
use super::mcp;
use super::programs::missing;
use crate::config::{Config, McpSource, Source};
use crate::memory::Memory;

/// What `serve --check` finds.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// What is wrong.
    pub wrong: Vec<String>,
    /// What somebody should look at.
    pub warnings: Vec<String>,
}

/// The same as [`check`], and beside it looks at the tools of files, grids and other MCP servers by these rules.
/// For that, every server is asked for its tools.
pub async fn check_and_lint(config: &Config, rules: &Selection) -> Findings {
    let wrong = check(config).await;
    let memory = Memory::new(&config.limits);
    let mut warnings = Vec::new();
    for source in &config.sources {
        match source {
            // Its tools are a part of this program.
            Source::Shop(_) => {}
            Source::Files(files) => of_files(&files.paths, rules, &mut warnings),
            Source::Grid(grid) => of_files(&grid.tools, rules, &mut warnings),
            Source::Mcp(server) => of_server(server, config, &memory, rules, &mut warnings).await,
        }
    }
    Findings { wrong, warnings }
}

/// A file that cannot be read is wrong, which is told already.
fn of_files(paths: &[PathBuf], rules: &Selection, warnings: &mut Vec<String>) {
    for path in paths {
        let Ok(file) = files::read(path) else {
            continue;
        };
        let found = lint::document(&file.document, None, rules);
        warnings.extend(
            found
                .iter()
                .map(|finding| format!("{}:{finding}", path.display())),
        );
        match found.omitted() {
            0 => {}
            more => warnings.push(format!("{}: and {more} more", path.display())),
        }
    }
}

async fn of_server(
    server: &McpSource,
    config: &Config,
    memory: &Memory,
    rules: &Selection,
    warnings: &mut Vec<String>,
) {
    let name = match &server.name {
        Some(name) => format!("the source `{name}`"),
        None => "the source without a name".to_owned(),
    };
    if mcp::program(server).and_then(missing).is_some() {
        return;
    }
    let built = match Box::pin(mcp::build(server, &config.limits, memory)).await {
        Ok(built) => built,
        Err(error) => {
            // With contracts, that it cannot be asked is wrong, and is told already.
            if server.contracts.is_empty() {
                warnings.push(format!(
                    "{name} was not asked for its tools: {}",
                    error.reason
                ));
            }
            return;
        }
    };
    warnings.extend(of_definitions(&name, &built, rules));
    if let Some(upstream) = built.upstream {
        upstream.close().await;
    }
}

fn of_definitions(source: &str, built: &Built, rules: &Selection) -> Vec<String> {
    let contracts: Vec<&Contract> = built.definitions.iter().map(Definition::contract).collect();
    let found = lint::contracts(contracts.iter().copied(), rules);
    let lines = contracts.iter().zip(found).flat_map(|(contract, found)| {
        let name = contract
            .original_name()
            .unwrap_or(contract.name().as_str())
            .to_owned();
        let lines = found
            .into_iter()
            .map(move |finding| format!("{source}, the tool `{name}`: {finding}"));
        lines.collect::<Vec<_>>()
    });
    lines.collect()
}
