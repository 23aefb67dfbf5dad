//! The runtimes that a host knows, and which of them gets a call.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::breaker::Breaker;
use crate::contracts::Manifest;
use crate::presence::{BELIEVED, PROBE, Presence};
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
    draining: AtomicBool,
    /// The server had nobody there; until it says again that it is.
    gone: AtomicBool,
    /// It has shown that it can answer, or does not know how to.
    can_answer: AtomicBool,
    since: Instant,
    /// Calls of this host that it has not answered.
    in_flight: AtomicUsize,
    pub(crate) breaker: Breaker,
    said: Mutex<(Presence, Instant)>,
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
}

impl KnownRuntime {
    fn new(id: Id, presence: Presence) -> Self {
        Self {
            id,
            capacity: presence.capacity,
            draining: AtomicBool::new(presence.draining),
            gone: AtomicBool::new(false),
            can_answer: AtomicBool::new(!presence.has(PROBE)),
            since: Instant::now(),
            in_flight: AtomicUsize::new(0),
            breaker: Breaker::default(),
            said: Mutex::new((presence, Instant::now())),
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

    fn load(&self) -> (bool, usize) {
        let calls = self.in_flight.load(Ordering::Relaxed);
        (
            calls >= self.capacity,
            calls.saturating_mul(1000) / self.capacity.max(1),
        )
    }

    fn said(&self) -> MutexGuard<'_, (Presence, Instant)> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that a runtime has: it counts until this is dropped.
pub(crate) struct Assigned(pub(crate) Arc<KnownRuntime>);

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
}

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
        let there: Vec<_> = all
            .iter()
            .filter(|one| !one.gone.load(Ordering::Acquire))
            .collect();
        if there.is_empty() {
            return Err(Nobody::Absent);
        }
        if there.iter().all(|one| one.is_mute()) {
            return Err(Nobody::Mute);
        }
        let taking: Vec<_> = there.into_iter().filter(|one| one.takes_calls()).collect();
        if taking.is_empty() {
            return Err(Nobody::Draining);
        }
        let start = self.turn.fetch_add(1, Ordering::Relaxed) % taking.len();
        let in_turn = taking.iter().cycle().skip(start).take(taking.len());
        let mut some: Vec<_> = in_turn
            .filter(|one| !tried.contains(&one.id))
            .take(COMPARED)
            .collect();
        // Those with the same load stay in turn.
        some.sort_by_key(|one| one.load());
        let now = Instant::now();
        let chosen = some
            .into_iter()
            .find(|one| one.breaker.allows(now))
            .ok_or(Nobody::Broken)?;
        chosen.in_flight.fetch_add(1, Ordering::Relaxed);
        Ok(Assigned(Arc::clone(chosen)))
    }

    /// What a runtime says about itself. Of its tools, those count that the manifest has in that version. Returns
    /// whether it is still to show that it can answer.
    pub(crate) fn hear(&self, presence: Presence, manifest: &Manifest) -> bool {
        let Ok(id) = Id::new(&presence.runtime) else {
            return false;
        };
        if !presence.speaks_our_version() {
            return false;
        }
        let mut by_id = self.lock();
        match by_id
            .get(&id)
            .filter(|known| known.capacity == presence.capacity)
        {
            Some(known) => {
                let same = known.said().0.tools == presence.tools;
                known.draining.store(presence.draining, Ordering::Release);
                known.gone.store(false, Ordering::Release);
                *known.said() = (presence, Instant::now());
                let is_to_show = !known.can_answer.load(Ordering::Acquire);
                if !same {
                    self.index(&by_id, manifest);
                }
                is_to_show
            }
            None => {
                let is_to_show = presence.has(PROBE);
                by_id.insert(id.clone(), Arc::new(KnownRuntime::new(id, presence)));
                self.index(&by_id, manifest);
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
    pub(crate) fn forget(&self, id: &str, manifest: &Manifest) {
        let mut by_id = self.lock();
        let Ok(id) = Id::new(id) else { return };
        if by_id.remove(&id).is_some() {
            self.index(&by_id, manifest);
        }
    }

    /// Forgets those that have said nothing for too long.
    pub(crate) fn forget_silent(&self, manifest: &Manifest) {
        let mut by_id = self.lock();
        let before = by_id.len();
        by_id.retain(|_, known| known.said().1.elapsed() < BELIEVED);
        if by_id.len() < before {
            self.index(&by_id, manifest);
        }
    }

    pub(crate) fn status(&self) -> Vec<RuntimeStatus> {
        let by_id = self.lock();
        let mut all: Vec<_> = by_id
            .values()
            .map(|known| RuntimeStatus {
                presence: known.said().0.clone(),
                in_flight_here: known.in_flight.load(Ordering::Relaxed),
                breaker_open: known.breaker.is_open(),
            })
            .collect();
        all.sort_by(|one, other| one.presence.runtime.cmp(&other.presence.runtime));
        all
    }

    fn index(&self, by_id: &HashMap<Id, Arc<KnownRuntime>>, manifest: &Manifest) {
        let mut lists: HashMap<Box<str>, Vec<Arc<KnownRuntime>>> = HashMap::new();
        for known in by_id.values() {
            for (name, digest) in &known.said().0.tools {
                if manifest
                    .get(name)
                    .is_some_and(|tool| tool.digest == *digest)
                {
                    lists
                        .entry(name.clone())
                        .or_default()
                        .push(Arc::clone(known));
                }
            }
        }
        let by_tool = lists.into_iter().map(|(name, list)| (name, list.into()));
        let mut current = self.by_tool.write().unwrap_or_else(PoisonError::into_inner);
        *current = by_tool.collect();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Arc<KnownRuntime>>> {
        self.by_id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
