//! What clients find besides tools: prompts, resources and completions, which others have.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value as Json};
use tokio::sync::broadcast;

use crate::rpc::RpcError;

/// Who has the prompts, resources and completions that a [`Server`](crate::Server) passes through as they
/// are. `toolpact-upstream` implements it for other MCP servers.
pub trait Passthrough: Send + Sync {
    /// What clients are told that there is: the capabilities `prompts`, `resources` and `completions`.
    fn capabilities(&self) -> Map<String, Json>;

    /// A list as clients are shown it. `None` if nobody declares it.
    fn list(&self, kind: ListKind) -> Option<Listing>;

    /// Passes a request through. `None` if nobody is there for this method.
    fn forward(&self, method: &str, params: Json) -> Option<Forwarded>;

    /// Changes of the lists, and of resources that clients subscribe to.
    fn changes(&self) -> broadcast::Receiver<Change>;

    /// Counts one more client that is told updates of a resource.
    fn retain(&self, uri: &str);

    /// Counts one client less. Whether it was the last.
    fn release(&self, uri: &str) -> bool;
}

/// A request that is passed through.
pub type Forwarded = Pin<Box<dyn Future<Output = Result<Json, RpcError>> + Send>>;

/// A list as clients are shown it.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Each item as JSON.
    pub items: Arc<[String]>,
    /// Changes with the items.
    pub generation: u64,
}

/// What clients are told of.
#[derive(Debug, Clone)]
pub enum Change {
    /// The list of prompts.
    Prompts,
    /// The list of resources, or of their templates.
    Resources,
    /// The resource at this URI.
    Updated(Arc<str>),
}

/// What servers list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// `tools/list`
    Tools,
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
}

impl ListKind {
    /// What is passed through as it is.
    pub const FORWARDED: [Self; 3] = [Self::Prompts, Self::Resources, Self::Templates];

    /// The method that lists them.
    pub fn method(self) -> &'static str {
        self.row().0
    }

    /// The key of the list in an answer.
    pub fn key(self) -> &'static str {
        self.row().1
    }

    /// The key that identifies an item.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// The capability of servers that have them.
    pub fn capability(self) -> &'static str {
        self.row().3
    }

    fn row(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Tools => ("tools/list", "tools", "name", "tools"),
            Self::Prompts => ("prompts/list", "prompts", "name", "prompts"),
            Self::Resources => ("resources/list", "resources", "uri", "resources"),
            Self::Templates => (
                "resources/templates/list",
                "resourceTemplates",
                "uriTemplate",
                "resources",
            ),
        }
    }
}

/// Nothing besides tools.
pub(crate) struct OnlyTools(broadcast::Sender<Change>);

impl Default for OnlyTools {
    fn default() -> Self {
        Self(broadcast::Sender::new(1))
    }
}

impl Passthrough for OnlyTools {
    fn capabilities(&self) -> Map<String, Json> {
        Map::new()
    }

    fn list(&self, _: ListKind) -> Option<Listing> {
        None
    }

    fn forward(&self, _: &str, _: Json) -> Option<Forwarded> {
        None
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.subscribe()
    }

    fn retain(&self, _: &str) {}

    fn release(&self, _: &str) -> bool {
        false
    }
}
