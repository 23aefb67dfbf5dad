//! What the sources of a config have now, for a lock.

use futures_util::future::join_all;
use toolpact::Definition;
use toolpact::core::contract::Contract;

use super::build::{NotBuilt, build};
use super::supervisor::labelled;
use crate::config::{Config, Trust};
use crate::memory::Memory;

/// A source with what it has now.
#[derive(Debug)]
pub struct LiveSource {
    /// What the lock calls it.
    pub label: String,
    /// Its contracts; none if it does not start.
    pub contracts: Option<Vec<Contract>>,
    /// Why it does not start, or which tools cannot be used, and so cannot be locked.
    pub wrong: Vec<String>,
}

/// Starts the sources of a config that a lock is about, once, and asks them for their tools: those that are trusted
/// whatever a lock says are left alone.
pub async fn live_sources(config: &Config) -> Vec<LiveSource> {
    let (memory, data) = (Memory::new(&config.limits), config.data_folder());
    let sources = labelled(&config.sources).into_iter();
    let sources = sources.filter(|(_, source)| source.trust() != Some(Trust::Any));
    let live = sources.map(async |(label, source)| {
        let built = match build(source, &data, &config.limits, &memory, config.mock.as_ref()).await
        {
            Ok(built) => built,
            Err(NotBuilt { reason, .. }) => {
                let why = format!("the source {label} does not start: {reason}");
                return LiveSource {
                    label,
                    contracts: None,
                    wrong: vec![why],
                };
            }
        };
        let contracts = built.definitions.iter().map(Definition::contract);
        let contracts = contracts.cloned().collect();
        if let Some(upstream) = &built.upstream {
            upstream.close().await;
        }
        let mut wrong = built.left_out;
        wrong.extend(built.excess.map(|excess| excess.to_string()));
        LiveSource {
            label,
            contracts: Some(contracts),
            wrong,
        }
    });
    join_all(live).await
}
