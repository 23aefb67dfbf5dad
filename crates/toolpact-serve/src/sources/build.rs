//! From a source to the tools it has.

use std::path::Path;

use toolpact::Definition;
use toolpact_mcp::Upstream;

use super::{files, mcp, shop};
use crate::config::{Config, Source};

/// What a source has.
pub(super) struct Built {
    pub(super) definitions: Vec<Definition>,
    /// The tools that cannot be used, and why.
    pub(super) left_out: Vec<String>,
    /// The server behind them, if there is one.
    pub(super) upstream: Option<Upstream>,
}

/// Why a source does not start.
pub(super) struct NotBuilt {
    /// For everybody, so without names of programs, files and servers.
    pub(super) told: &'static str,
    /// For operators.
    pub(super) why: String,
}

impl NotBuilt {
    pub(super) fn new(told: &'static str, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { told, why }
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

/// Looks at what a config names without starting anything: the files and their tools. Returns what
/// is wrong.
#[must_use]
pub fn check(config: &Config) -> Vec<String> {
    let mut wrong = Vec::new();
    for source in &config.sources {
        match source {
            Source::Shop(_) => {}
            Source::Files(files) => match files::build(files) {
                Ok(built) => wrong.extend(built.left_out),
                Err(error) => wrong.push(error.why),
            },
            Source::Mcp(mcp) => wrong.extend(mcp::contracts(mcp).err().map(|error| error.why)),
        }
    }
    wrong
}
