//! Starts sources, retries those that fail, and follows changes of the config.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact::mock::Mock;
use toolpact_grid::Host;
use toolpact_upstream::Upstreams;

use super::fingerprint::fingerprint;
use super::shelf::{Place, Shelf};
use super::state::{Health, LeftOut, LeftOutReason, LockHealth, SourceState};
use super::task::{Task, Told};
use crate::code::CodeHost;
use crate::config::{Limits, Source, Trust};
use crate::memory::Memory;

/// How long the first clients wait for sources that are slow to start, and sources for those before them.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Runs a task for each source of a server.
pub(crate) struct Supervisor {
    /// Who has which name.
    shelf: Arc<Shelf>,
    /// The servers whose prompts and resources are passed through.
    upstreams: Upstreams,
    data: PathBuf,
    limits: Limits,
    memory: Memory,
    /// What tools do that are mocked.
    mock: Option<Arc<Mock>>,
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
    trust: Option<Trust>,
    wanted: watch::Sender<Source>,
    told: watch::Receiver<Told>,
    stop: CancellationToken,
}

impl Slot {
    fn place(&self) -> Place<'_> {
        Place {
            id: &self.id,
            label: &self.label,
            trust: self.trust,
        }
    }
}

impl Supervisor {
    pub(crate) fn new(
        shelf: Shelf,
        upstreams: Upstreams,
        data: PathBuf,
        limits: Limits,
        memory: Memory,
        code: Option<Arc<CodeHost>>,
    ) -> Self {
        Self {
            code,
            shelf: Arc::new(shelf),
            upstreams,
            data,
            limits,
            memory,
            mock: None,
            stop: CancellationToken::new(),
            slots: Mutex::default(),
            started: AtomicU64::new(0),
        }
    }

    /// The same, whose tools are mocked.
    pub(crate) fn mocking(mut self, mock: Option<Mock>) -> Self {
        self.mock = mock.map(Arc::new);
        self
    }

    /// What mocked tools do, if they are.
    pub(crate) fn mock(&self) -> Option<&Mock> {
        self.mock.as_deref()
    }

    /// Follows the config: sources that are new are started, those that have changed are built
    /// again, those that are gone are taken out. The others go on.
    pub(crate) fn apply(&self, sources: &[Source]) {
        self.shelf.follow_lock();
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
                        slot.trust = source.trust();
                        slot.wanted.send_replace(source.clone());
                    }
                    slots.push(Slot { label, ..slot });
                }
                None => slots.push(self.start(label, fingerprint.clone(), source.clone())),
            }
        }
        self.upstreams.sort(slots.iter().map(|slot| &*slot.id));
        self.shelf.arrange(slots.iter().map(Slot::place));
        for slot in before {
            tracing::info!(source = slot.label, "the source is gone");
            slot.stop.cancel();
        }
    }

    /// How the sources are, and the tool that runs scripts.
    pub(crate) fn health(&self) -> Vec<Health> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let health = slots.iter().map(|slot| self.health_of(slot));
        let code = self.code.iter().map(|code| code.health());
        health.chain(code).collect()
    }

    /// The names of the sources whose tools are not all known: `None` for one without a name.
    pub(crate) fn not_ready(&self) -> Vec<Option<String>> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = slots
            .iter()
            .filter(|slot| slot.told.borrow().state != SourceState::Ready);
        let names = waiting.map(|slot| slot.wanted.borrow().name().map(str::to_owned));
        let code = self
            .code
            .iter()
            .filter(|code| code.health().state != SourceState::Ready);
        names.chain(code.map(|_| None)).collect()
    }

    /// Waits until each source has been tried once, but not for longer than this.
    pub(crate) async fn settled(&self, time: Duration) {
        let waiting: Vec<watch::Receiver<Told>> = {
            let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.iter().map(|slot| slot.told.clone()).collect()
        };
        let all = async {
            for mut told in waiting {
                // It ends only with the source.
                let _ = told
                    .wait_for(|told| told.state != SourceState::Starting)
                    .await;
            }
        };
        let _ = tokio::time::timeout(time, all).await;
    }

    fn health_of(&self, slot: &Slot) -> Health {
        let told = slot.told.borrow().clone();
        let verdict = self.shelf.verdict(&slot.id);
        let reasons = [
            LeftOut::counted(LeftOutReason::Invalid, told.invalid),
            LeftOut::counted(LeftOutReason::Limit, told.beyond_limits),
            LeftOut::new(LeftOutReason::NameTaken, &verdict.taken),
            LeftOut::new(LeftOutReason::Waiting, &verdict.waiting),
            LeftOut::new(LeftOutReason::Quarantined, &verdict.quarantined),
        ];
        let reasons: Vec<LeftOut> = reasons.into_iter().flatten().collect();
        Health {
            source: slot.label.clone(),
            state: told.state,
            tools: verdict.served,
            left_out: reasons.iter().map(|reason| reason.tools).sum(),
            reasons,
            lock: LockHealth::of(&verdict),
            why: told.why,
            runtimes: told.host.as_ref().map(|host| host.runtimes().len()),
        }
    }

    /// How many tools of each source are in quarantine, if a lock is there.
    pub(crate) fn quarantined(&self) -> Vec<(String, usize)> {
        if !self.shelf.has_lock() {
            return Vec::new();
        }
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |slot: &Slot| {
            (
                slot.label.clone(),
                self.shelf.verdict(&slot.id).quarantined.len(),
            )
        };
        slots.iter().map(of).collect()
    }

    /// The hosts of the grids among the sources.
    pub(crate) fn hosts(&self) -> Vec<Host> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots
            .iter()
            .filter_map(|slot| slot.told.borrow().host.clone())
            .collect()
    }

    fn start(&self, label: String, fingerprint: Vec<u8>, source: Source) -> Slot {
        let stop = self.stop.child_token();
        let started = self.started.fetch_add(1, Ordering::Relaxed);
        let id = format!("{label}@{started}");
        let trust = source.trust();
        let place = Place {
            id: &id,
            label: &label,
            trust,
        };
        self.shelf.add(place, source.name());
        let toolset = source.name().map(str::to_owned);
        let (wanted, wanted_receiver) = watch::channel(source);
        let (told_sender, told) = watch::channel(Told::default());
        let task = Task {
            label: label.clone(),
            id: id.clone(),
            toolset,
            shelf: Arc::clone(&self.shelf),
            upstreams: self.upstreams.clone(),
            data: self.data.clone(),
            limits: self.limits,
            memory: self.memory.clone(),
            mock: self.mock.clone(),
            wanted: wanted_receiver,
            told: told_sender,
            upstream: None,
            host: None,
            sessions: BTreeSet::new(),
            logged: None,
        };
        let stopped = stop.clone();
        tokio::spawn(async move { Box::pin(task.run(&stopped)).await });
        Slot {
            label,
            id,
            fingerprint,
            trust,
            wanted,
            told,
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
