//! Looks after sources: starts them, tries again those that fail, and follows changes of the config.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact_mcp::Upstream;

use super::build::{Built, NotBuilt, build};
use super::install::Installed;
use super::mcp::of_upstream;
use super::stamp::stamp;
use super::state::{Health, SourceState};
use crate::config::Source;

/// How long a source that failed is left alone at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How often the tools of other servers are listed again. Not all of them tell of changes, and so it
/// is seen that one is gone.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// How often a tool is tried again whose name another one has.
const TRY_AGAIN: Duration = Duration::from_secs(1);

/// Looks after the sources of a server.
pub(crate) struct Keeper {
    registry: Registry,
    data: PathBuf,
    stop: CancellationToken,
    slots: Mutex<Vec<Slot>>,
}

/// A source that is looked after.
struct Slot {
    label: String,
    stamp: Vec<u8>,
    wanted: watch::Sender<Source>,
    health: watch::Receiver<Health>,
    stop: CancellationToken,
}

impl Keeper {
    pub(crate) fn new(registry: Registry, data: PathBuf) -> Self {
        Self {
            registry,
            data,
            stop: CancellationToken::new(),
            slots: Mutex::default(),
        }
    }

    /// Follows the config: sources that are new are started, those that have changed are built
    /// again, those that are gone are taken out. The others go on.
    pub(crate) fn apply(&self, sources: &[Source]) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before = std::mem::take(&mut *slots);
        let stamps: Vec<Vec<u8>> = sources.iter().map(stamp).collect();
        for ((label, source), stamp) in labelled(sources).into_iter().zip(&stamps) {
            // A source that says what it said goes on, wherever it stands now.
            let same = before.iter().position(|slot| slot.stamp == *stamp);
            let changed = |slot: &Slot| slot.label == label && !stamps.contains(&slot.stamp);
            let place = same.or_else(|| before.iter().position(changed));
            match place.map(|place| before.swap_remove(place)) {
                Some(mut slot) => {
                    if slot.stamp != *stamp {
                        tracing::info!(source = label, "the source has changed");
                        slot.stamp.clone_from(stamp);
                        slot.wanted.send_replace(source.clone());
                    }
                    slots.push(Slot { label, ..slot });
                }
                None => slots.push(self.start(label, stamp.clone(), source.clone())),
            }
        }
        for slot in before {
            tracing::info!(source = slot.label, "the source is gone");
            slot.stop.cancel();
        }
    }

    /// How the sources are.
    pub(crate) fn health(&self) -> Vec<Health> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let health = slots.iter().map(|slot| Health {
            source: slot.label.clone(),
            ..slot.health.borrow().clone()
        });
        health.collect()
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

    fn start(&self, label: String, stamp: Vec<u8>, source: Source) -> Slot {
        let stop = self.stop.child_token();
        let (health_sender, health) = watch::channel(Health {
            source: label.clone(),
            state: SourceState::Starting,
            tools: 0,
            left_out: 0,
            why: None,
        });
        let toolset = Installed::new(source.name());
        let (wanted, wanted_receiver) = watch::channel(source);
        let task = Task {
            label: label.clone(),
            registry: self.registry.clone(),
            data: self.data.clone(),
            wanted: wanted_receiver,
            health: health_sender,
            installed: toolset,
            upstream: None,
            digests: Vec::new(),
        };
        let stopped = stop.clone();
        tokio::spawn(async move { task.run(&stopped).await });
        Slot {
            label,
            stamp,
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

/// What looks after one source.
struct Task {
    label: String,
    registry: Registry,
    data: PathBuf,
    wanted: watch::Receiver<Source>,
    health: watch::Sender<Health>,
    installed: Installed,
    upstream: Option<Upstream>,
    /// Of the contracts that are served.
    digests: Vec<String>,
}

impl Task {
    async fn run(mut self, stop: &CancellationToken) {
        stop.run_until_cancelled(self.look_after()).await;
        self.installed.clear(&self.registry);
        if let Some(upstream) = &self.upstream {
            upstream.close().await;
        }
    }

    async fn look_after(&mut self) {
        let mut pause = FIRST_PAUSE;
        loop {
            let source = self.wanted.borrow_and_update().clone();
            match build(&source, &self.data).await {
                Ok(built) => {
                    pause = FIRST_PAUSE;
                    let before = self.upstream.take();
                    self.install(built);
                    if let Some(before) = before {
                        before.close().await;
                    }
                    if self.rest().await.is_err() {
                        return;
                    }
                }
                Err(error) => {
                    self.failed(&error, pause);
                    tokio::select! {
                        () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                        changed = self.wanted.changed() => match changed {
                            Ok(()) => pause = FIRST_PAUSE,
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
    }

    fn failed(&self, error: &NotBuilt, pause: Duration) {
        let (again, why) = (format!("{pause:?}"), &*error.why);
        tracing::error!(
            source = self.label,
            error = why,
            again,
            "the source does not start"
        );
        self.is_failing(error.told);
    }

    fn is_failing(&self, told: &'static str) {
        self.health.send_modify(|health| {
            health.state = SourceState::Failing;
            health.why = Some(told);
        });
    }

    /// Until the config has another word for the source. Meanwhile the lists of servers are
    /// followed. Fails if nobody is left who could have one.
    async fn rest(&mut self) -> Result<(), watch::error::RecvError> {
        // One receiver for all the time, so that nothing is missed while the tools are listed.
        let mut list = self.upstream.as_ref().map(Upstream::changes);
        loop {
            let in_the_way = self.installed.is_waiting();
            tokio::select! {
                changed = self.wanted.changed() => return changed,
                () = tokio::time::sleep(TRY_AGAIN), if in_the_way => self.try_again(),
                () = news(list.as_mut()) => if let Some(upstream) = self.upstream.clone() {
                    self.refresh(&upstream).await;
                },
            }
        }
    }

    /// Another source may have given up a name since.
    fn try_again(&mut self) {
        let added = self.installed.try_again(&self.registry);
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
            Ok(fresh) if digests(&fresh) == self.digests => self.health.send_modify(|health| {
                health.state = SourceState::Ready;
                health.why = None;
            }),
            Ok(fresh) => self.install(fresh),
            Err(error) => {
                let error = error.to_string();
                tracing::warn!(
                    source = self.label,
                    error,
                    "the tools could not be listed again"
                );
                self.is_failing("the tools could not be listed again");
            }
        }
    }
}

/// Until a server says that its tools have changed, or one that cannot say so may have others.
async fn news(list: Option<&mut watch::Receiver<u64>>) {
    let Some(list) = list else {
        return std::future::pending().await;
    };
    tokio::select! {
        () = tokio::time::sleep(LOOK_AGAIN) => {}
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

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl std::fmt::Debug for Keeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keeper")
            .field("sources", &self.health())
            .finish_non_exhaustive()
    }
}
