//! A registry as an MCP server.

mod builder;
mod call;
mod caller;
mod calls;
mod catalog;
mod client;
mod content;
pub(crate) mod dispatch;
mod elicitation;
mod header_params;
mod info;
mod list;
mod list_tools;
mod outbox;
mod passthrough;
mod result;
mod shared;
mod stdio;
mod subscriptions;
mod trace;
mod updates;

use std::sync::{Arc, PoisonError};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::task::AbortOnDropHandle;
use toolpact::{Principal, Registry};
use tracing::Instrument as _;

pub use builder::ServerBuilder;
pub(crate) use caller::Described;
pub(crate) use catalog::Catalog;
pub(crate) use client::Client;
pub use info::ServerInfo;
pub(crate) use outbox::Outbox;
pub(crate) use passthrough::notification;
pub(crate) use result::CallResult;
pub use result::ERROR;
pub(crate) use shared::Shared;
pub(crate) use trace::Transport;

use crate::ServeError;
use crate::http::{Http, HttpService};

/// A registry as an MCP server. Cloning is cheap, and clones are the same server.
///
/// Each client has a [`Session`](toolpact::Session) of its own, and sees the tools as they were when
/// it listed them last; that they have changed, it is told.
///
/// ```
/// use toolpact::returns::StringValue;
/// use toolpact::{Registry, tool};
/// use toolpact_mcp::Server;
///
/// /// Greets someone by name.
/// #[tool(read_only)]
/// async fn greet(name: String) -> StringValue {
///     StringValue::success(format!("Hello, {name}!"))
/// }
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::new();
/// registry.add(greet::tool())?;
/// let server = Server::new(registry)?;
/// server.serve(tokio::io::stdin(), tokio::io::stdout()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Server(Arc<Shared>);

impl Server {
    /// A server of these tools with the usual settings.
    pub fn new(registry: Registry) -> Result<Self, toolpact::Error> {
        Self::builder(registry).build()
    }

    /// A server of these tools with settings of your own.
    pub fn builder(registry: Registry) -> ServerBuilder {
        ServerBuilder::new(registry)
    }

    /// Serves one client that sends a message a line, such as the process that started this one,
    /// until it closes its side.
    pub async fn serve<R, W>(&self, input: R, output: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        // Whoever started the process.
        let client = Client::new(Arc::clone(&self.0), Principal::anonymous())?;
        let serving = stdio::serve(Arc::new(client), input, output);
        // The thread that waits for input runs a task itself; this future may belong to another thread,
        // which it would have to wake for every message.
        let task = tokio::spawn(serving.in_current_span());
        match AbortOnDropHandle::new(task).await {
            Ok(served) => Ok(served?),
            Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
            Err(_) => Ok(()),
        }
    }

    /// The server as a service of `tower`, to be put at a path of an HTTP server.
    #[must_use]
    pub fn http(&self, http: Http) -> HttpService {
        HttpService::new(self, http)
    }

    /// Tells clients something else about the server from now on. Those that are connected have been
    /// told already.
    pub fn set_info(&self, info: ServerInfo) {
        *self.0.info.write().unwrap_or_else(PoisonError::into_inner) = info;
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("info", &self.0.info)
            .finish_non_exhaustive()
    }
}
