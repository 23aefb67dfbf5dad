//! Other MCP servers.

use std::sync::Arc;
use std::time::Duration;

use toolpact::Definition;
use toolpact::core::Severity;
use toolpact::core::contract::Contract;
use toolpact::core::violation::nearest;
use toolpact_upstream::{Upstream, UpstreamBuilder};

use super::build::{Built, NotBuilt};
use super::files;
use crate::config::{Limits, McpSource, expand};
use crate::memory::Memory;

pub(super) async fn build(
    config: &McpSource,
    limits: &Limits,
    memory: &Memory,
) -> Result<Built, NotBuilt> {
    let place = place(config);
    let mut builder = place.map_err(|why| NotBuilt::new("a setting is missing", why))?;
    if let Some(ms) = config.timeout_ms {
        builder = builder.timeout(Duration::from_millis(ms));
    }
    for contract in contracts(config)? {
        builder = builder.contract(contract);
    }
    // One tool that is gone does not take the others with it.
    builder = builder
        .allow_missing_tools()
        .most_tools(limits.tools)
        // What could never be held is not asked for.
        .most_tools_bytes(limits.tools_bytes.min(memory.lists.most()))
        .answer_memory(Arc::clone(&memory.answers))
        .list_memory(Arc::clone(&memory.lists));
    let public_reason = match config.url {
        Some(_) => "the server cannot be reached, or does not speak MCP",
        None => "the program does not start, or does not speak MCP",
    };
    let upstream = builder.connect().await;
    let upstream = upstream.map_err(|error| NotBuilt::new(public_reason, error.to_string()))?;
    Ok(of_upstream(upstream))
}

/// The tools as they are listed now.
pub(super) fn of_upstream(upstream: Upstream) -> Built {
    let definitions = upstream.definitions();
    let left_out = upstream.left_out().iter();
    let left_out = left_out.map(|bad| {
        // A warning is no reason.
        let errors = bad.violations.iter();
        let errors = errors.filter(|one| one.severity() == Severity::Error);
        let errors: Vec<String> = errors.map(ToString::to_string).collect();
        format!("the tool `{}` is left out: {}", bad.name, errors.join("\n"))
    });
    let missing = upstream
        .missing()
        .map(|name| missing_tool(name, &definitions));
    Built {
        left_out: left_out.chain(missing).collect(),
        excess: upstream.excess().cloned(),
        definitions,
        upstream: Some(upstream),
        ..Built::default()
    }
}

fn missing_tool(name: &str, there: &[Definition]) -> String {
    let there = there.iter().map(|tool| tool.contract().name().as_str());
    let meant = nearest(name, there);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    format!("there is a contract for `{name}`, but the server has no such tool{meant}")
}

/// The contracts that its tools are held to as well.
pub(super) fn contracts(config: &McpSource) -> Result<Vec<Contract>, NotBuilt> {
    let mut contracts = Vec::new();
    for path in &config.contracts {
        let file = files::read(path)?;
        if let Some(bad) = file.import.left_out().first() {
            let why = file.left_out(bad);
            return Err(NotBuilt::new("a contract cannot be used", why));
        }
        contracts.extend(file.import.contracts().cloned());
    }
    Ok(contracts)
}

/// The program of a server that is one.
pub(super) fn program(config: &McpSource) -> Option<&str> {
    config.command.as_ref()?.first().map(String::as_str)
}

fn place(config: &McpSource) -> Result<UpstreamBuilder, String> {
    if let Some(url) = &config.url {
        let mut builder = Upstream::http(url.clone());
        for (name, value) in &config.headers {
            builder = builder.header(name, &expand(value)?);
        }
        return Ok(builder);
    }
    let words = config.command.as_deref().unwrap_or_default();
    let (program, args) = words.split_first().ok_or("expected a program")?;
    let mut builder = Upstream::command(program).args(args);
    for (name, value) in config.env.values()? {
        builder = builder.env(name, value);
    }
    Ok(builder)
}
