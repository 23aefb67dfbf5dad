//! What all requests have in common.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use toolpact::session::PerPrincipal;
use toolpact::{Principal, Registry, Session};
use toolpact_audit::AuditMetrics;
use toolpact_identity::ProtectedResource;

use super::authorizations::Authorizations;
use super::documents::Documents;
use super::reply::Failure;
use super::sender::Sender;
use super::sessions::Sessions;
use super::streams::Streams;
use crate::approvals::Approvals;
use crate::config::Limits;
use crate::memory::Memory;
use crate::sources::Supervisor;

pub(crate) struct App {
    pub(crate) limits: Limits,
    pub(crate) supervisor: Arc<Supervisor>,
    pub(crate) sessions: Sessions,
    pub(crate) streams: Arc<Streams>,
    pub(super) documents: Documents,
    pub(super) memory: Memory,
    /// Which scopes tools need.
    pub(super) resource: Option<ProtectedResource>,
    /// Counters are written by one request at a time.
    pub(super) metrics: Arc<Semaphore>,
    /// The calls that are held, if there are policies.
    pub(super) approvals: Option<Approvals>,
    /// What the audit has counted, if there is one.
    pub(super) audit: Option<AuditMetrics>,
    /// Calls whose tools clients run themselves.
    pub(super) authorizations: Authorizations,
    pub(super) registry: Registry,
    current: Mutex<Current>,
}

/// For how many principals a session is kept.
const PRINCIPALS: usize = 1000;

/// The tools as they are.
#[derive(Clone)]
struct Current {
    /// How often they had changed.
    generation: u64,
    /// As an anonymous principal sees them.
    session: Session,
    others: Arc<PerPrincipal<Session>>,
}

impl Current {
    fn new(generation: u64, session: Session) -> Self {
        Self {
            generation,
            session,
            others: Arc::new(PerPrincipal::new(PRINCIPALS)),
        }
    }

    fn of(&self, principal: &Principal) -> Session {
        match principal.is_anonymous() {
            true => self.session.clone(),
            false => { &self.others }.get(principal, || self.session.fork_for(principal.clone())),
        }
    }
}

impl App {
    pub(crate) fn new(
        registry: Registry,
        supervisor: Arc<Supervisor>,
        limits: Limits,
        memory: Memory,
        resource: Option<ProtectedResource>,
    ) -> Result<Self, toolpact::Error> {
        let generation = *registry.changes().borrow();
        let session = open(&registry)?;
        Ok(Self {
            limits,
            supervisor,
            sessions: Sessions::new(limits),
            streams: Arc::new(Streams::new(limits.resume(), &memory.streams)),
            documents: Documents::new(&memory.documents),
            memory,
            resource,
            metrics: Arc::new(Semaphore::new(1)),
            audit: None,
            approvals: None,
            authorizations: Authorizations::default(),
            registry,
            current: Mutex::new(Current::new(generation, session)),
        })
    }

    /// The same, whose calls are recorded.
    pub(crate) fn audited(mut self, audit: Option<AuditMetrics>) -> Self {
        self.audit = audit;
        self
    }

    /// The same, of which calls may be held.
    pub(crate) fn with_approvals(mut self, approvals: Option<Approvals>) -> Self {
        self.approvals = approvals;
        self
    }

    /// A session of a principal, which sees the tools as they are now.
    pub(crate) fn tools(&self, principal: &Principal) -> Session {
        self.current().of(principal)
    }

    /// The same, and how often the tools had changed.
    pub(super) fn tools_at(&self, principal: &Principal) -> (u64, Session) {
        let current = self.current();
        (current.generation, current.of(principal))
    }

    /// All tools, whoever may see them: for counters and the state of the server.
    pub(crate) fn all_tools(&self) -> Session {
        self.current().session.unfiltered()
    }

    fn current(&self) -> Current {
        // A change in between is seen the next time.
        let generation = *self.registry.changes().borrow();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.generation != generation {
            match open(&self.registry) {
                Ok(session) => {
                    let now = Current::new(generation, session);
                    let before = std::mem::replace(&mut *current, now);
                    forget(before);
                }
                Err(error) => {
                    tracing::error!(%error, "the change is not served");
                    current.generation = generation;
                }
            }
        }
        current.clone()
    }

    /// How many tools there are.
    pub(super) fn count(&self) -> usize {
        self.all_tools().len()
    }

    /// The session of this name, if it is this sender's, and whether it outlives the request; one for this
    /// request if there is no name.
    pub(super) fn session(
        &self,
        name: Option<&str>,
        sender: &Sender,
    ) -> Result<(Session, bool), Failure> {
        let (session, kept) = match name {
            Some(name) => (self.kept_session(name, &sender.principal)?, true),
            None => (self.tools(&sender.principal), false),
        };
        Ok((session.used_by(sender.client.clone()), kept))
    }

    /// The session of this name, if it is this principal's.
    pub(super) fn kept_session(
        &self,
        name: &str,
        principal: &Principal,
    ) -> Result<Session, Failure> {
        let renew = |before: &Session| self.tools(principal).fork_after(before);
        self.sessions.get(name, principal, renew)
    }
}

/// To forget many tools takes a while, which nobody has to wait for.
fn forget(before: Current) {
    drop(toolpact::background::spawn(move || drop(before)));
}

/// A tool that cannot be told apart from another does not take the others with it.
fn open(registry: &Registry) -> Result<Session, toolpact::Error> {
    let session = registry.session().qualified().leave_out_clashes().open()?;
    for error in session.left_out() {
        tracing::warn!(%error, "a tool is not served");
    }
    Ok(session)
}
