//! Tools of a program, served with everything that tools of a config are.

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::define::IntoDefinition as _;
use toolpact::returns::NumberValue;
use toolpact::{Context, Definition, Registry, ToolError, tool};
use toolpact_serve::{Config, Service};

use crate::support::{PATIENCE, TOOLS};

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

/// Doubles a number.
#[tool(read_only)]
async fn double(a: i64) -> NumberValue {
    NumberValue::success(2 * a)
}

/// A server with a registry and a config file, which has no sources at first.
struct Server {
    url: String,
    registry: Registry,
    folder: tempfile::TempDir,
    client: reqwest::Client,
    stop: CancellationToken,
}

impl Server {
    async fn start() -> Self {
        let registry = Registry::new();
        registry.add(add::tool()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("toolpact.yaml");
        std::fs::write(folder.path().join("tools.yaml"), TOOLS).unwrap();
        std::fs::write(&file, "listen: 127.0.0.1:0\n").unwrap();
        let config = Config::from_file(&file).unwrap();
        let stop = CancellationToken::new();
        let listener = Service::bind(&config).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let builder = Service::builder().registry(registry.clone()).config(config);
        let service = builder.config_file(file).stop(stop.clone()).start().await;
        let service = service.unwrap();
        tokio::spawn(async move { service.listen(listener).await.unwrap() });
        let client = toolpact_http::outgoing::client().no_proxy();
        Self {
            url,
            registry,
            folder,
            client: client.timeout(PATIENCE).build().unwrap(),
            stop,
        }
    }

    async fn get(&self, path: &str) -> String {
        let response = self.client.get(format!("{}{path}", self.url)).send().await;
        response
            .unwrap()
            .error_for_status()
            .unwrap()
            .text()
            .await
            .unwrap()
    }

    async fn call(&self, tool: &str, args: &Json) -> (u16, Json) {
        let url = format!("{}/v1/tools/{tool}", self.url);
        let response = self
            .client
            .post(url)
            .body(args.to_string())
            .send()
            .await
            .unwrap();
        let status = response.status().as_u16();
        (
            status,
            serde_json::from_str(&response.text().await.unwrap()).unwrap(),
        )
    }
}

#[tokio::test]
async fn rust_tools_are_served_with_everything() {
    let server = Server::start().await;
    let (status, sum) = server.call("add", &json!({"a": 2, "b": 3})).await;
    assert_eq!((status, &sum["value"]), (200, &json!(5)), "{sum}");
    assert_eq!(server.call("add", &json!({"a": "2"})).await.0, 400);
    let metrics = server.get("/v1/metrics").await;
    let counted = r#"toolpact_calls_total{tool="add",outcome="SUCCESS"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    let health: Json = serde_json::from_str(&server.get("/v1/health").await).unwrap();
    assert_eq!(
        (&health["status"], &health["tools"]),
        (&json!("ok"), &json!(1))
    );
    assert!(
        server
            .get("/v1/stubs?lang=python")
            .await
            .contains("def add(")
    );
    assert!(server.get("/v1/openapi.json").await.contains("/tools/add"));
    assert!(server.get("/").await.contains("1 tool"));
    let upstream = toolpact_upstream::Upstream::http(format!("{}/mcp", server.url));
    let upstream = upstream.connect().await.unwrap();
    assert_eq!(upstream.definitions().len(), 1);
    server.stop.cancel();
}

#[tokio::test]
async fn tools_of_the_program_and_of_its_config_come_and_go() {
    let server = Server::start().await;
    server.registry.add(double::tool()).unwrap();
    let (status, twice) = server.call("double", &json!({"a": 21})).await;
    assert_eq!((status, &twice["value"]), (200, &json!(42)), "{twice}");
    let file = server.folder.path().join("toolpact.yaml");
    let config = "listen: 127.0.0.1:0\nsources: [{ files: { paths: [tools.yaml] } }]\n";
    std::fs::write(file, config).unwrap();
    let followed = async {
        while server.call("echo", &json!({"text": "hi"})).await.0 != 200 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, followed).await.unwrap();
    assert_eq!(server.call("add", &json!({"a": 1, "b": 1})).await.0, 200);
    server.registry.remove("double").unwrap();
    assert_eq!(server.call("double", &json!({"a": 1})).await.0, 404);
}

/// What tools were before belongs to the sessions that saw them, and these may stay open for long.
#[tokio::test]
async fn tools_that_change_all_the_time_are_not_kept_for_ever() {
    let server = Server::start().await;
    let mut sessions = Vec::new();
    for round in 0..8 {
        server
            .registry
            .update((0..400).map(|n| numbered(n, round)), []);
        let opened = server.post("/v1/sessions", "", &json!({})).await.1;
        let opened = opened["session"].as_str().unwrap().to_owned();
        let session = server.begin_mcp().await;
        assert_eq!(
            server.call_both(&opened, &session).await,
            [json!(5), json!(5)]
        );
        sessions.push((opened, session));
    }
    let renewed = async {
        while server.registry.versions("add_7").len() > 4 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, renewed).await.unwrap();
    for (rest, mcp) in &sessions {
        assert_eq!(server.call_both(rest, mcp).await, [json!(5), json!(5)]);
    }
}

/// A tool whose description says when it was made.
fn numbered(n: usize, round: usize) -> Definition {
    let json = add::tool().into_definition().unwrap().contract().to_json();
    let json = json.replace("\"add\"", &format!("\"add_{n}\""));
    let json = json.replace("Adds two", &format!("Round {round}: adds two"));
    let body = |_: Value, _: Context| async { Ok::<Value, ToolError>(5.into()) };
    Definition::new(Contract::from_json(json).unwrap(), body)
}

impl Server {
    async fn post(&self, path: &str, session: &str, body: &Json) -> (Option<String>, Json) {
        let accepted = match path {
            "/mcp" => "application/json, text/event-stream",
            _ => "application/json",
        };
        let mut request = self.client.post(format!("{}{path}", self.url));
        if !session.is_empty() {
            request = request.header("mcp-session-id", session);
        }
        let request = request.header("accept", accepted).json(body);
        let response = request.send().await.unwrap();
        let session = response.headers().get("mcp-session-id");
        let session = session.map(|session| session.to_str().unwrap().to_owned());
        let text = response.text().await.unwrap();
        (session, serde_json::from_str(&text).unwrap_or_default())
    }

    async fn begin_mcp(&self) -> String {
        let about = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        self.post("/mcp", "", &hello).await.0.unwrap()
    }

    /// What one of the tools answers in a session of REST and in one of MCP.
    async fn call_both(&self, rest: &str, mcp: &str) -> [Json; 2] {
        let args = json!({"a": 2, "b": 3});
        let call = json!({"name": "add_7", "args": args, "session": rest});
        let (_, over_rest) = self.post("/v1/call", "", &call).await;
        let params = json!({"name": "add_7", "arguments": args});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let (_, over_mcp) = self.post("/mcp", mcp, &call).await;
        [
            over_rest,
            over_mcp["result"]["structuredContent"]["result"].clone(),
        ]
    }
}
