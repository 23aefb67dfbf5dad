use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};

use serde_json::{Map, Value as Json};
use toolpact::code::SigningKey;
use toolpact::session::SessionBuilder;
use toolpact::{Principal, Registry};

use super::Server;
use super::elicitation::Seal;
use super::info::ServerInfo;
use super::shared::{Configure, Shared};
use crate::passthrough::OnlyTools;
use crate::{Passthrough, View};
use toolpact::core::memory::MemoryBudget;

/// Makes a [`Server`].
///
/// ```
/// use toolpact::{Registry, call::CallLimits};
/// use toolpact_mcp::{Server, View};
///
/// let server = Server::builder(Registry::new())
///     .name("orders", "1.2.0")
///     .instructions("Search before you create.")
///     .session(|session| session.limits(CallLimits::default().at_once(4)))
///     .view_for("a-client-that-shows-structure", View::Structure)
///     .build()?;
/// # Ok::<(), toolpact::Error>(())
/// ```
#[must_use]
pub struct ServerBuilder {
    registry: Registry,
    configure: Configure,
    info: ServerInfo,
    view: View,
    views: HashMap<Box<str>, View>,
    needs: HashMap<Box<str>, Map<String, Json>>,
    page: usize,
    line_bytes: usize,
    requests: Arc<MemoryBudget>,
    streams: Arc<MemoryBudget>,
    seal: Seal,
    passthrough: Arc<dyn Passthrough>,
}

impl ServerBuilder {
    pub(super) fn new(registry: Registry) -> Self {
        Self {
            registry,
            configure: Arc::new(|session| session),
            info: ServerInfo::default(),
            view: View::default(),
            views: HashMap::new(),
            needs: HashMap::new(),
            page: 200,
            line_bytes: 4 << 20,
            requests: Arc::new(MemoryBudget::new(256 << 20)),
            streams: Arc::new(MemoryBudget::new(128 << 20)),
            seal: Seal::default(),
            passthrough: Arc::new(OnlyTools::default()),
        }
    }

    /// What the server is called, and its version.
    pub fn name(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.info.name = name.into();
        self.info.version = version.into();
        self
    }

    /// All that clients are told about the server.
    pub fn info(mut self, info: ServerInfo) -> Self {
        self.info = info;
        self
    }

    /// What clients may tell the model about the tools as a whole.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.info.instructions = Some(instructions.into());
        self
    }

    /// What the session of a client sees and may use. Over HTTP, clients of 2026-07-28 have no session:
    /// each of their requests is one, and what limits a session limits one request.
    pub fn session(
        mut self,
        configure: impl Fn(SessionBuilder) -> SessionBuilder + Send + Sync + 'static,
    ) -> Self {
        self.configure = Arc::new(configure);
        self
    }

    /// What of a result clients are sent, unless something nearer says otherwise.
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// What of a result the client of this name is sent.
    pub fn view_for(mut self, client: impl Into<Box<str>>, view: View) -> Self {
        self.views.insert(client.into(), view);
        self
    }

    /// The tool of this name needs a capability of its client, such as `sampling`. Clients that do
    /// not declare it are told so, and the tool is not called.
    pub fn needs(mut self, tool: impl Into<Box<str>>, capability: impl Into<String>) -> Self {
        let needs = self.needs.entry(tool.into()).or_default();
        needs.insert(capability.into(), Map::new().into());
        self
    }

    /// How many tools are listed on a page. There are 200 without this, because some clients read
    /// only the first page.
    pub fn page_size(mut self, tools: usize) -> Self {
        self.page = tools.max(1);
        self
    }

    /// Most bytes of a line that a client sends over [`Server::serve`]: 4 MiB without this.
    pub fn line_bytes(mut self, bytes: usize) -> Self {
        self.line_bytes = bytes;
        self
    }

    /// Most bytes of memory that the requests of all clients take until they are answered: 256 MiB
    /// without this. A value takes 16 bytes besides its text. Requests beyond that are refused.
    pub fn request_bytes(self, bytes: usize) -> Self {
        self.request_memory(Arc::new(MemoryBudget::new(bytes)))
    }

    /// The same as a budget, which can be a part of another.
    pub fn request_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.requests = budget;
        self
    }

    /// The memory that events over HTTP take until they are read, and lists and what is passed through: 128 MiB
    /// without this. A quarter of it is for streams that have ended and are kept for clients that come back.
    /// Results have a [budget](toolpact::registry::RegistryBuilder::result_memory) of their own.
    pub fn stream_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.streams = budget;
        self
    }

    /// What the answers of clients to tools are sealed with on their way from one round to the next.
    /// Servers that take calls for each other have the same key. Without one it is made by chance, and
    /// a client that was asked before the server began anew has to call anew.
    pub fn key(mut self, key: &SigningKey) -> Self {
        self.seal = Seal::of(key.as_bytes());
        self
    }

    /// Passes prompts, resources and completions of others through to clients.
    pub fn passthrough(mut self, passthrough: impl Passthrough + 'static) -> Self {
        self.passthrough = Arc::new(passthrough);
        self
    }

    /// The server, unless two tools of one name cannot be told apart.
    pub fn build(self) -> Result<Server, toolpact::Error> {
        let shared = Shared {
            registry: self.registry,
            configure: self.configure,
            info: RwLock::new(self.info),
            view: self.view,
            views: self.views,
            needs: self.needs,
            page: self.page,
            line_bytes: self.line_bytes,
            budget: self.requests,
            streams: self.streams,
            seal: self.seal,
            passthrough: self.passthrough,
            recent: Mutex::default(),
        };
        shared.catalog(&Principal::anonymous())?;
        Ok(Server(Arc::new(shared)))
    }
}

impl std::fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerBuilder")
            .field("name", &self.info.name)
            .finish_non_exhaustive()
    }
}
