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

/// Starts a source, or says why it does not start. This is for operators.
pub(super) async fn build(source: &Source, data: &Path) -> Result<Built, String> {
    match source {
        Source::Shop(shop) => shop::build(shop, data).await,
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
                Err(why) => wrong.push(why),
            },
            Source::Mcp(mcp) => wrong.extend(mcp::contracts(mcp).err()),
        }
    }
    wrong
}
