//! What all sessions of a server have in common.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use serde_json::{Map, Value as Json, json};
use toolpact::Registry;
use toolpact::core::json::Node;
use toolpact::session::SessionBuilder;

use super::catalog::Catalog;
use super::dispatch::versions;
use super::elicitation::Seal;
use super::info::ServerInfo;
use crate::rpc::RpcError;
use crate::version::Version;
use crate::{Passthrough, View};
use toolpact::core::memory::MemoryBudget;

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
    pub(crate) seal: Seal,
    /// Who has what clients find besides tools.
    pub(crate) passthrough: Arc<dyn Passthrough>,
    pub(crate) current: Mutex<Option<Arc<Catalog>>>,
}

impl Shared {
    /// The tools as they are now. If they cannot be told apart now, as they were before.
    pub(crate) fn catalog(&self) -> Result<Arc<Catalog>, toolpact::Error> {
        // A change in between is seen the next time.
        let generation = *self.registry.changes().borrow();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = current.as_ref().filter(|c| c.generation == generation) {
            return Ok(Arc::clone(catalog));
        }
        let session = match ((self.configure)(self.registry.session()).open(), &*current) {
            (Ok(session), _) => session,
            (Err(error), Some(before)) => {
                tracing::error!(target: "toolpact::mcp", %error, "the change is not served");
                before.session.fork()
            }
            (Err(error), None) => return Err(error),
        };
        let catalog = Arc::new(Catalog::new(generation, session));
        *current = Some(Arc::clone(&catalog));
        Ok(catalog)
    }

    /// What of results a client of this name is sent.
    pub(crate) fn view_for(&self, name: impl FnOnce() -> Option<Box<str>>) -> View {
        if self.views.is_empty() {
            return self.view;
        }
        let named = name().and_then(|name| self.views.get(&name).copied());
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
