use std::time::Duration;

use toolpact_http::{BodyLimits, Guard};

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
    pub(super) sessions: usize,
    pub(super) idle: Duration,
}

impl Default for Http {
    fn default() -> Self {
        Self {
            guard: Guard::default(),
            body: BodyLimits {
                bytes: 4 << 20,
                time: Duration::from_secs(30),
            },
            sessions: 1000,
            idle: Duration::from_secs(300),
        }
    }
}

impl Http {
    /// Who may ask: those on this machine without this.
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = guard;
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

    /// Most sessions that are open at once: 1,000 without this. Clients of 2026-07-28 have none.
    pub fn sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// How long a session stays open without a message, or up to a quarter longer: five minutes
    /// without this.
    pub fn idle(mut self, time: Duration) -> Self {
        self.idle = time;
        self
    }
}
