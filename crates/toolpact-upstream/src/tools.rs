//! The tools of a server, as definitions.

use std::sync::Arc;

use serde_json::Value as Json;
use toolpact::call::CallLimits;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::{Import, ImportedTool, NotImported};
use toolpact::core::json::{Document, Limits as ReadLimits, Value};
use toolpact::core::returns::{Enforcer, Level};
use toolpact::{Context, Definition};

use crate::call;
use crate::error::{Reason, UpstreamError};
use crate::link::Link;
use crate::lists;
use toolpact_mcp::Version;
use toolpact_mcp::passthrough::ListKind;

pub(crate) struct Tools {
    remote: Vec<Arc<Remote>>,
    import: Import,
    /// Those that there are contracts for, but that are not there.
    missing: Vec<Box<str>>,
}

/// A tool of a server.
pub(crate) struct Remote {
    /// What the server calls it.
    pub(crate) name: Box<str>,
    /// What we hold it to.
    pub(crate) contract: Contract,
    /// What the server promises, where that is not what we hold it to already.
    pub(crate) promise: Option<Enforcer>,
    /// Whether the server said what its structured content looks like.
    pub(crate) has_schema: bool,
    /// Whether its results are wrapped into an object.
    pub(crate) is_wrapped: bool,
}

/// Asks the server for its tools.
pub(crate) async fn list(link: &Arc<Link>) -> Result<Tools, UpstreamError> {
    let listed = lists::pages(link, ListKind::Tools).await?;
    let version = link.connection().await?.version();
    let dialect = Version::spoken_by(&version).dialect();
    let document = Json::from_iter([("tools", Json::Array(listed.clone()))]).to_string();
    let document = Document::json(document.as_bytes(), &ReadLimits::default());
    let import = match listed.is_empty() {
        true => Ok(Import::default()),
        false => dialect.import(&document),
    };
    let import =
        import.map_err(|violations| UpstreamError::new(link.place(), Reason::Tools(violations)))?;
    let tools = import.tools().iter();
    let tools: Vec<_> = tools
        .map(|tool| Arc::new(remote(tool, &listed, link)))
        .collect();
    let is_there = |name: &str| {
        let mut names = tools.iter().map(|tool| tool.contract.name());
        names.any(|there| there.as_str() == name)
    };
    let contracts = link.settings.contracts.keys();
    let mut missing: Vec<_> = contracts.filter(|name| !is_there(name)).cloned().collect();
    missing.sort_unstable();
    match missing.first() {
        Some(name) if !link.settings.missing_allowed => Err(UpstreamError::new(
            link.place(),
            Reason::NoSuchTool(name.clone()),
        )),
        _ => Ok(Tools {
            remote: tools,
            import,
            missing,
        }),
    }
}

fn remote(tool: &ImportedTool, listed: &[Json], link: &Link) -> Remote {
    let definition = listed.iter().find(|one| one["name"] == *tool.name);
    let own = link.settings.contracts.get(tool.contract.name().as_str());
    let promise = || tool.contract.returns().enforcer(Level::Meaning);
    Remote {
        name: tool.name.clone(),
        promise: own.map(|_| promise()),
        contract: own.unwrap_or(&tool.contract).clone(),
        has_schema: definition.is_some_and(|one| one["outputSchema"].is_object()),
        is_wrapped: definition.is_some_and(|one| one["_meta"]["toolpact/wrapped"] == true),
    }
}

impl Tools {
    pub(crate) fn left_out(&self) -> &[NotImported] {
        self.import.left_out()
    }

    pub(crate) fn missing(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().map(|name| &**name)
    }

    pub(crate) fn definitions(&self, link: &Arc<Link>) -> Vec<Definition> {
        let tools = self.remote.iter();
        tools.map(|tool| definition(tool, link)).collect()
    }
}

fn definition(tool: &Arc<Remote>, link: &Arc<Link>) -> Definition {
    let (remote, connection) = (Arc::clone(tool), Arc::clone(link));
    let body = move |args: Value, context: Context| {
        let (remote, link) = (Arc::clone(&remote), Arc::clone(&connection));
        async move { call::run(&link, &remote, &args, &context).await }
    };
    let definition = Definition::new(tool.contract.clone(), body);
    match link.settings.timeout {
        Some(timeout) => definition.limits(CallLimits::default().timeout(timeout)),
        None => definition,
    }
}
