//! Clients that mean no good, on real sockets: each is refused or contained, and the server goes on.

mod arguments;
mod bodies;
mod connections;
mod disconnects;
mod messages;
mod strangers;

use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{PATIENCE, Running};

/// Where calls are made.
const DOORS: [&str; 2] = ["/v1/call", "/mcp"];

/// Longest wait of a client that means well.
const PROMPT: Duration = Duration::from_secs(5);

/// The server answers as it should, at both doors and without delay.
async fn goes_on(server: &Running) {
    let started = Instant::now();
    let args = json!({"text": "hi"});
    let (status, said) = server.call("echo", args.clone()).await;
    assert_eq!((status, &said), (200, &args), "{said}");
    let (status, said) = mcp_call(server, "echo", &args).await;
    let content = &said["result"]["structuredContent"];
    assert_eq!((status, content), (200, &args), "{said}");
    assert!(started.elapsed() < PROMPT, "{:?}", started.elapsed());
}

/// Calls a tool over MCP.
async fn mcp_call(server: &Running, name: &str, args: &Json) -> (u16, Json) {
    let body = mcp_message(name, args).to_string();
    let mut request = server.client.post(server.url("/mcp")).body(body);
    for (name, value) in mcp_headers(name) {
        request = request.header(name, value);
    }
    answer(request).await
}

/// A call as MCP has it since 2026-07-28, without a session.
fn mcp_message(name: &str, args: &Json) -> Json {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": name, "arguments": args, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

fn mcp_headers(name: &str) -> [(&'static str, String); 5] {
    [
        ("accept", "application/json, text/event-stream".to_owned()),
        ("content-type", "application/json".to_owned()),
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", "tools/call".to_owned()),
        ("mcp-name", name.to_owned()),
    ]
}

async fn answer(request: RequestBuilder) -> (u16, Json) {
    let response = request.timeout(PATIENCE).send().await.unwrap();
    let (status, text) = (response.status().as_u16(), response.text().await.unwrap());
    // A call that takes a while is answered with a stream, which ends with the answer.
    let last = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("data:"));
    let json = serde_json::from_str(last.unwrap_or(&text)).unwrap_or(Json::String(text));
    (status, json)
}

/// A call of a tool as bytes, for those who do not wait for the answer.
fn call_bytes(door: &str, name: &str, more: &str) -> String {
    let (headers, body) = match door {
        "/mcp" => {
            let headers = mcp_headers(name).map(|(name, value)| format!("{name}: {value}\r\n"));
            (headers.concat(), mcp_message(name, &json!({})))
        }
        _ => (String::new(), json!({"name": name})),
    };
    let body = body.to_string();
    let length = format!("content-length: {}\r\n", body.len());
    head(door, &format!("{headers}{more}{length}")) + &body
}

/// The head of a request that has a body.
fn head(path: &str, more: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: localhost\r\n{more}\r\n")
}

async fn connect(server: &Running) -> TcpStream {
    TcpStream::connect(server.address).await.unwrap()
}

/// Sends bytes and returns all that comes back until the server hangs up, or has said nothing more
/// for a second.
async fn raw(server: &Running, bytes: &[u8]) -> String {
    let mut stream = connect(server).await;
    // A server that has heard enough hangs up.
    let _ = stream.write_all(bytes).await;
    heard(&mut stream).await
}

async fn heard(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    let second = Duration::from_secs(1);
    while let Ok(Ok(more @ 1..)) = tokio::time::timeout(second, stream.read(&mut buffer)).await {
        heard.extend_from_slice(&buffer[..more]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}
