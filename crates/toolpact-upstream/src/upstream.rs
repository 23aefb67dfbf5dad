//! One other server.

use std::sync::Arc;

use tokio::sync::watch;
use toolpact::Definition;
use toolpact::core::dialect::NotImported;

use crate::builder::UpstreamBuilder;
use crate::error::UpstreamError;
use crate::link::Link;
use crate::lists::{Excess, Lists};
use crate::tools::{self, Tools};

/// Another MCP server. Cloning is cheap, and clones are the same connection.
///
/// Its tools become [`Definition`]s: what they are called with is checked against their
/// `inputSchema`, and what they return against their `outputSchema`, or against contracts of your
/// own. Its prompts and resources can be passed through with [`Upstreams`](crate::Upstreams). The connection is opened when
/// it is needed and opened again when it was lost.
///
/// What the server asks in the middle of a call (`elicitation/create`, `sampling/createMessage`,
/// `roots/list`) is passed on to the client that made the call.
///
/// ```no_run
/// use toolpact::Registry;
/// use toolpact_upstream::Upstream;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let memory = Upstream::command("mcp-server-memory")
///     .env("MEMORY_FILE_PATH", "/var/lib/memory.jsonl")
///     .connect()
///     .await?;
/// let registry = Registry::new();
/// registry.toolset("memory")?.add_all(memory.definitions())?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Upstream {
    pub(crate) link: Arc<Link>,
    tools: Arc<Tools>,
    pub(crate) lists: Arc<Lists>,
}

impl Upstream {
    /// A server that is a program, which speaks MCP on its standard input and output. It sees of
    /// the environment what every program needs and what it is given with
    /// [`env`](UpstreamBuilder::env), and its whole process group ends with the connection.
    pub fn command(program: impl Into<std::ffi::OsString>) -> UpstreamBuilder {
        UpstreamBuilder::command(program.into())
    }

    /// A server at an address, over Streamable HTTP.
    pub fn http(url: impl Into<String>) -> UpstreamBuilder {
        UpstreamBuilder::http(url.into())
    }

    /// Its tools, ready to be registered, as they were when they were listed.
    #[must_use]
    pub fn definitions(&self) -> Vec<Definition> {
        self.tools.definitions()
    }

    /// The tools that cannot be used, and why.
    #[must_use]
    pub fn left_out(&self) -> &[NotImported] {
        self.tools.left_out()
    }

    /// What it lists beyond the limits, which is left out: see [`UpstreamBuilder::most_tools`].
    #[must_use]
    pub fn excess(&self) -> Option<&Excess> {
        self.tools.excess()
    }

    /// Whether the tools of both were read from the same list. [`Upstream::refresh`] reads a list only if it is
    /// another, and tools that are the same have the same definitions.
    #[must_use]
    pub fn has_same_tools(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tools, &other.tools)
    }

    /// The tools that there are contracts for, and that the server does not have or that cannot be
    /// used.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.tools.missing()
    }

    /// Tells when the server says that its tools, prompts or resources have changed.
    /// [`Upstream::refresh`] lists them again.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.link.changes()
    }

    /// The same server with what it lists now.
    pub async fn refresh(&self) -> Result<Self, UpstreamError> {
        let link = Arc::clone(&self.link);
        Self::list(link, Some((&self.tools, &self.lists))).await
    }

    pub(crate) async fn connect(link: Arc<Link>) -> Result<Self, UpstreamError> {
        Self::list(link, None).await
    }

    async fn list(
        link: Arc<Link>,
        before: Option<(&Arc<Tools>, &Arc<Lists>)>,
    ) -> Result<Self, UpstreamError> {
        Ok(Self {
            tools: tools::list(&link, before.map(|(tools, _)| tools)).await?,
            lists: Lists::read(&link, before.map(|(_, lists)| lists)).await?,
            link,
        })
    }

    /// Ends the connection, and the program if it is one. The next call opens it again.
    pub async fn close(&self) {
        self.link.close().await;
    }
}

impl std::fmt::Debug for Upstream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Upstream").field(self.link.place()).finish()
    }
}
