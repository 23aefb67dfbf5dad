//! One client: what it knows of the tools, and what it said of itself.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::model::{InitializeRequestParams, ProtocolVersion};
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::Session;
use toolpact::session::LogLevel;

use super::asking::Can;
use super::catalog::Catalog;
use super::shared::Shared;

/// One client, or one request of a client without a session.
pub(crate) struct Client {
    pub(super) shared: Arc<Shared>,
    catalog: Arc<Catalog>,
    /// Nothing until it is needed: the library makes more of these than there are clients.
    seen: Mutex<Option<Seen>>,
    /// What was agreed upon when its session began.
    agreed: OnceLock<Agreed>,
    /// From where on it wants to be told of the log.
    level: Mutex<Option<LogLevel>>,
}

/// What the client knows of the tools, and the session that holds them.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(super) catalog: Arc<Catalog>,
    pub(super) session: Session,
}

/// What was agreed upon with a client that has a session.
pub(crate) struct Agreed {
    pub(crate) version: ProtocolVersion,
    /// The name of the client.
    pub(crate) name: String,
    /// What it can be asked.
    pub(crate) can: Can,
    /// Cancelled when the client is gone, and with it what is done for it.
    gone: CancellationToken,
    _ends: DropGuard,
}

impl Seen {
    pub(crate) fn of(catalog: Arc<Catalog>) -> Self {
        let session = catalog.session.fork();
        Self { catalog, session }
    }
}

impl Client {
    pub(super) fn new(shared: Arc<Shared>) -> Result<Self, toolpact::Error> {
        Ok(Self {
            catalog: shared.catalog()?,
            shared,
            seen: Mutex::new(None),
            agreed: OnceLock::new(),
            level: Mutex::new(None),
        })
    }

    pub(crate) fn seen(&self) -> Seen {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = seen.get_or_insert_with(|| Seen::of(Arc::clone(&self.catalog)));
        seen.clone()
    }

    pub(super) fn catalog(&self) -> Arc<Catalog> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let catalog = seen.as_ref().map_or(&self.catalog, |seen| &seen.catalog);
        Arc::clone(catalog)
    }

    /// Takes a client that lists the tools from the start to the tools as they are now. Calls that
    /// run go on.
    pub(super) fn look_again(&self) {
        let Ok(catalog) = self.shared.catalog() else {
            return;
        };
        if self.catalog().generation != catalog.generation {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            *seen = Some(Seen::of(catalog));
        }
    }

    /// From where on the client wants to be told of the log.
    pub(crate) fn level(&self) -> Option<LogLevel> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_level(&self, level: Option<LogLevel>) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    /// What was agreed upon, once a session has begun.
    pub(crate) fn agreed(&self) -> Option<&Agreed> {
        self.agreed.get()
    }

    /// Begins the session. There is nothing if it had begun before, which a client can say again and
    /// again.
    pub(super) fn agree(&self, said: &InitializeRequestParams) -> Option<&Agreed> {
        let gone = CancellationToken::new();
        let agreed = Agreed {
            version: said.protocol_version.clone(),
            name: said.client_info.name.clone(),
            can: Can::of(&said.capabilities, &said.protocol_version),
            _ends: gone.clone().drop_guard(),
            gone,
        };
        self.agreed.set(agreed).ok()?;
        self.agreed.get()
    }
}

impl Agreed {
    /// Cancelled when the client is gone.
    pub(crate) fn gone(&self) -> CancellationToken {
        self.gone.child_token()
    }
}
