//! One client that stays: what it knows of the tools, and what it said of itself.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tokio_util::sync::CancellationToken;
use toolpact::core::json::{Kind, Node, Value};
use toolpact::session::{ClientInfo, LogLevel};
use toolpact::{Principal, Session};

use super::calls::RunningCalls;
use super::catalog::Catalog;
use super::elicitation::{Capabilities, PendingQuestions};
use super::shared::Shared;
use super::subscriptions::Subscriptions;
use crate::rpc::{Message, RpcError};
use crate::version::Version;

/// A client over standard input, or one that has a session over HTTP.
pub(crate) struct Client {
    pub(crate) shared: Arc<Shared>,
    /// Whose it is. What is said about them besides may change with each request.
    principal: Principal,
    snapshot: Mutex<ToolSnapshot>,
    negotiated: OnceLock<Negotiated>,
    /// From which level on the client wants log lines.
    level: Mutex<Option<LogLevel>>,
    pub(crate) calls: RunningCalls,
    pub(crate) questions: PendingQuestions,
    /// The resources that it is told updates of.
    pub(crate) subscriptions: Subscriptions,
    gone: CancellationToken,
}

/// The tools as the client saw them last, and the session that has them.
#[derive(Clone)]
pub(crate) struct ToolSnapshot {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) session: Session,
}

/// What was negotiated when the session was initialized.
pub(crate) struct Negotiated {
    pub(crate) version: Version,
    /// What the client says about itself.
    pub(crate) info: ClientInfo,
    pub(crate) capabilities: Capabilities,
    /// The same as the client declared them.
    pub(crate) declared: Value,
}

impl ToolSnapshot {
    pub(crate) fn of(catalog: Arc<Catalog>) -> Self {
        let session = catalog.session.fork();
        Self { catalog, session }
    }

    /// The same for a principal about whom something else is said by now.
    fn continued(&self, principal: &Principal) -> Self {
        let catalog = self.catalog.of(principal);
        let session = catalog.session.fork_after(&self.session);
        Self { catalog, session }
    }
}

impl Client {
    pub(crate) fn new(shared: Arc<Shared>, principal: Principal) -> Result<Self, toolpact::Error> {
        Ok(Self {
            snapshot: Mutex::new(ToolSnapshot::of(shared.catalog(&principal)?)),
            principal,
            subscriptions: Subscriptions::new(&shared.passthrough),
            shared,
            negotiated: OnceLock::new(),
            level: Mutex::new(None),
            calls: RunningCalls::default(),
            questions: PendingQuestions::default(),
            gone: CancellationToken::new(),
        })
    }

    /// Initializes the session, once.
    pub(crate) fn initialize(&self, message: &Message) -> Result<&Negotiated, RpcError> {
        let negotiated = read(message).ok_or_else(|| {
            RpcError::invalid_params(
                "expected the `params` of `initialize` to be an object with `protocolVersion`, \
                 `capabilities`, and `clientInfo` with `name` and `version`",
            )
        })?;
        let again = || RpcError::invalid_request("The session is initialized already.");
        self.negotiated.set(negotiated).map_err(|_| again())?;
        self.negotiated.get().ok_or_else(again)
    }

    /// What was negotiated, if the session is initialized.
    pub(crate) fn negotiated(&self) -> Option<&Negotiated> {
        self.negotiated.get()
    }

    /// Whose it is.
    pub(crate) fn principal(&self) -> &Principal {
        &self.principal
    }

    /// The tools as the client saw them last, with what is said about its principal by now.
    pub(crate) fn snapshot(&self, principal: &Principal) -> ToolSnapshot {
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        if !snapshot.session.principal().is_exactly(principal) {
            *snapshot = snapshot.continued(principal);
        }
        snapshot.clone()
    }

    /// Shows the client the tools as they are now. Running calls go on.
    pub(crate) fn refresh(&self, principal: &Principal) {
        let Ok(catalog) = self.shared.catalog(principal) else {
            return;
        };
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        if snapshot.catalog.generation != catalog.generation {
            *snapshot = ToolSnapshot::of(catalog);
        }
    }

    /// The same if too much is kept for clients that saw the tools some changes ago. Their results stay.
    pub(crate) fn renew(&self) {
        let mut snapshot = self.snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let principal = snapshot.session.principal().clone();
        let Ok(catalog) = self.shared.catalog(&principal) else {
            return;
        };
        if snapshot.catalog.generation != catalog.generation {
            let session = catalog.session.fork_after(&snapshot.session);
            *snapshot = ToolSnapshot { catalog, session };
        }
    }

    pub(crate) fn level(&self) -> Option<LogLevel> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_level(&self, level: LogLevel) {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = Some(level);
    }

    /// Cancelled when the client is gone.
    pub(crate) fn gone(&self) -> &CancellationToken {
        &self.gone
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.gone.cancel();
    }
}

fn read(message: &Message) -> Option<Negotiated> {
    let version = Version::negotiate(&message.text_param("protocolVersion")?);
    let declared = message.param("capabilities")?;
    let info = message.param("clientInfo")?;
    let info = ClientInfo::new(&info.get("name").and_then(Node::as_str)?)
        .with_version(&info.get("version")?.as_str()?);
    (declared.kind() == Kind::Object).then_some(())?;
    Some(Negotiated {
        version,
        info,
        capabilities: Capabilities::of(declared, version),
        declared: declared.to_value(),
    })
}
