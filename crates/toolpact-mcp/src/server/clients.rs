//! The clients that have sessions, for a transport that answers some of their calls itself.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use http::request::Parts;
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

use super::client::Client;

/// The clients by their sessions. Cloning is cheap, and clones are the same.
#[derive(Clone)]
pub(crate) struct Clients(Arc<Inner>);

struct Inner {
    sessions: RwLock<HashMap<Box<str>, Arc<Known>>>,
    born: Instant,
}

/// A client that has a session, for as long as the library keeps that.
pub(crate) struct Known {
    client: Weak<Client>,
    calls: Mutex<Calls>,
    /// When the library heard of the client last, in milliseconds since the beginning.
    heard: AtomicU64,
}

/// The calls of a client that the library may not have heard of.
#[derive(Default)]
struct Calls {
    running: HashMap<u64, (RequestId, CancellationToken)>,
    last: u64,
}

/// A call that its client may cancel, for as long as this is held.
pub(crate) struct KnownCall {
    known: Arc<Known>,
    number: u64,
}

impl Default for Clients {
    fn default() -> Self {
        Self(Arc::new(Inner {
            sessions: RwLock::default(),
            born: Instant::now(),
        }))
    }
}

impl Clients {
    /// The header that names a session.
    pub(crate) const HEADER: &str = "mcp-session-id";

    /// Tells of a client whose session has begun, if whoever passed on its message wants to know.
    pub(super) fn introduce(parts: &Parts, client: &Arc<Client>) {
        let session = parts.headers.get(Self::HEADER);
        let session = session.and_then(|session| session.to_str().ok());
        if let (Some(clients), Some(session)) = (parts.extensions.get::<Self>(), session) {
            clients.add(session, client);
        }
    }

    /// Those that are gone are forgotten.
    fn add(&self, session: &str, client: &Arc<Client>) {
        let known = Known {
            client: Arc::downgrade(client),
            calls: Mutex::default(),
            heard: AtomicU64::new(self.now()),
        };
        let mut sessions = self.sessions_mut();
        sessions.retain(|_, known| known.client.strong_count() > 0);
        sessions.insert(session.into(), Arc::new(known));
    }

    /// Ends what is done for a client whose session has ended.
    pub(crate) fn remove(&self, session: &str) {
        let known = self.sessions_mut().remove(session);
        if let Some(known) = known {
            known.cancel_all();
        }
    }

    /// Ends what is done for all of them.
    pub(crate) fn clear(&self) {
        let all = std::mem::take(&mut *self.sessions_mut());
        for known in all.values() {
            known.cancel_all();
        }
    }

    pub(crate) fn get(&self, session: &str) -> Option<Arc<Known>> {
        let sessions = self.0.sessions.read();
        let sessions = sessions.unwrap_or_else(PoisonError::into_inner);
        sessions.get(session).cloned()
    }

    /// Whether it is time that the library hears of the client again, which would take it for idle.
    pub(crate) fn is_due(&self, known: &Known, every: Duration) -> bool {
        let now = self.now();
        let heard = known.heard.load(Ordering::Relaxed);
        let due = u128::from(now.saturating_sub(heard)) >= every.as_millis();
        if due {
            known.heard.store(now, Ordering::Relaxed);
        }
        due
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.born.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn sessions_mut(&self) -> impl std::ops::DerefMut<Target = HashMap<Box<str>, Arc<Known>>> {
        let sessions = self.0.sessions.write();
        sessions.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// The client, if it is there still.
    pub(crate) fn client(&self) -> Option<Arc<Client>> {
        self.client.upgrade()
    }

    /// Takes note of a call.
    pub(crate) fn begin(self: &Arc<Self>, id: RequestId, cancel: &CancellationToken) -> KnownCall {
        let mut calls = self.calls();
        calls.last += 1;
        let number = calls.last;
        calls.running.insert(number, (id, cancel.clone()));
        let known = Arc::clone(self);
        KnownCall { known, number }
    }

    /// Cancels what runs under this identifier.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let calls = self.calls();
        let meant = calls.running.values().filter(|(known, _)| known == id);
        meant.for_each(|(_, cancel)| cancel.cancel());
    }

    fn cancel_all(&self) {
        let calls = self.calls();
        calls
            .running
            .values()
            .for_each(|(_, cancel)| cancel.cancel());
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KnownCall {
    fn drop(&mut self) {
        self.known.calls().running.remove(&self.number);
    }
}
