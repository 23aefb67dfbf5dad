//! The tools of a server, as definitions.

mod convert;

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::Semaphore;
use toolpact::Definition;
use toolpact::background;
use toolpact::core::contract::Contract;
use toolpact::core::dialect::NotImported;
use toolpact::core::returns::Enforcer;
use toolpact_mcp::Version;
use toolpact_mcp::passthrough::ListKind;

use crate::error::{Reason, UpstreamError};
use crate::link::Link;
use crate::lists::{self, Excess, Listed};
use convert::{Converted, convert};

/// Lists are converted one at a time.
static CONVERTING: Semaphore = Semaphore::const_new(1);

/// What a server lists, and what was made of it.
pub(crate) struct Tools {
    listed: Listed,
    version: Version,
    converted: Converted,
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

impl Remote {
    /// Whether calls of both are made and checked in the same way.
    fn is_same(&self, other: &Self) -> bool {
        let is_plain = self.promise.is_none() && other.promise.is_none();
        is_plain
            && (&self.name, &self.contract) == (&other.name, &other.contract)
            && (self.has_schema, self.is_wrapped) == (other.has_schema, other.is_wrapped)
    }
}

/// Asks the server for its tools. What it listed before is not read again.
pub(crate) async fn list(
    link: &Arc<Link>,
    before: Option<&Arc<Tools>>,
) -> Result<Arc<Tools>, UpstreamError> {
    let limits = link.settings.list_limits;
    let known = before.map(|before| &before.listed);
    let listed = lists::pages(link, ListKind::Tools, limits, known).await?;
    let version = Version::spoken_by(&link.connection().await?.version());
    let (link, before) = (Arc::clone(link), before.cloned());
    let lost = UpstreamError::new(link.place(), Reason::Lost);
    // A long list takes seconds, and many times its length while it is converted.
    let turn = CONVERTING.acquire().await;
    let made = background::spawn(move || {
        let _turn = turn;
        make(&link, listed, version, before)
    });
    made.await.map_err(|_| lost)?
}

fn make(
    link: &Arc<Link>,
    listed: Listed,
    version: Version,
    before: Option<Arc<Tools>>,
) -> Result<Arc<Tools>, UpstreamError> {
    let before = before.filter(|before| before.version == version);
    if let Some(before) = before.as_ref().filter(|b| b.listed.is_same(&listed)) {
        return Ok(Arc::clone(before));
    }
    let known = before.as_ref().map(|before| &before.converted);
    let converted = convert(link, &listed, version.dialect(), known)
        .map_err(|violations| UpstreamError::new(link.place(), Reason::Tools(violations)))?;
    let missing = missing(link, &converted);
    match missing.first() {
        Some(name) if !link.settings.missing_allowed => Err(UpstreamError::new(
            link.place(),
            Reason::NoSuchTool(name.clone()),
        )),
        _ => Ok(Arc::new(Tools {
            listed,
            version,
            converted,
            missing,
        })),
    }
}

fn missing(link: &Link, converted: &Converted) -> Vec<Box<str>> {
    let contracts = &link.settings.contracts;
    if contracts.is_empty() {
        return Vec::new();
    }
    let there: HashSet<&str> = converted.names().collect();
    let missing = contracts.keys().filter(|name| !there.contains(&***name));
    let mut missing: Vec<Box<str>> = missing.cloned().collect();
    missing.sort_unstable();
    missing
}

impl Tools {
    pub(crate) fn left_out(&self) -> &[NotImported] {
        &self.converted.left_out
    }

    pub(crate) fn excess(&self) -> Option<&Excess> {
        self.listed.excess.as_ref()
    }

    pub(crate) fn missing(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().map(|name| &**name)
    }

    pub(crate) fn definitions(&self) -> Vec<Definition> {
        let tools = self.converted.tools.iter();
        tools.map(|tool| tool.definition.clone()).collect()
    }
}
