//! Grids: this server as one of their hosts.

use std::collections::HashSet;
use std::time::Duration;

use toolpact::Definition;
use toolpact::core::contract::Contract;
use toolpact_grid::{Host, HostKey, Operator, Role};

use super::build::{Built, NotBuilt};
use super::files;
use crate::config::{GridMode, GridSource};

/// A host, and what tells that it is to be opened again.
#[derive(Debug, Clone)]
pub(super) struct OpenHost {
    pub(super) host: Host,
    /// Where the manifest was published, if it is no file.
    published_on: Option<Operator>,
}

impl OpenHost {
    /// Whether another manifest was published since. Nobody knows while the grid cannot be reached.
    pub(super) async fn has_another_manifest(&self) -> bool {
        let Some(grid) = &self.published_on else {
            return false;
        };
        match self.host.is_connected() {
            true => match grid.published_digest().await {
                Ok(Some(published)) => *published != *self.host.manifest().digest(),
                _ => false,
            },
            false => false,
        }
    }
}

/// Most tools that runtimes may register for a session, in DEVELOPMENT mode.
const REGISTERED: usize = 64;

/// How long it is waited for the first runtime, which is known at once if there is one.
const SETTLING: Duration = Duration::from_millis(300);

pub(super) async fn build(config: &GridSource) -> Result<Built, NotBuilt> {
    let servers = config.servers();
    let servers = servers.map_err(|why| NotBuilt::new("a setting is missing", why))?;
    let (contracts, left_out) = contracts(config)?;
    let key = key(config)?;
    let unreachable = |error: toolpact_grid::Error| {
        let why = format!("{} ({error})", servers.shown());
        NotBuilt::new(
            "the grid cannot be reached",
            format!("the grid cannot be reached: {why}"),
        )
    };
    let client = servers.connect(Role::Host).await.map_err(unreachable)?;
    let mut builder = Host::builder(client.clone()).prefix(config.word());
    if let Some(key) = key {
        builder = builder.key(key);
    }
    if let Some(durable) = &config.durable {
        builder = builder.durable(durable.calls());
    }
    if config.mode == GridMode::Development {
        tracing::warn!("a host is in DEVELOPMENT mode: runtimes may bring contracts of their own");
        builder = builder.development(REGISTERED);
    }
    let (host, published_on) = match config.tools.is_empty() {
        false => (builder.open(contracts).await, None),
        true => {
            let grid = Operator::new(client, config.word()).map_err(unreachable)?;
            let published = grid.published().await.map_err(unreachable)?;
            let manifest = published.ok_or_else(nothing_published)?;
            (Box::pin(builder.open_with(manifest)).await, Some(grid))
        }
    };
    let host = host.map_err(unreachable)?;
    // Whoever calls at once should find those that are there.
    host.settled(SETTLING).await;
    Ok(Built {
        definitions: definitions(&host, config)?,
        left_out,
        host: Some(OpenHost { host, published_on }),
        ..Built::default()
    })
}

/// The tools of the manifest, and the one that says what came of durable calls, if there are any.
fn definitions(host: &Host, config: &GridSource) -> Result<Vec<Definition>, NotBuilt> {
    let mut definitions = host.definitions();
    if host.has_durable_calls() {
        let durable = config.durable.clone().unwrap_or_default();
        let tool = host.operation_tool(&durable.operation_tool);
        let unusable = |error: toolpact_grid::Error| {
            NotBuilt::new("a setting is wrong", format!("`operation_tool`: {error}"))
        };
        definitions.push(tool.map_err(unusable)?);
    }
    Ok(definitions)
}

/// What can be told without a connection.
pub(super) fn check(config: &GridSource) -> (Vec<Contract>, Vec<String>) {
    let mut wrong = Vec::new();
    if let Err(error) = key(config) {
        wrong.push(error.reason);
    }
    match contracts(config) {
        Ok((contracts, left_out)) => {
            wrong.extend(left_out);
            (contracts, wrong)
        }
        Err(error) => {
            wrong.push(error.reason);
            (Vec::new(), wrong)
        }
    }
}

/// The contracts of its files, each name once, and those that cannot be used.
pub(super) fn contracts(config: &GridSource) -> Result<(Vec<Contract>, Vec<String>), NotBuilt> {
    let (mut contracts, mut left_out) = (Vec::new(), Vec::new());
    let mut names = HashSet::new();
    for path in &config.tools {
        let file = files::read(path)?;
        left_out.extend(file.import.left_out().iter().map(|bad| file.left_out(bad)));
        for contract in file.import.contracts() {
            match names.insert(contract.name().clone()) {
                true => contracts.push(contract.clone()),
                false => left_out.push(format!(
                    "{}: the contract of `{}` is left out, since there is one before",
                    path.display(),
                    contract.name()
                )),
            }
        }
    }
    Ok((contracts, left_out))
}

fn key(config: &GridSource) -> Result<Option<HostKey>, NotBuilt> {
    let Some(path) = &config.key else {
        return Ok(None);
    };
    let shown = path.display();
    let unusable = |why: String| NotBuilt::new("a key cannot be used", why);
    let text = std::fs::read_to_string(path)
        .map_err(|error| unusable(format!("cannot read {shown}: {error}")))?;
    let key = HostKey::from_text(&text);
    key.map(Some)
        .map_err(|error| unusable(format!("{shown}: {error}")))
}

fn nothing_published() -> NotBuilt {
    NotBuilt::new(
        "there is no manifest",
        "expected `tools` with files of contracts, or a manifest that was published with `toolpact grid manifest \
         publish`, found neither",
    )
}
