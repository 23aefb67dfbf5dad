//! What all sessions of a server have in common.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::{Map, Value as Json, json};
use toolpact::core::json::Node;
use toolpact::session::{ClientInfo, SessionBuilder};
use toolpact::{Principal, Registry};

use super::catalog::Catalog;
use super::dispatch::versions;
use super::elicitation::Seal;
use super::info::ServerInfo;
use crate::rpc::RpcError;
use crate::version::Version;
use crate::{Passthrough, View};
use toolpact::core::memory::MemoryBudget;

/// How many changes a client may be behind in the middle of a list.
const RECENT: usize = 8;

pub(crate) type Configure = Arc<dyn Fn(SessionBuilder) -> SessionBuilder + Send + Sync>;

pub(crate) struct Shared {
    pub(crate) registry: Registry,
    pub(crate) configure: Configure,
    pub(crate) info: RwLock<ServerInfo>,
    pub(crate) view: View,
    pub(crate) views: HashMap<Box<str>, View>,
    /// The capabilities of clients that tools need, by the names of the tools.
    pub(crate) needs: HashMap<Box<str>, Map<String, Json>>,
    pub(crate) page: usize,
    pub(crate) line_bytes: usize,
    /// For requests that are not answered.
    pub(crate) budget: Arc<MemoryBudget>,
    /// For events and answers that are not read yet, besides results.
    pub(crate) streams: Arc<MemoryBudget>,
    pub(crate) seal: Seal,
    /// Who has what clients find besides tools.
    pub(crate) passthrough: Arc<dyn Passthrough>,
    /// The tools as they were after the last changes.
    pub(crate) recent: Mutex<VecDeque<Arc<Catalog>>>,
}

impl Shared {
    /// The tools as they are now, and as a principal is shown them. If they cannot be told apart now, as they
    /// were before.
    pub(crate) fn catalog(&self, principal: &Principal) -> Result<Arc<Catalog>, toolpact::Error> {
        self.catalog_of(principal, None)
    }

    /// The tools as they were after so many changes, if that is not long ago: who reads a long list page by page
    /// reads one list.
    pub(crate) fn catalog_of(
        &self,
        principal: &Principal,
        generation: Option<u64>,
    ) -> Result<Arc<Catalog>, toolpact::Error> {
        Ok(self.catalog_for_all(generation)?.of(principal))
    }

    fn catalog_for_all(&self, generation: Option<u64>) -> Result<Arc<Catalog>, toolpact::Error> {
        // A change in between is seen the next time.
        let current = *self.registry.changes().borrow();
        let wanted = generation.unwrap_or(current);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = recent.iter().rev().find(|c| c.generation == wanted) {
            return Ok(Arc::clone(catalog));
        }
        if let Some(catalog) = recent.back().filter(|c| c.generation == current) {
            return Ok(Arc::clone(catalog));
        }
        let session = match (
            (self.configure)(self.registry.session()).open(),
            recent.back(),
        ) {
            (Ok(session), _) => session,
            (Err(error), Some(before)) => {
                tracing::error!(target: "toolpact::mcp", %error, "the change is not served");
                before.session.fork()
            }
            (Err(error), None) => return Err(error),
        };
        let catalog = Arc::new(Catalog::new(current, session));
        recent.push_back(Arc::clone(&catalog));
        let most = match self.registry.wants_renewal() {
            true => 1,
            false => RECENT,
        };
        let beyond = recent.len().saturating_sub(most);
        let old: Vec<_> = recent.drain(..beyond).collect();
        drop(recent);
        // To forget many tools takes a while, which nobody has to wait for.
        if !old.is_empty() {
            drop(toolpact::background::spawn(move || drop(old)));
        }
        Ok(catalog)
    }

    /// What of results a client of this name is sent.
    pub(crate) fn view_for(&self, client: impl FnOnce() -> Option<ClientInfo>) -> View {
        if self.views.is_empty() {
            return self.view;
        }
        let named = client().and_then(|client| self.views.get(client.name()).copied());
        named.unwrap_or(self.view)
    }

    /// Whether a client has the capabilities that a tool needs.
    pub(crate) fn check_needs(&self, tool: &str, declared: Node<'_>) -> Result<(), RpcError> {
        let Some(needed) = self.needs.get(tool) else {
            return Ok(());
        };
        match needed.keys().all(|name| declared.get(name).is_some()) {
            true => Ok(()),
            false => Err(RpcError::missing_capability(&needed.clone().into())),
        }
    }

    /// The result of `initialize`.
    pub(crate) fn initialized(&self, version: Version) -> Json {
        let info = self.info.read().unwrap_or_else(PoisonError::into_inner);
        let mut result = json!({
            "protocolVersion": version.name(),
            "capabilities": self.capabilities(),
            "serverInfo": info.written(),
        });
        info.add_instructions(&mut result);
        result
    }

    /// The result of `server/discover`.
    pub(crate) fn discovery(&self) -> Json {
        let info = self.info.read().unwrap_or_else(PoisonError::into_inner);
        let mut result = json!({
            "resultType": "complete",
            "supportedVersions": versions(),
            "capabilities": self.capabilities(),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {"io.modelcontextprotocol/serverInfo": info.written()},
        });
        info.add_instructions(&mut result);
        result
    }

    fn capabilities(&self) -> Map<String, Json> {
        let own = [
            ("tools", json!({"listChanged": true})),
            ("logging", json!({})),
        ];
        let own = own.map(|(name, value)| (name.to_owned(), value));
        own.into_iter()
            .chain(self.passthrough.capabilities())
            .collect()
    }
}
