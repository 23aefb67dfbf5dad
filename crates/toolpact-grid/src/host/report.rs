//! What a host says about itself: shortly and often in a bucket, and in full to those who ask.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::kv;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use toolpact::observe::Latency;

use super::HostShared;
use super::runtimes::RuntimeStatus;
use crate::contracts::Manifest;
use crate::presence::REFRESH;
use crate::subject::VERSION;

/// Most runtimes, and most tools, of a report: it has to fit into a message.
const LISTED: usize = 2000;

/// What a host says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HostPresence {
    /// Its id.
    pub host: Box<str>,
    /// The version of its program.
    #[serde(default)]
    pub version: Box<str>,
    /// The versions of the protocol that it speaks.
    pub protocols: Vec<Box<str>>,
    /// The digest of its manifest.
    pub manifest: Box<str>,
    /// How many tools that has.
    #[serde(default)]
    pub tools: usize,
    /// How many runtimes it knows.
    #[serde(default)]
    pub runtimes: usize,
    /// How many calls it waits for.
    #[serde(default)]
    pub in_flight: usize,
}

/// All that a host knows, for those who look after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HostReport {
    /// The host.
    #[serde(flatten)]
    pub presence: HostPresence,
    /// Calls by tool, in the order of the manifest.
    pub tool_calls: Vec<CallFigures>,
    /// Calls by runtime.
    pub runtime_calls: Vec<CallFigures>,
    /// How many tools and runtimes are not listed, since there are too many.
    #[serde(default)]
    pub left_off: usize,
}

/// Calls of a tool or a runtime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallFigures {
    /// The tool or the runtime.
    pub name: Box<str>,
    /// The digest of a tool's contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Box<str>>,
    /// How many calls came to an end.
    pub calls: u64,
    /// How many of them failed; of a runtime, those that were lost or answered with what is no answer.
    pub failures: u64,
    /// Half of the calls took at most this long, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ms: Option<f64>,
    /// 99 of 100 calls took at most this long, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ms: Option<f64>,
    /// How many calls of this host a runtime has not answered.
    #[serde(default)]
    pub in_flight: usize,
    /// Whether a runtime is left alone, after failures.
    #[serde(default)]
    pub breaker_open: bool,
}

/// Counters of the calls of a tool or a runtime.
#[derive(Debug, Default)]
pub(crate) struct CallCounts {
    failures: AtomicU64,
    latency: Latency,
}

impl CallCounts {
    pub(crate) fn count(&self, began: Instant, failed: bool) {
        if failed {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        self.latency.record(began.elapsed());
    }

    pub(crate) fn figures(&self, name: &str) -> CallFigures {
        let most = |share| {
            let time = self.latency.quantile(share)?;
            // The last bucket has no end.
            (time < Duration::MAX).then_some(time.as_secs_f64() * 1000.0)
        };
        CallFigures {
            name: name.into(),
            digest: None,
            calls: self.latency.count(),
            failures: self.failures.load(Ordering::Relaxed),
            p50_ms: most(0.5),
            p99_ms: most(0.99),
            in_flight: 0,
            breaker_open: false,
        }
    }
}

/// Counters of all tools of a manifest.
pub(crate) fn counts_of(manifest: &Manifest) -> HashMap<Box<str>, Arc<CallCounts>> {
    let names = manifest.digests().map(|(name, _)| name.into());
    names.map(|name| (name, Arc::default())).collect()
}

/// Says again and again that the host is there.
pub(super) async fn say(shared: Arc<HostShared>, manifest: Arc<Manifest>, hosts: kv::Store) {
    let mut refresh = tokio::time::interval(REFRESH);
    loop {
        refresh.tick().await;
        if !shared.is_connected() {
            continue;
        }
        if let Ok(said) = serde_json::to_vec(&presence(&shared, &manifest)) {
            // It is said again soon.
            if hosts.put(shared.id.as_str(), said.into()).await.is_err() {
                // The server may have lost it: it is in memory only.
                let _ = crate::presence::hosts(&shared.client, &shared.subjects).await;
            }
        }
    }
}

/// Answers those who ask for everything.
pub(super) async fn answer(
    shared: Arc<HostShared>,
    manifest: Arc<Manifest>,
    mut asked: Subscriber,
) {
    while let Some(message) = asked.next().await {
        if let (Some(reply), Ok(report)) = (
            message.reply,
            serde_json::to_vec(&report(&shared, &manifest)),
        ) {
            let _ = shared.client.publish(reply, report.into()).await;
        }
    }
}

fn presence(shared: &HostShared, manifest: &Manifest) -> HostPresence {
    let runtimes = shared.runtimes.status();
    HostPresence {
        host: shared.id.as_str().into(),
        version: env!("CARGO_PKG_VERSION").into(),
        protocols: vec![VERSION.into()],
        manifest: manifest.digest().into(),
        tools: manifest.digests().count(),
        in_flight: runtimes.iter().map(|one| one.in_flight_here).sum(),
        runtimes: runtimes.len(),
    }
}

fn report(shared: &HostShared, manifest: &Manifest) -> HostReport {
    let runtimes = shared.runtimes.status();
    let tools = manifest.digests().take(LISTED).map(|(name, digest)| {
        let counts = shared.counts.get(name);
        let figures = counts.map(|counts| counts.figures(name));
        CallFigures {
            digest: Some(digest.into()),
            ..figures.unwrap_or_else(|| CallCounts::default().figures(name))
        }
    });
    let of_runtimes = runtimes
        .iter()
        .take(LISTED)
        .map(|one: &RuntimeStatus| CallFigures {
            in_flight: one.in_flight_here,
            breaker_open: one.breaker_open,
            ..one.calls.clone()
        });
    let presence = presence(shared, manifest);
    let beyond = |all: usize| all.saturating_sub(LISTED);
    HostReport {
        left_off: beyond(presence.tools) + beyond(runtimes.len()),
        tool_calls: tools.collect(),
        runtime_calls: of_runtimes.collect(),
        presence,
    }
}
