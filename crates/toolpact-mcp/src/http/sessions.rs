//! The sessions of clients of 2025.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::events::EventStream;
use crate::server::Client;

/// How many streams of a session are kept for a client that comes back.
const STREAMS: usize = 64;

/// After which time sessions without any activity make room for new ones, if there are too many: those
/// that were never used, and those that were.
const UNUSED: Duration = Duration::from_secs(1);
const USED: Duration = Duration::from_secs(30);

/// Only names that were made here are put in, so nobody can choose them to be slow.
type Names = HashMap<Box<str>, Arc<HttpSession>, foldhash::fast::RandomState>;

pub(super) struct Sessions {
    open: Mutex<Names>,
    most: usize,
    idle: Duration,
    born: Instant,
}

/// A session, which ends when it is removed.
pub(super) struct HttpSession {
    pub(super) client: Arc<Client>,
    /// What is sent outside of any request.
    pub(super) general: Arc<EventStream>,
    streams: Mutex<Streams>,
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
    pub(super) fn new(most: usize, idle: Duration) -> Self {
        Self {
            open: Mutex::default(),
            most,
            idle,
            born: Instant::now(),
        }
    }

    /// Opens a session and returns its name, unless there are too many.
    pub(super) fn add(&self, client: Client) -> Option<Box<str>> {
        let name = random_name()?;
        let session = HttpSession {
            client: Arc::new(client),
            general: Arc::new(EventStream::new(None, true)),
            streams: Mutex::default(),
            is_initialized: AtomicBool::new(false),
            heard: AtomicU64::new(self.now()),
            open: AtomicUsize::new(0),
        };
        let mut open = self.lock();
        if open.len() >= self.most {
            let unused = self.least_used(&open)?;
            open.remove(&unused);
        }
        open.insert(name.clone(), Arc::new(session));
        Some(name)
    }

    /// The session that can be dropped with the least harm, if there is one.
    fn least_used(&self, open: &Names) -> Option<Box<str>> {
        let now = self.now();
        let idle = open.iter().filter(|(_, session)| {
            let most = match session.is_initialized() {
                true => USED,
                false => UNUSED,
            };
            session.is_idle(now, most.min(self.idle))
        });
        let least = idle.min_by_key(|(_, session)| session.heard.load(Ordering::Relaxed));
        least.map(|(name, _)| name.clone())
    }

    /// The session of this name. That it was asked for is activity.
    pub(super) fn get(&self, name: &str) -> Option<Arc<HttpSession>> {
        let session = self.lock().get(name).cloned()?;
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
        Arc::new(EventStream::new(Some(streams.last), true))
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
        let is_open = self.open.load(Ordering::Relaxed) > 0 || self.client.calls.len() > 0;
        !is_open && u128::from(quiet) >= most.as_millis()
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
