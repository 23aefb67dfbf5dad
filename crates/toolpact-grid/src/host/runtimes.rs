//! The runtimes that a host knows, and which of them gets a call.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::development::Callable;
use super::report::{CallCounts, CallFigures};
use crate::breaker::Breaker;
use crate::presence::{BATCH, BELIEVED, PROBE, Presence};
use crate::subject::Id;

/// How long a runtime has to show that it can answer.
const TO_SHOW: Duration = Duration::from_secs(1);

/// Most runtimes that are compared for one call.
const COMPARED: usize = 8;

/// A runtime as a host sees it.
#[derive(Debug)]
pub(crate) struct KnownRuntime {
    pub(crate) id: Id,
    capacity: usize,
    takes_batches: bool,
    draining: AtomicBool,
    /// The server had nobody there; until it says again that it is.
    gone: AtomicBool,
    /// It has shown that it can answer, or does not know how to.
    can_answer: AtomicBool,
    since: Instant,
    /// Calls of this host that it has not answered.
    in_flight: AtomicUsize,
    pub(crate) breaker: Breaker,
    pub(crate) calls: CallCounts,
    said: Mutex<(Presence, Instant)>,
    /// The keys under which it is listed.
    listed: Mutex<Vec<Box<str>>>,
}

/// A runtime of a host, for those who look after it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RuntimeStatus {
    /// What it said last.
    pub presence: Presence,
    /// How many calls of this host it has not answered.
    pub in_flight_here: usize,
    /// Whether it is left alone, after failures.
    pub breaker_open: bool,
    /// Its calls of this host so far.
    pub calls: CallFigures,
}

impl KnownRuntime {
    fn new(id: Id, presence: Presence) -> Self {
        Self {
            id,
            capacity: presence.capacity,
            takes_batches: presence.has(BATCH),
            draining: AtomicBool::new(presence.draining),
            gone: AtomicBool::new(false),
            can_answer: AtomicBool::new(!presence.has(PROBE)),
            since: Instant::now(),
            in_flight: AtomicUsize::new(0),
            breaker: Breaker::default(),
            calls: CallCounts::default(),
            said: Mutex::new((presence, Instant::now())),
            listed: Mutex::default(),
        }
    }

    /// It does not listen, as the server says.
    pub(crate) fn is_gone(&self) {
        self.gone.store(true, Ordering::Release);
    }

    /// It takes no more calls, as it says itself.
    pub(crate) fn drains(&self) {
        self.draining.store(true, Ordering::Release);
    }

    /// Whether it has a feature that can be left out.
    pub(crate) fn has(&self, feature: &str) -> bool {
        self.said().0.has(feature)
    }

    /// It has had time to show that it can answer, and has not. It may not publish where this host listens, or has
    /// another trouble.
    fn is_mute(&self) -> bool {
        !self.can_answer.load(Ordering::Acquire) && self.since.elapsed() > TO_SHOW
    }

    fn takes_calls(&self) -> bool {
        !self.is_mute()
            && !self.gone.load(Ordering::Acquire)
            && !self.draining.load(Ordering::Acquire)
    }

    /// Whether it takes several calls in a message.
    pub(crate) fn takes_batches(&self) -> bool {
        self.takes_batches
    }

    /// Thousandths of its capacity that are calls of this host.
    fn load(&self) -> usize {
        let calls = self.in_flight.load(Ordering::Relaxed);
        calls.saturating_mul(1000) / self.capacity.max(1)
    }

    fn is_full(&self) -> bool {
        self.in_flight.load(Ordering::Relaxed) >= self.capacity
    }

    fn listed(&self) -> MutexGuard<'_, Vec<Box<str>>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn said(&self) -> MutexGuard<'_, (Presence, Instant)> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that a runtime has: it counts until this is dropped.
pub(crate) struct Assigned(pub(crate) Arc<KnownRuntime>);

impl Assigned {
    fn new(runtime: &Arc<KnownRuntime>) -> Self {
        runtime.in_flight.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(runtime))
    }
}

impl Drop for Assigned {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why no runtime gets a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nobody {
    /// None has the tool.
    Absent,
    /// None that has it can answer this host.
    Mute,
    /// All that have it drain.
    Draining,
    /// All that have it were left alone after failures.
    Broken,
    /// All that have it run as many calls of this host as they take.
    Full,
}

fn why_nobody(all: &[Arc<KnownRuntime>]) -> Nobody {
    let is_there = |one: &Arc<KnownRuntime>| !one.gone.load(Ordering::Acquire);
    match all.iter().any(is_there) {
        false => Nobody::Absent,
        true if all.iter().all(|one| !is_there(one) || one.is_mute()) => Nobody::Mute,
        true if all.iter().any(|one| one.takes_calls()) => Nobody::Broken,
        true => Nobody::Draining,
    }
}

/// Digests by the names of tools.
type Tools = BTreeMap<Box<str>, Box<str>>;

/// The runtimes that have a tool.
type Candidates = Arc<[Arc<KnownRuntime>]>;

/// All of them, by the tools of the manifest.
#[derive(Default)]
pub(crate) struct Runtimes {
    by_id: Mutex<HashMap<Id, Arc<KnownRuntime>>>,
    by_tool: RwLock<HashMap<Box<str>, Candidates>>,
    turn: AtomicUsize,
}

impl Runtimes {
    /// A runtime for a call: of some that may have it, the one with the least to do.
    pub(crate) fn pick(&self, tool: &str, tried: &[Id]) -> Result<Assigned, Nobody> {
        let by_tool = self.by_tool.read().unwrap_or_else(PoisonError::into_inner);
        let all = by_tool.get(tool).cloned().ok_or(Nobody::Absent)?;
        drop(by_tool);
        // Those with the same load are asked in turn.
        let start = self.turn.fetch_add(1, Ordering::Relaxed) % all.len().max(1);
        let (after, before) = all.split_at(start);
        let in_turn = before.iter().chain(after);
        let taking = in_turn.filter(|one| one.takes_calls());
        let some = taking.filter(|one| !tried.contains(&one.id)).take(COMPARED);
        let now = Instant::now();
        // One that was left alone is tried when its time has come, whatever the others have to do.
        let mut open = some.clone().filter(|one| one.breaker.is_open());
        let chosen = open.find(|one| one.breaker.allows(now)).or_else(|| {
            let closed = some.filter(|one| !one.breaker.is_open());
            closed.min_by_key(|one| one.load())
        });
        match chosen {
            Some(full) if full.is_full() => Err(Nobody::Full),
            Some(chosen) => Ok(Assigned::new(chosen)),
            None => Err(why_nobody(&all)),
        }
    }

    /// What a runtime says about itself. Of its tools, those count that the manifest has in that version. Returns
    /// whether it is still to show that it can answer.
    pub(crate) fn hear(&self, presence: Presence, callable: Callable<'_>) -> bool {
        let Ok(id) = Id::new(&presence.runtime) else {
            return false;
        };
        if !presence.speaks_our_version() {
            return false;
        }
        let mut by_id = self.lock();
        match by_id.get(&id) {
            Some(known) if known.capacity == presence.capacity => {
                known.draining.store(presence.draining, Ordering::Release);
                known.gone.store(false, Ordering::Release);
                let mut said = known.said();
                if said.0.tools != presence.tools {
                    self.unlist(known);
                    self.list(known, &presence.tools, callable);
                }
                *said = (presence, Instant::now());
                !known.can_answer.load(Ordering::Acquire)
            }
            other => {
                if let Some(known) = other {
                    self.unlist(known);
                }
                let is_to_show = presence.has(PROBE);
                let known = Arc::new(KnownRuntime::new(id.clone(), presence));
                self.list(&known, &known.said().0.tools, callable);
                by_id.insert(id, known);
                is_to_show
            }
        }
    }

    /// A runtime has shown that it can answer.
    pub(crate) fn answered(&self, id: &str) {
        let Ok(id) = Id::new(id) else { return };
        if let Some(known) = self.lock().get(&id) {
            known.can_answer.store(true, Ordering::Release);
        }
    }

    /// A runtime has left.
    pub(crate) fn forget(&self, id: &str) {
        let mut by_id = self.lock();
        let Ok(id) = Id::new(id) else { return };
        if let Some(known) = by_id.remove(&id) {
            self.unlist(&known);
        }
    }

    /// What it may be called for may have changed.
    pub(crate) fn list_again(&self, id: &Id, callable: Callable<'_>) {
        let by_id = self.lock();
        if let Some(known) = by_id.get(id) {
            self.unlist(known);
            self.list(known, &known.said().0.tools, callable);
        }
    }

    pub(crate) fn knows(&self, id: &Id) -> bool {
        self.lock().contains_key(id)
    }

    /// Forgets those that have said nothing for too long.
    pub(crate) fn forget_silent(&self) {
        let silent = |_: &Id, known: &mut Arc<KnownRuntime>| known.said().1.elapsed() >= BELIEVED;
        let mut by_id = self.lock();
        for (_, known) in by_id.extract_if(silent) {
            self.unlist(&known);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    pub(crate) fn status(&self) -> Vec<RuntimeStatus> {
        let by_id = self.lock();
        let mut all: Vec<_> = by_id
            .values()
            .map(|known| RuntimeStatus {
                presence: known.said().0.clone(),
                in_flight_here: known.in_flight.load(Ordering::Relaxed),
                breaker_open: known.breaker.is_open(),
                calls: known.calls.figures(known.id.as_str()),
            })
            .collect();
        all.sort_by(|one, other| one.presence.runtime.cmp(&other.presence.runtime));
        all
    }

    /// Puts a runtime among those of its tools. Others stay as they are: with a thousand runtimes, to list all again for
    /// each that comes would take seconds.
    fn list(&self, known: &Arc<KnownRuntime>, tools: &Tools, callable: Callable<'_>) {
        let keys = tools.iter();
        let keys = keys.filter_map(|(name, digest)| callable.key(&known.id, name, digest));
        let keys: Vec<Box<str>> = keys.collect();
        let mut by_tool = self.by_tool.write().unwrap_or_else(PoisonError::into_inner);
        for key in &keys {
            let list = by_tool.entry(key.clone()).or_insert_with(|| Arc::new([]));
            *list = list.iter().chain([known]).cloned().collect();
        }
        *known.listed() = keys;
    }

    /// Takes a runtime from those of its tools.
    fn unlist(&self, known: &Arc<KnownRuntime>) {
        let mut by_tool = self.by_tool.write().unwrap_or_else(PoisonError::into_inner);
        for key in std::mem::take(&mut *known.listed()) {
            if let Some(list) = by_tool.get_mut(&key) {
                *list = list
                    .iter()
                    .filter(|one| !Arc::ptr_eq(one, known))
                    .cloned()
                    .collect();
                if list.is_empty() {
                    by_tool.remove(&key);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Arc<KnownRuntime>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
