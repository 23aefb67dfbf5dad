//! A registry as an MCP server.

mod answer;
mod arguments;
mod asking;
mod builder;
mod call;
mod calling;
mod catalog;
mod client;
mod clients;
mod content;
mod follow;
mod handler;
mod list;
mod progress;
mod reply;
mod shared;
mod transport;

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use toolpact::Registry;

pub(crate) use answer::{Answer, ERROR};
pub(crate) use arguments::Sent;
pub(crate) use asking::{Asking, Can};
pub use builder::ServerBuilder;
pub(crate) use call::{Caller, Order};
pub(crate) use calling::Begun;
pub(crate) use catalog::Catalog;
pub(crate) use client::Seen;
pub(crate) use clients::{Clients, KnownCall};
pub(crate) use handler::Handler;
pub(crate) use reply::Reply;
pub(crate) use shared::Shared;
use transport::Lines;
pub(crate) use transport::message;

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
        let handler = Handler::new(Arc::clone(&self.0))?;
        let transport = Lines::new(input, output, self.0.line_bytes);
        let running = match rmcp::serve_server(handler, transport).await {
            Ok(running) => running,
            Err(error) => return ServeError::of_start(error),
        };
        running.waiting().await.map_err(ServeError::of_task)?;
        Ok(())
    }

    /// The server as a service of `tower`, to be put at a path of an HTTP server.
    #[must_use]
    pub fn http(&self, http: Http) -> HttpService {
        HttpService::new(self, http)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.0
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("name", &self.0.about.name)
            .finish_non_exhaustive()
    }
}
