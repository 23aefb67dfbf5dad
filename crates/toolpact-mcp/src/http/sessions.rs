//! The sessions of clients of 2025.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolpact::Principal;
use toolpact::core::memory::MemoryBudget;
use toolpact_http::{Holder, NoRoom, Owner, Room};

use super::events::EventStream;
use super::kept_streams::KeptStreams;
use crate::server::Client;

/// How many streams of a session are kept for a client that comes back.
const STREAMS: usize = 64;

/// Only names that were made here are put in, so nobody can choose them to be slow.
type Names = HashMap<Box<str>, Arc<HttpSession>, foldhash::fast::RandomState>;

pub(super) struct Sessions {
    open: Mutex<Names>,
    kept: Arc<KeptStreams>,
    room: Room,
    idle: Duration,
    born: Instant,
}

/// A session, which ends when it is removed.
pub(super) struct HttpSession {
    pub(super) client: Arc<Client>,
    owner: Owner,
    /// What is sent outside of any request.
    pub(super) general: Arc<EventStream>,
    streams: Mutex<Streams>,
    /// Those of all sessions that have ended.
    kept: Arc<KeptStreams>,
    is_initialized: AtomicBool,
    /// When the client was heard of last, in milliseconds since the beginning.
    heard: AtomicU64,
    /// Requests and streams that are open.
    open: AtomicUsize,
}

#[derive(Default)]
struct Streams {
    kept: Vec<Arc<EventStream>>,
    last: u64,
}

/// A request or a stream of a session that is open.
pub(super) struct Open(Arc<HttpSession>);

impl Sessions {
    pub(super) fn new(room: Room, idle: Duration, memory: &Arc<MemoryBudget>) -> Self {
        Self {
            open: Mutex::default(),
            kept: Arc::new(KeptStreams::new(memory)),
            room,
            idle,
            born: Instant::now(),
        }
    }

    /// Opens a session and returns its name. One that is not in use makes room for it, if there are too many.
    pub(super) fn add(&self, client: Client, owner: &Owner) -> Result<Box<str>, NoRoom> {
        let name = random_name().ok_or(NoRoom::Server)?;
        let session = HttpSession {
            client: Arc::new(client),
            owner: owner.clone(),
            general: Arc::new(EventStream::resumable(None, &self.kept)),
            streams: Mutex::default(),
            kept: Arc::clone(&self.kept),
            is_initialized: AtomicBool::new(false),
            heard: AtomicU64::new(self.now()),
            open: AtomicUsize::new(0),
        };
        let mut open = self.lock();
        let goes = self.room.make(owner, || {
            open.iter().map(|(name, session)| session.holder(name))
        })?;
        if let Some(goes) = goes.map(Box::<str>::from)
            && let Some(session) = open.remove(&goes)
        {
            session.close();
        }
        open.insert(name.clone(), Arc::new(session));
        Ok(name)
    }

    /// The session of this name, if it is this principal's. That it was asked for is activity.
    pub(super) fn get(&self, name: &str, principal: &Principal) -> Option<Arc<HttpSession>> {
        let session = self.lock().get(name).cloned()?;
        (*session.client.principal() == *principal).then_some(())?;
        session.heard.store(self.now(), Ordering::Relaxed);
        Some(session)
    }

    /// Ends a session and everything that runs in it.
    pub(super) fn remove(&self, name: &str) -> bool {
        let removed = self.lock().remove(name);
        removed.inspect(|session| session.close()).is_some()
    }

    pub(super) fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        for session in all.values() {
            session.close();
        }
    }

    /// Ends sessions without activity.
    pub(super) fn sweep(&self) {
        let now = self.now();
        self.lock().retain(|_, session| {
            let is_idle = session.is_idle(now, self.idle);
            if is_idle {
                session.close();
            }
            !is_idle
        });
    }

    pub(super) fn all(&self) -> Vec<Arc<HttpSession>> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// How often to sweep.
    pub(super) fn sweep_every(&self) -> Duration {
        (self.idle / 4).max(Duration::from_millis(50))
    }

    fn now(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, Names> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HttpSession {
    pub(super) fn initialized(&self) {
        self.is_initialized.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_initialized(&self) -> bool {
        self.is_initialized.load(Ordering::Relaxed)
    }

    /// Counts a request or a stream as open.
    pub(super) fn open(self: &Arc<Self>) -> Open {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(Arc::clone(self))
    }

    /// A stream for the messages about one request.
    pub(super) fn new_stream(&self) -> Arc<EventStream> {
        let mut streams = self.streams();
        streams.last += 1;
        Arc::new(EventStream::resumable(Some(streams.last), &self.kept))
    }

    /// Keeps a stream for a client that comes back. Those that have ended make room.
    pub(super) fn keep(&self, stream: &Arc<EventStream>) {
        let mut streams = self.streams();
        if streams.kept.len() >= STREAMS {
            let oldest = streams.kept.iter().position(|stream| stream.has_ended());
            streams.kept.remove(oldest.unwrap_or(0));
        }
        streams.kept.push(Arc::clone(stream));
    }

    /// The stream of this number; the general one if there is no number.
    pub(super) fn stream(&self, number: Option<u64>) -> Option<Arc<EventStream>> {
        let Some(number) = number else {
            return Some(Arc::clone(&self.general));
        };
        let streams = self.streams();
        let found = streams.kept.iter().find(|s| s.number() == Some(number));
        found.cloned()
    }

    fn is_idle(&self, now: u64, most: Duration) -> bool {
        let quiet = now.saturating_sub(self.heard.load(Ordering::Relaxed));
        !self.is_in_use() && u128::from(quiet) >= most.as_millis()
    }

    fn is_in_use(&self) -> bool {
        self.open.load(Ordering::Relaxed) > 0 || self.client.calls.len() > 0
    }

    /// Those that were never used go before those that were, and of each the one that was heard of longest
    /// ago.
    fn holder<'a>(&self, name: &'a str) -> Holder<&'a str, (bool, u64)> {
        let heard = self.heard.load(Ordering::Relaxed);
        Holder {
            key: name,
            owner: self.owner.clone(),
            rank: (!self.is_in_use()).then_some((self.is_initialized(), heard)),
        }
    }

    fn close(&self) {
        self.client.gone().cancel();
        self.general.end(None);
        for stream in self.streams().kept.drain(..) {
            stream.end(None);
        }
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A name that nobody can guess: whoever knows it has the session.
fn random_name() -> Option<Box<str>> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)).into())
}
