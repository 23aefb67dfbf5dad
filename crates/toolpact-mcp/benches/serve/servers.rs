//! The servers, each of which is a process of its own, so that its time can be told from the others'.

use std::fmt;
use std::io::{BufRead as _, Read as _, Write as _};
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
    /// What any server has to do: over HTTP hyper, which sends the body back; over pipes a loop that
    /// parses each line with `serde_json` and sends the arguments back.
    Echo,
}

impl Kind {
    /// The base of the comparison first.
    pub(crate) const ALL: [Kind; 4] = [Kind::Plain, Kind::Usual, Kind::Inline, Kind::Echo];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::Usual => "usual",
            Kind::Inline => "inline",
            Kind::Echo => "echo",
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
            Kind::Echo => "nothing but an echo",
        })
    }
}

/// Says its port, and serves until the process that started it closes its input or is gone.
pub(crate) fn http(kind: Kind) -> Result<()> {
    let runtime = runtime()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    println!("{}", listener.local_addr()?.port());
    match kind {
        Kind::Plain => drop(runtime.spawn(plain(listener))),
        Kind::Echo => drop(runtime.spawn(echo(listener))),
        Kind::Usual | Kind::Inline => {
            let service = toolpact(kind)?.http(Http::default());
            let (connections, stop) = (Connections::default(), CancellationToken::new());
            runtime.spawn(listen(listener, service, connections, stop));
        }
    }
    std::io::stdin().read_to_end(&mut Vec::new())?;
    runtime.shutdown_background();
    Ok(())
}

/// Serves on standard input and output.
pub(crate) fn stdio(kind: Kind) -> Result<()> {
    match kind {
        Kind::Echo => echo_lines(),
        Kind::Plain => runtime()?.block_on(async {
            let router = Arc::new(ToolRouter::new().with_sync_tool::<Echo>());
            let transport = (tokio::io::stdin(), tokio::io::stdout());
            let running = rmcp::serve_server(Plain(router), transport).await?;
            running.waiting().await?;
            Ok(())
        }),
        Kind::Usual | Kind::Inline => runtime()?.block_on(async {
            let (input, output) = toolpact_mcp::stdio();
            Ok(toolpact(kind)?.serve(input, output).await?)
        }),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    Ok(runtime)
}

fn toolpact(kind: Kind) -> Result<Server> {
    let registry = Registry::new();
    match kind {
        Kind::Inline => registry.add(tool::inline::echo::tool())?,
        _ => registry.add(tool::usual::echo::tool())?,
    }
    Ok(Server::new(registry)?)
}

fn echo_lines() -> Result<()> {
    let mut input = std::io::BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut output = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let mut message: serde_json::Value = serde_json::from_slice(&line)?;
        let arguments = message["params"]["arguments"].take();
        let text = serde_json::json!([{"type": "text", "text": "echo"}]);
        let result = serde_json::json!({"content": text, "structuredContent": arguments});
        let id = message["id"].take();
        let answer = serde_json::json!({"jsonrpc": "2.0", "id": id, "result": result});
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

async fn echo(listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        let _ = stream.set_nodelay(true);
        let service =
            hyper::service::service_fn(async |request: hyper::Request<hyper::body::Incoming>| {
                use http_body_util::BodyExt as _;
                let body = request.into_body().collect().await?.to_bytes();
                let mut response = hyper::Response::new(http_body_util::Full::new(body));
                let headers = response.headers_mut();
                let json = http::HeaderValue::from_static("application/json");
                headers.insert("content-type", json);
                // The client asks for a session.
                headers.insert("mcp-session-id", http::HeaderValue::from_static("1"));
                Ok::<_, hyper::Error>(response)
            });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
    }
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

/// What the attribute `#[tool_handler]` of rmcp writes, with one router for all requests.
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
