//! Answers that nobody reads: they take memory until the system has them, and not only until hyper does.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;
use toolpact::returns::StringValue;
use toolpact::{Context, Definition, Registry, ToolError, tool};
use toolpact_serve::{Config, Service};

use super::{MIB, SMALL};
use crate::support::{PATIENCE, Running, TOOLS};

/// Returns a text of this size.
#[tool(read_only, inline)]
async fn text_of(bytes: usize) -> StringValue {
    StringValue::success("x".repeat(bytes))
}

/// A server of [`TOOLS`] and of a registry.
async fn serving(registry: Registry) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toolpact.yaml");
    // Streams are kept for a moment for clients that come back.
    let limits = SMALL.replace("limits: {", "limits: { resume_ms: 500,");
    let config = format!(
        "listen: 127.0.0.1:0\ndata: data\n{limits}\nsources: [{{ files: {{ paths: [tools.yaml] }} }}]"
    );
    std::fs::write(folder.path().join("tools.yaml"), TOOLS).unwrap();
    std::fs::write(&path, config).unwrap();
    let config = Config::from_file(&path).unwrap();
    let stop = CancellationToken::new();
    let listener = Service::bind(&config).await.unwrap();
    let address = listener.local_addr().unwrap();
    let builder = Service::builder().registry(registry).config(config);
    let service = builder.stop(stop.clone()).start().await.unwrap();
    let served = tokio::spawn(async move { service.listen(listener).await.unwrap() });
    let client = toolpact_http::outgoing::client().no_proxy();
    let client = client.build().unwrap();
    Running {
        address,
        stop,
        served,
        folder,
        client,
    }
}

impl Running {
    /// Waits until so many bytes of a part are taken.
    async fn until_taken(&self, part: &str, bytes: usize) {
        let taken = async {
            while self.memory("", part).await < bytes {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let taken = tokio::time::timeout(PATIENCE, taken).await;
        assert!(taken.is_ok(), "{part}: {}", self.memory("", part).await);
    }
}

/// How an answer begins.
async fn status(stream: &mut TcpStream) -> String {
    let mut head = [0; 12];
    let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut head)).await;
    read.unwrap().unwrap();
    String::from_utf8_lossy(&head).into_owned()
}

/// 16 results of 600 kB, of which four fit.
#[tokio::test]
async fn large_results_take_their_share_until_they_are_read() {
    let script = "head -c 600000 /dev/zero | tr '\\0' x";
    let tool = json!({
        "name": "large", "description": "Writes much.", "parameters": {"type": "object", "properties": {}},
        "returns": "opaque", "run": {"command": ["sh", "-c", script]},
    });
    let tools = json!({"toolpact": 1, "tools": [tool]}).to_string();
    let config = format!("{SMALL}\nsources:\n  - files: {{ paths: [tools.yaml, more.json] }}\n");
    let server = Running::of(&config, &[("tools.yaml", TOOLS), ("more.json", &tools)]).await;
    let body = r#"{"name":"large"}"#;
    let request = server.post_of("/v1/call", body.len(), body);
    let mut refused = 0;
    let mut unread = Vec::new();
    for _ in 0..16 {
        let mut stream = server.sent(&request).await;
        refused += usize::from(status(&mut stream).await != "HTTP/1.1 200");
        unread.push(stream);
    }
    assert_eq!(refused, 12);
    let peak = server.peak("results").await;
    assert!((2 * MIB..2 * MIB + 601_000).contains(&peak), "{peak}");
    server.is_served().await;
    drop(unread);
    server.until_free("results").await;
}

/// 300 clients that send twenty requests each and read nothing, and have results of 12 kB.
#[tokio::test]
async fn small_results_are_counted_and_bounded_by_connections() {
    let registry = Registry::new();
    registry.add(text_of::tool()).unwrap();
    let server = serving(registry).await;
    let rest = r#"{"name":"text_of","args":{"bytes":12000}}"#;
    let rest = server.post_of("/v1/call", rest.len(), rest);
    let mcp = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"text_of","arguments":{"bytes":12000},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let mcp = server.post_of("/mcp", mcp.len(), mcp).replacen(
        "\r\n",
        "\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: text_of\r\n",
        1,
    );
    for (part, request, most) in [("results", rest, 16 << 10), ("streams", mcp, 64 << 10)] {
        let requests = request.repeat(20);
        let unread = join_all((0..300).map(|_| server.sent(&requests))).await;
        // Whoever's answers are all with the system does not count.
        server.until_taken(part, 100 * 12_000).await;
        let peak = server.peak(part).await;
        assert!(peak <= 300 * most, "{part}: {peak}");
        server.is_served().await;
        drop(unread);
        server.until_free(part).await;
    }
}

/// Documents of 400 kB and more, of which each client asks for another and reads nothing.
#[tokio::test]
async fn documents_take_their_share_until_they_are_read() {
    let tool = |n: usize| {
        json!({
            "name": format!("tool_{n}"), "description": "x".repeat(10_000),
            "parameters": {"type": "object", "properties": {}}, "returns": "opaque", "run": {"command": ["cat"]},
        })
    };
    let tools: Vec<_> = (0..40).map(tool).collect();
    let tools = json!({"toolpact": 1, "tools": tools}).to_string();
    let config = format!("{SMALL}\nsources:\n  - files: {{ paths: [tools.yaml, more.json] }}\n");
    let server = Running::of(&config, &[("tools.yaml", TOOLS), ("more.json", &tools)]).await;
    let exports = [
        "openai-chat",
        "anthropic",
        "mcp",
        "gemini",
        "bedrock",
        "contract",
    ];
    let mut paths = exports.map(|one| format!("/v1/exports/{one}")).to_vec();
    for path in ["openapi.json", "contracts", "docs", "stubs?lang=python"] {
        paths.push(format!("/v1/{path}"));
    }
    let (mut refused, mut unread) = (Vec::new(), Vec::new());
    for path in &paths {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        let mut stream = server.sent(&request).await;
        let status = status(&mut stream).await;
        match &*status {
            "HTTP/1.1 200" => unread.push(stream),
            status => refused.push((path, status.to_owned())),
        }
    }
    let is_503 = |(_, status): &(_, String)| status == "HTTP/1.1 503";
    assert!(
        refused.len() >= 6 && refused.iter().all(is_503),
        "{refused:?}"
    );
    let peak = server.peak("documents").await;
    // The last one may be larger than what is left; the reference pages are the largest.
    assert!((MIB..3 * MIB).contains(&peak), "{peak}");
    server.is_served().await;
    drop(unread);
    // Those that are kept make room for those that are asked for.
    for path in &paths {
        let patience = async {
            while server.get(path).await.0 != 200 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, patience).await.unwrap();
    }
}

fn event(bytes: usize) -> Value {
    let event = json!({"event": "tick", "data": "x".repeat(bytes)});
    Value::from_json(event.to_string()).unwrap()
}

/// 20 calls that send twenty items of 300 kB each to clients that read nothing.
#[tokio::test]
async fn items_take_their_share_until_they_are_read() {
    let memory = Arc::new(MemoryBudget::new(2 * MIB));
    let registry = Registry::builder()
        .result_memory(Arc::clone(&memory))
        .build();
    let contract = json!({
        "name": "emit", "description": "Sends much.", "parameters": {"type": "object", "properties": {}},
        "returns": "EventStream",
    });
    let contract = Contract::from_json(contract.to_string()).unwrap();
    let tool = Definition::new(contract, move |_: Value, cx: Context| async move {
        for _ in 0..20 {
            cx.emit(&event(300_000)).await?;
        }
        Ok::<_, ToolError>(event(1))
    });
    registry.add(tool).unwrap();
    let server = serving(registry).await;
    let body = r#"{"name":"emit"}"#;
    let request = server.post_of("/v1/call", body.len(), body);
    let request = request.replacen("\r\n", "\r\naccept: text/event-stream\r\n", 1);
    let unread = join_all((0..20).map(|_| server.sent(&request))).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    server.is_served().await;
    let (items, events) = (memory.peak(), server.peak("streams").await);
    assert!((2 * MIB..2 * MIB + 301_000).contains(&items), "{items}");
    assert!(
        (MIB..MIB + 301_000 + 20 * super::ALWAYS).contains(&events),
        "{events}"
    );
    drop(unread);
    server.until_free("streams").await;
}
