//! The servers, each of which is a process of its own, so that its time can be told from the others'.

use std::fmt;
use std::io::Read as _;
use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::handler::server::tool::{ToolCallContext, ToolRouter};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http, listen};

use crate::Result;
use crate::tool::{self, Echo};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Plain,
    Usual,
    Inline,
}

impl Kind {
    /// The base of the comparison first.
    pub(crate) const ALL: [Kind; 3] = [Kind::Plain, Kind::Usual, Kind::Inline];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Usual => "usual",
            Kind::Inline => "inline",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Plain => "rmcp alone, nothing checked",
            Kind::Usual => "toolpact, checked both ways",
            Kind::Inline => "toolpact, #[tool(inline)]",
        })
    }
}

/// Says its port, and serves until the process that started it closes its input or is gone.
pub(crate) fn run(kind: Kind) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    println!("{}", listener.local_addr()?.port());
    match kind {
        Kind::Plain => {
            runtime.spawn(plain(listener));
        }
        Kind::Usual | Kind::Inline => {
            let registry = Registry::new();
            match kind {
                Kind::Inline => registry.add(tool::inline::echo::tool())?,
                _ => registry.add(tool::usual::echo::tool())?,
            }
            let service = Server::new(registry)?.http(Http::default());
            let (connections, stop) = (Connections::default(), CancellationToken::new());
            runtime.spawn(listen(listener, service, connections, stop));
        }
    }
    std::io::stdin().read_to_end(&mut Vec::new())?;
    runtime.shutdown_background();
    Ok(())
}

/// The library and hyper, and nothing between them.
async fn plain(listener: TcpListener) {
    let router = Arc::new(ToolRouter::new().with_sync_tool::<Echo>());
    let make = move || Ok(Plain(Arc::clone(&router)));
    // As the server of toolpact answers: JSON where there is no session.
    let config = StreamableHttpServerConfig::default().with_json_response(true);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(make, sessions, config);
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
}

/// What the attribute `#[tool_handler]` of the library writes, with one router for all requests.
pub(crate) struct Plain(Arc<ToolRouter<Plain>>);

impl ServerHandler for Plain {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.list_all()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.0.get(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0
            .call(ToolCallContext::new(self, request, context))
            .await
    }
}
