//! Starts sources, retries those that fail, and follows changes of the config.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact_upstream::{Upstream, Upstreams};

use super::build::{Built, NotBuilt, build};
use super::fingerprint::fingerprint;
use super::install::Installed;
use super::mcp::of_upstream;
use super::state::{Health, SourceState};
use crate::code::CodeHost;
use crate::config::Source;

/// How long to wait before a source that failed is tried again: at first, and at most.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// How often the tools of other servers are listed again. Not all of them announce changes, and this
/// notices a server that is gone.
const REFRESH_INTERVAL: Duration = Duration::from_secs(10);

/// How often a tool whose name is taken is tried again.
const RETRY_NAMES: Duration = Duration::from_secs(1);

/// Runs a task for each source of a server.
pub(crate) struct Supervisor {
    registry: Registry,
    /// The servers whose prompts and resources are passed through.
    upstreams: Upstreams,
    data: PathBuf,
    stop: CancellationToken,
    slots: Mutex<Vec<Slot>>,
    /// How many sources have been started.
    started: AtomicU64,
    /// The tool that runs scripts, if there is one.
    code: Option<Arc<CodeHost>>,
}

/// A source with its task.
struct Slot {
    label: String,
    /// What it is called among the upstreams, whatever its label is by now.
    id: String,
    fingerprint: Vec<u8>,
    wanted: watch::Sender<Source>,
    health: watch::Receiver<Health>,
    stop: CancellationToken,
}

impl Supervisor {
    pub(crate) fn new(
        registry: Registry,
        upstreams: Upstreams,
        data: PathBuf,
        code: Option<Arc<CodeHost>>,
    ) -> Self {
        Self {
            code,
            registry,
            upstreams,
            data,
            stop: CancellationToken::new(),
            slots: Mutex::default(),
            started: AtomicU64::new(0),
        }
    }

    /// Follows the config: sources that are new are started, those that have changed are built
    /// again, those that are gone are taken out. The others go on.
    pub(crate) fn apply(&self, sources: &[Source]) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = std::mem::take(&mut *slots);
        let fingerprints: Vec<Vec<u8>> = sources.iter().map(fingerprint).collect();
        for ((label, source), fingerprint) in labelled(sources).into_iter().zip(&fingerprints) {
            // An unchanged source goes on, wherever it is in the list now.
            let same = before
                .iter()
                .position(|slot| slot.fingerprint == *fingerprint);
            let changed =
                |slot: &Slot| slot.label == label && !fingerprints.contains(&slot.fingerprint);
            let place = same.or_else(|| before.iter().position(changed));
            match place.map(|place| before.swap_remove(place)) {
                Some(mut slot) => {
                    if slot.fingerprint != *fingerprint {
                        tracing::info!(source = label, "the source has changed");
                        slot.fingerprint.clone_from(fingerprint);
                        slot.wanted.send_replace(source.clone());
                    }
                    slots.push(Slot { label, ..slot });
                }
                None => slots.push(self.start(label, fingerprint.clone(), source.clone())),
            }
        }
        self.upstreams.sort(slots.iter().map(|slot| &*slot.id));
        for slot in before {
            tracing::info!(source = slot.label, "the source is gone");
            slot.stop.cancel();
        }
    }

    /// How the sources are, and the tool that runs scripts.
    pub(crate) fn health(&self) -> Vec<Health> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let health = slots.iter().map(|slot| Health {
            source: slot.label.clone(),
            ..slot.health.borrow().clone()
        });
        let code = self.code.iter().map(|code| code.health());
        health.chain(code).collect()
    }

    /// Waits until each source has been tried once, but not for longer than this.
    pub(crate) async fn settled(&self, time: Duration) {
        let waiting: Vec<watch::Receiver<Health>> = {
            let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.iter().map(|slot| slot.health.clone()).collect()
        };
        let all = async {
            for mut health in waiting {
                // It ends only with the source.
                let _ = health
                    .wait_for(|health| health.state != SourceState::Starting)
                    .await;
            }
        };
        let _ = tokio::time::timeout(time, all).await;
    }

    fn start(&self, label: String, fingerprint: Vec<u8>, source: Source) -> Slot {
        let stop = self.stop.child_token();
        let (health_sender, health) = watch::channel(Health {
            source: label.clone(),
            state: SourceState::Starting,
            tools: 0,
            left_out: 0,
            why: None,
        });
        let toolset = Installed::new(source.name());
        let started = self.started.fetch_add(1, Ordering::Relaxed);
        let id = format!("{label}@{started}");
        let (wanted, wanted_receiver) = watch::channel(source);
        let task = Task {
            label: label.clone(),
            registry: self.registry.clone(),
            id: id.clone(),
            upstreams: self.upstreams.clone(),
            data: self.data.clone(),
            wanted: wanted_receiver,
            health: health_sender,
            installed: toolset,
            upstream: None,
            digests: Vec::new(),
            logged: None,
        };
        let stopped = stop.clone();
        tokio::spawn(async move { task.run(&stopped).await });
        Slot {
            label,
            id,
            fingerprint,
            wanted,
            health,
            stop,
        }
    }
}

/// Sources by what they are called: their namespace, or their kind, with a number if there are more.
pub(super) fn labelled(sources: &[Source]) -> Vec<(String, &Source)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let label = |source: &Source| match source.name() {
        Some(name) => format!("{}:{name}", source.kind()),
        None => source.kind().to_owned(),
    };
    let labelled = sources.iter().map(|source| {
        let label = label(source);
        let times = seen.entry(label.clone()).or_default();
        *times += 1;
        match *times {
            1 => (label, source),
            times => (format!("{label}#{times}"), source),
        }
    });
    labelled.collect()
}

/// The task of one source.
struct Task {
    label: String,
    registry: Registry,
    id: String,
    upstreams: Upstreams,
    data: PathBuf,
    wanted: watch::Receiver<Source>,
    health: watch::Sender<Health>,
    installed: Installed,
    upstream: Option<Upstream>,
    /// Of the contracts that are served.
    digests: Vec<String>,
    /// Why it did not start the last time, as the log has it.
    logged: Option<String>,
}

impl Task {
    async fn run(mut self, stop: &CancellationToken) {
        stop.run_until_cancelled(self.supervise()).await;
        self.installed.clear(&self.registry);
        self.upstreams.remove(&self.id);
        if let Some(upstream) = &self.upstream {
            upstream.close().await;
        }
    }

    async fn supervise(&mut self) {
        let mut backoff = FIRST_BACKOFF;
        loop {
            let source = self.wanted.borrow_and_update().clone();
            match build(&source, &self.data).await {
                Ok(built) => {
                    backoff = FIRST_BACKOFF;
                    self.logged = None;
                    let before = self.upstream.take();
                    self.install(built);
                    if let Some(before) = before {
                        before.close().await;
                    }
                    if self.wait_for_change().await.is_err() {
                        return;
                    }
                }
                Err(error) => {
                    self.failed(&error, backoff);
                    tokio::select! {
                        () = tokio::time::sleep(backoff) => backoff = (backoff * 2).min(LONGEST_BACKOFF),
                        changed = self.wanted.changed() => match changed {
                            Ok(()) => backoff = FIRST_BACKOFF,
                            Err(_) => return,
                        },
                    }
                }
            }
        }
    }

    /// Serves what was built in the place of what was there.
    fn install(&mut self, built: Built) {
        self.digests = digests(&built);
        let mut left_out = built.left_out;
        left_out.extend(self.installed.update(&self.registry, built.definitions));
        for why in &left_out {
            tracing::warn!(source = self.label, why, "a tool is not served");
        }
        let waiting = self.installed.waiting();
        if !waiting.is_empty() {
            let (count, names) = (waiting.len(), waiting.join(", "));
            tracing::warn!(
                source = self.label,
                count,
                names,
                "tools are not served, since others have their names; give a source a `name`, which \
                 becomes a part of the names of its tools"
            );
        }
        let tools = self.installed.len();
        tracing::info!(source = self.label, tools, "the source is ready");
        self.health.send_modify(|health| {
            health.state = SourceState::Ready;
            health.why = None;
            health.tools = tools;
            health.left_out = left_out.len() + waiting.len();
        });
        self.upstream = built.upstream;
        self.pass_through();
    }

    /// Passes through what a server has besides tools.
    fn pass_through(&self) {
        match &self.upstream {
            Some(upstream) => self
                .upstreams
                .set(&self.id, self.installed.toolset(), upstream),
            None => self.upstreams.remove(&self.id),
        }
    }

    /// It is tried again and again, and each reason is logged once.
    fn failed(&mut self, error: &NotBuilt, backoff: Duration) {
        let (again, why) = (format!("{backoff:?}"), &*error.reason);
        match self.logged.as_deref() == Some(why) {
            true => tracing::debug!(
                source = self.label,
                again,
                "the source still does not start"
            ),
            false => tracing::error!(
                source = self.label,
                error = why,
                again,
                "the source does not start"
            ),
        }
        self.logged = Some(why.to_owned());
        self.set_failing(error.public_reason);
    }

    fn set_failing(&self, reason: &'static str) {
        self.health.send_modify(|health| {
            health.state = SourceState::Failing;
            health.why = Some(reason);
        });
    }

    /// Returns when the config of the source changes, and fails when the supervisor is gone. Meanwhile, the
    /// tools of servers are listed again when they may have changed.
    async fn wait_for_change(&mut self) -> Result<(), watch::error::RecvError> {
        // One receiver for all the time, so that nothing is missed while the tools are listed.
        let mut list = self.upstream.as_ref().map(Upstream::changes);
        loop {
            let has_taken_names = self.installed.is_waiting();
            tokio::select! {
                changed = self.wanted.changed() => return changed,
                () = tokio::time::sleep(RETRY_NAMES), if has_taken_names => self.retry_names(),
                () = list_may_have_changed(list.as_mut()) => if let Some(upstream) = self.upstream.clone() {
                    self.refresh(&upstream).await;
                },
            }
        }
    }

    /// Registers tools whose names have become free.
    fn retry_names(&mut self) {
        let added = self.installed.retry(&self.registry);
        if added > 0 {
            tracing::info!(source = self.label, added, "names have become free");
            self.health.send_modify(|health| {
                health.tools += added;
                health.left_out = health.left_out.saturating_sub(added);
            });
        }
    }

    /// Lists the tools of a server again, and changes nothing if they are the same.
    async fn refresh(&mut self, upstream: &Upstream) {
        match upstream.refresh().await.map(of_upstream) {
            Ok(fresh) if digests(&fresh) == self.digests => {
                self.upstream = fresh.upstream;
                self.pass_through();
                self.health.send_modify(|health| {
                    health.state = SourceState::Ready;
                    health.why = None;
                });
            }
            Ok(fresh) => self.install(fresh),
            Err(error) => {
                let error = error.to_string();
                tracing::warn!(
                    source = self.label,
                    error,
                    "the tools could not be listed again"
                );
                self.set_failing("the tools could not be listed again");
            }
        }
    }
}

/// Returns when a server announces that its tools have changed, and at intervals.
async fn list_may_have_changed(list: Option<&mut watch::Receiver<u64>>) {
    let Some(list) = list else {
        return std::future::pending().await;
    };
    tokio::select! {
        () = tokio::time::sleep(REFRESH_INTERVAL) => {}
        changed = list.changed() => if changed.is_err() {
            std::future::pending::<()>().await;
        },
    }
}

/// What tells one list of tools from another.
fn digests(built: &Built) -> Vec<String> {
    let tools = built.definitions.iter();
    tools
        .map(|tool| tool.contract().digest().to_string())
        .collect()
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl std::fmt::Debug for Supervisor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supervisor")
            .field("sources", &self.health())
            .finish_non_exhaustive()
    }
}
