//! The tools of a server, as definitions.

use std::collections::HashSet;
use std::sync::Arc;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult};
use serde_json::Value as Json;
use toolpact::call::CallLimits;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::{Import, ImportedTool, NotImported};
use toolpact::core::json::{Document, Limits as ReadLimits, Value};
use toolpact::core::returns::{Enforcer, Level};
use toolpact::{Context, Definition};

use super::UpstreamError;
use super::call;
use super::link::Link;
use crate::version::Version;

/// Most pages that are read: a server may have one more for ever.
const PAGES: usize = 1000;

pub(super) struct Tools {
    remote: Vec<Arc<Remote>>,
    import: Import,
    /// Those that there are contracts for, but that are not there.
    missing: Vec<Box<str>>,
}

/// A tool of a server.
pub(super) struct Remote {
    /// What the server calls it.
    pub(super) name: Box<str>,
    /// What we hold it to.
    pub(super) contract: Contract,
    /// What the server promises, where that is not what we hold it to already.
    pub(super) promise: Option<Enforcer>,
    /// Whether the server said what its structured content looks like.
    pub(super) has_schema: bool,
    /// Whether its results are wrapped into an object.
    pub(super) is_wrapped: bool,
}

/// Asks the server for its tools.
pub(super) async fn list(link: &Arc<Link>) -> Result<Tools, UpstreamError> {
    let (listed, dialect) = (pages(link).await?, {
        let connection = link.connection().await?;
        Version::spoken_by(connection.version().as_ref()).dialect()
    });
    let document = Json::from_iter([("tools", Json::Array(listed.clone()))]).to_string();
    let document = Document::json(document.as_bytes(), &ReadLimits::default());
    let import = dialect.import(&document);
    let import = import.map_err(|violations| UpstreamError::tools(link.place(), violations))?;
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
        Some(name) if !link.settings.missing_allowed => {
            Err(UpstreamError::no_such_tool(link.place(), name))
        }
        _ => Ok(Tools {
            remote: tools,
            import,
            missing,
        }),
    }
}

/// The tools as the server writes them, of all pages.
async fn pages(link: &Arc<Link>) -> Result<Vec<Json>, UpstreamError> {
    let (mut tools, mut seen, mut cursor) = (Vec::new(), HashSet::new(), None);
    for _ in 0..PAGES {
        let request = ListToolsRequest {
            params: Some(PaginatedRequestParams::default().with_cursor(cursor.take())),
            ..ListToolsRequest::default()
        };
        let answer = link.ask(ClientRequest::ListToolsRequest(request)).await?;
        let (page, next) = page(answer).ok_or_else(|| {
            UpstreamError::list(link.place(), "expected an answer with the array `tools`")
        })?;
        tools.extend(page);
        match next {
            None => return Ok(tools),
            Some(next) if !seen.insert(next.clone()) => break,
            next => cursor = next,
        }
    }
    let why = "expected its pages to come to an end, found the same one again, or too many";
    Err(UpstreamError::list(link.place(), why))
}

/// A list that rmcp cannot read because of one tool is still a list of tools.
fn page(answer: ServerResult) -> Option<(Vec<Json>, Option<String>)> {
    let mut answer = serde_json::to_value(answer).ok()?;
    let next = answer
        .get("nextCursor")
        .and_then(Json::as_str)
        .map(str::to_owned);
    match answer.get_mut("tools")?.take() {
        Json::Array(tools) => Some((tools, next)),
        _ => None,
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
    pub(super) fn left_out(&self) -> &[NotImported] {
        self.import.left_out()
    }

    pub(super) fn missing(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().map(|name| &**name)
    }

    pub(super) fn definitions(&self, link: &Arc<Link>) -> Vec<Definition> {
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
