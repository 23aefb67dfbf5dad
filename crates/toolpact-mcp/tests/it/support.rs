//! A client that sends lines and reads lines, and servers to talk to.

use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::UntypedOutput;
use toolpact::{Context, Definition, Registry, ToolError};
use toolpact_mcp::Server;
use toolpact_mcp::http::{Connections, Http, listen};

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(20);

/// A client over lines.
pub(crate) struct Client {
    output: WriteHalf<DuplexStream>,
    input: BufReader<ReadHalf<DuplexStream>>,
    requests: i64,
}

impl Client {
    /// A client that has not said anything yet.
    pub(crate) fn silent(server: &Server) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(far);
        let server = server.clone();
        tokio::spawn(async move { server.serve(input, output).await });
        let (input, output) = tokio::io::split(near);
        Self {
            output,
            input: BufReader::new(input),
            requests: 0,
        }
    }

    /// A client of this version that has begun its session.
    pub(crate) async fn begun(server: &Server, version: &str) -> Self {
        Self::named(server, version, "test").await
    }

    pub(crate) async fn named(server: &Server, version: &str, name: &str) -> Self {
        let mut client = Self::silent(server);
        let about = json!({"name": name, "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": about});
        let begun = client.ask("initialize", params).await;
        assert_eq!(begun["result"]["protocolVersion"], version, "{begun}");
        client
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        client
    }

    pub(crate) async fn send(&mut self, message: &Json) {
        self.send_line(&message.to_string()).await;
    }

    pub(crate) async fn send_line(&mut self, line: &str) {
        self.output.write_all(line.as_bytes()).await.unwrap();
        self.output.write_all(b"\n").await.unwrap();
    }

    pub(crate) async fn read(&mut self) -> Json {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.input.read_line(&mut line));
        assert!(read.await.unwrap().unwrap() > 0, "the server hung up");
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and waits for its answer; what comes before is dropped.
    pub(crate) async fn ask(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params).await;
        loop {
            let answer = self.read().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Sends a request, and returns its number.
    pub(crate) async fn begin(&mut self, method: &str, params: Json) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        id
    }

    pub(crate) async fn call(&mut self, name: &str, arguments: Json) -> Json {
        let params = json!({"name": name, "arguments": arguments});
        self.ask("tools/call", params).await
    }
}

/// The `_meta` of a request of 2026-07-28.
pub(crate) fn modern() -> Json {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

/// A tool that takes anything and returns what the closure says.
pub(crate) fn tool(
    name: &str,
    returns: &str,
    does: impl Fn() -> Result<UntypedOutput, ToolError> + Send + Sync + 'static,
) -> Definition {
    let contract = format!(
        r#"{{"name": "{name}", "description": "Tries it.", "parameters": {{"type": "object"}}{}}}"#,
        match returns {
            "" => String::new(),
            returns => format!(r#", "returns": {returns}"#),
        }
    );
    let contract = Contract::from_json(contract).unwrap();
    Definition::new(contract, move |_: Value, _: Context| {
        let done = does();
        async move { done }
    })
}

/// A tool that says what it is told.
pub(crate) fn echo() -> Definition {
    let contract = Contract::from_json(
        r#"{"name": "echo", "description": "Says it.",
            "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": false},
            "returns": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}"#,
    );
    Definition::new(contract.unwrap(), async |args: Value, _: Context| {
        Ok::<_, ToolError>(args)
    })
}

/// A tool that never ends by itself, and says on the channel when it was told to stop.
pub(crate) fn endless(stopped: tokio::sync::mpsc::UnboundedSender<()>) -> Definition {
    let contract = Contract::from_json(
        r#"{"name": "endless", "description": "Goes on.", "parameters": {"type": "object"}, "returns": "opaque"}"#,
    );
    Definition::new(contract.unwrap(), move |_: Value, cx: Context| {
        let stopped = stopped.clone();
        async move {
            cx.cancelled().await;
            let _ = stopped.send(());
            Ok::<_, ToolError>(Value::from("stopped"))
        }
    })
}

pub(crate) fn json_value(text: &str) -> Result<UntypedOutput, ToolError> {
    Ok(Value::from_json(text)?.into())
}

pub(crate) fn server(tools: impl IntoIterator<Item = Definition>) -> Server {
    let registry = Registry::new();
    registry.add_all(tools).unwrap();
    Server::new(registry).unwrap()
}

/// A server that listens. It stops with this.
pub(crate) struct Listening {
    pub(crate) address: std::net::SocketAddr,
    pub(crate) service: toolpact_mcp::http::HttpService,
    _stop: DropGuard,
}

impl Listening {
    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }
}

pub(crate) async fn listening(server: &Server, http: Http, connections: Connections) -> Listening {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let service = server.http(http);
    tokio::spawn(listen(listener, service.clone(), connections, stop.clone()));
    Listening {
        address,
        service,
        _stop: stop.drop_guard(),
    }
}

/// Waits for something that must happen.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, what)
        .await
        .expect("it did not happen in time")
}
