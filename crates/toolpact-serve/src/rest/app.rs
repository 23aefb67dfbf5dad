//! What all requests have in common.

use std::sync::{Arc, Mutex, PoisonError};

use toolpact::core::contract::Contract;
use toolpact::core::model::ToolName;
use toolpact::{Registry, Session};

use super::reply::Failure;
use super::sessions::Sessions;
use super::streams::Streams;
use crate::config::Limits;
use crate::sources::Supervisor;

pub(crate) struct App {
    pub(crate) limits: Limits,
    pub(crate) supervisor: Arc<Supervisor>,
    pub(crate) sessions: Sessions,
    pub(crate) streams: Arc<Streams>,
    registry: Registry,
    /// The tools as they are, and how often they had changed then.
    current: Mutex<(u64, Session)>,
}

impl App {
    /// Fails if two tools that are there already cannot be told apart.
    pub(crate) fn new(
        registry: Registry,
        supervisor: Arc<Supervisor>,
        limits: Limits,
    ) -> Result<Self, toolpact::Error> {
        let generation = *registry.changes().borrow();
        let session = registry.session().qualified().open()?;
        Ok(Self {
            limits,
            supervisor,
            sessions: Sessions::new(limits),
            streams: Arc::new(Streams::new(limits.resume())),
            registry,
            current: Mutex::new((generation, session)),
        })
    }

    /// A session that sees the tools as they are now. If two cannot be told apart now, as they were
    /// before.
    pub(crate) fn tools(&self) -> Session {
        // A change in between is seen the next time.
        let generation = *self.registry.changes().borrow();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0 != generation {
            match self.registry.session().qualified().open() {
                Ok(session) => *current = (generation, session),
                Err(error) => {
                    tracing::error!(%error, "the change is not served");
                    current.0 = generation;
                }
            }
        }
        current.1.clone()
    }

    /// The session of this name, and whether it outlives the request; one for this request if there is no
    /// name.
    pub(super) fn session(&self, name: Option<&str>) -> Result<(Session, bool), Failure> {
        match name {
            Some(name) => Ok((self.sessions.get(name)?, true)),
            None => Ok((self.tools(), false)),
        }
    }

    /// The contracts under the names that calls use.
    pub(crate) fn contracts(&self) -> Vec<Contract> {
        let session = self.tools();
        let contracts = session.contracts();
        contracts
            .filter_map(|(name, contract)| Some(contract.renamed(ToolName::new(name).ok()?)))
            .collect()
    }
}
