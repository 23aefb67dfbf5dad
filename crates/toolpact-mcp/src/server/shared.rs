//! What all sessions of a server have in common.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    ClientCapabilities, ErrorData, Implementation, JsonObject, ProtocolVersion, ServerCapabilities,
    ServerConfig, ToolsCapability,
};
use toolpact::Registry;
use toolpact::session::SessionBuilder;

use super::asking::Seal;
use super::catalog::Catalog;
use crate::View;
use crate::version::VERSIONS;

pub(crate) type Configure = Arc<dyn Fn(SessionBuilder) -> SessionBuilder + Send + Sync>;

pub(crate) struct Shared {
    pub(crate) registry: Registry,
    pub(crate) configure: Configure,
    pub(crate) about: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) view: View,
    pub(crate) views: HashMap<Box<str>, View>,
    /// The capabilities of clients that tools need, by the names of the tools.
    pub(crate) needs: HashMap<Box<str>, JsonObject>,
    pub(crate) page: usize,
    pub(crate) line_bytes: usize,
    pub(crate) seal: Seal,
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

    /// What of results a client is sent that asked for it in some place, or has this name.
    pub(crate) fn view(
        &self,
        asked: Option<(&str, Option<&str>)>,
        name: impl FnOnce() -> Option<Box<str>>,
    ) -> Result<View, ErrorData> {
        if let Some((place, view)) = asked {
            return view.and_then(View::from_name).ok_or_else(|| {
                let message = format!("expected `{place}` to be `text`, `structure` or `both`");
                ErrorData::invalid_params(message, None)
            });
        }
        if self.views.is_empty() {
            return Ok(self.view);
        }
        let named = name().and_then(|name| self.views.get(&name).copied());
        Ok(named.unwrap_or(self.view))
    }

    /// Whether the library compares arguments of this tool with the headers of a request.
    pub(crate) fn in_headers(&self, tool: &str) -> bool {
        self.catalog().map_or(true, |catalog| {
            let listed = catalog.listing(VERSIONS.len() - 1).get(tool);
            listed.is_some_and(|listed| listed.in_headers)
        })
    }

    /// Whether a client has what a tool needs of it.
    pub(crate) fn check_needs(
        &self,
        tool: &str,
        declared: impl FnOnce() -> Option<ClientCapabilities>,
    ) -> Result<(), ErrorData> {
        let Some(needed) = self.needs.get(tool) else {
            return Ok(());
        };
        let declared = serde_json::to_value(declared().unwrap_or_default()).unwrap_or_default();
        if needed.keys().all(|name| declared.get(name).is_some()) {
            return Ok(());
        }
        let needed = serde_json::from_value(needed.clone().into()).unwrap_or_default();
        Err(ErrorData::missing_required_client_capability(needed))
    }

    /// What a server says of itself.
    pub(crate) fn info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::default();
        let mut tools = ToolsCapability::default();
        tools.list_changed = Some(true);
        capabilities.tools = Some(tools);
        capabilities.logging = Some(JsonObject::new());
        let mut info = ServerConfig::new(capabilities);
        info.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        info.server_info = self.about.clone();
        info.instructions.clone_from(&self.instructions);
        info
    }
}
