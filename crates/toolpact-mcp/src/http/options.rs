use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use toolpact::Principal;
use toolpact_http::{BodyLimits, Guard, Refusal, Room};

/// How many sessions there may be, and how many listeners.
const MANY: Room = Room {
    most: 1000,
    per_address: 250,
    per_principal: 250,
};

/// How a server is reached over HTTP.
///
/// ```
/// use toolpact_mcp::http::{Guard, Http};
///
/// let http = Http::default()
///     .guard(Guard::default().host("tools.example.com").token("s3cret"))
///     .body_bytes(1 << 20);
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Http {
    pub(super) guard: Guard,
    pub(super) body: BodyLimits,
    pub(super) sessions: Room,
    pub(super) listeners: Room,
    pub(super) listen_time: Duration,
    pub(super) idle: Duration,
    pub(super) authorizer: Option<Authorizer>,
}

/// Says why a principal may not call a tool.
#[derive(Clone)]
pub(super) struct Authorizer(pub(super) Arc<Authorize>);

type Authorize = dyn Fn(&str, &Principal) -> Option<Refusal> + Send + Sync;

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authorizer")
    }
}

impl Default for Http {
    fn default() -> Self {
        Self {
            guard: Guard::default(),
            body: BodyLimits {
                bytes: 4 << 20,
                time: Duration::from_secs(30),
            },
            sessions: MANY,
            listeners: MANY,
            listen_time: Duration::from_secs(1800),
            idle: Duration::from_secs(300),
            authorizer: None,
        }
    }
}

impl Http {
    /// Who may ask: those on this machine without this.
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Looks at each call of a tool that its sender sees, before it is made, by the name that it is listed under: what
    /// it refuses is denied, logged, and answered with the status and the challenge of the refusal, which OAuth clients
    /// act on. This is no guard: the calls of scripts do not come by it.
    pub fn authorize(
        mut self,
        refuse: impl Fn(&str, &Principal) -> Option<Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.authorizer = Some(Authorizer(Arc::new(refuse)));
        self
    }

    /// Most bytes of a request: 4 MiB without this.
    pub fn body_bytes(mut self, bytes: usize) -> Self {
        self.body.bytes = bytes;
        self
    }

    /// How long a client may take to send a request: 30 seconds without this.
    pub fn body_time(mut self, time: Duration) -> Self {
        self.body.time = time;
        self
    }

    /// Most sessions that are open at once: 1,000 without this. Those that are not in use make room for
    /// others; if all are, others are refused with 503 and `Retry-After`. Clients of 2026-07-28 have none.
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions.most = sessions;
        self
    }

    /// Most sessions of one address: 250 without this. Addresses of this machine have no such limit, as for
    /// [connections](toolpact_http::Connections::per_address).
    pub fn sessions_per_address(mut self, sessions: usize) -> Self {
        self.sessions.per_address = sessions;
        self
    }

    /// Most sessions of one principal, wherever it comes from: 250 without this. Who is anonymous, and who shows
    /// [a token for all](toolpact_http::OneToken), has no such limit.
    pub fn sessions_per_principal(mut self, sessions: usize) -> Self {
        self.sessions.per_principal = sessions;
        self
    }

    /// Most clients of 2026-07-28 that listen for changes (`subscriptions/listen`): 1,000 without this. Others
    /// are refused with 503 and `Retry-After`.
    pub fn listeners(mut self, listeners: usize) -> Self {
        self.listeners.most = listeners;
        self
    }

    /// Most of them of one address: 250 without this. Addresses of this machine have no such limit.
    pub fn listeners_per_address(mut self, listeners: usize) -> Self {
        self.listeners.per_address = listeners;
        self
    }

    /// Most of them of one principal: 250 without this.
    pub fn listeners_per_principal(mut self, listeners: usize) -> Self {
        self.listeners.per_principal = listeners;
        self
    }

    /// How long a client may listen before it has to ask again: half an hour without this.
    pub fn listen_time(mut self, time: Duration) -> Self {
        self.listen_time = time;
        self
    }

    /// How long a session stays open without a message, or up to a quarter longer: five minutes
    /// without this.
    pub fn idle(mut self, time: Duration) -> Self {
        self.idle = time;
        self
    }
}
