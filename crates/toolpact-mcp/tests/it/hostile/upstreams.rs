//! Servers behind ours whose answers do not end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::scripted::read;
use crate::support::soon;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use toolpact::core::json::Value;
use toolpact::{Call, Registry, ToolError};
use toolpact_upstream::Upstream;

/// Most that such a server gets rid of: an answer, and what waits in the buffers of the system.
const MOST: usize = 40 << 20;

/// Answers like any other, but one method without an end.
struct Endless {
    url: String,
    sent: Arc<AtomicUsize>,
    _task: tokio_util::task::AbortOnDropHandle<()>,
}

#[derive(Clone, Copy)]
struct Lie {
    method: &'static str,
    /// The head of the answer, and what follows again and again.
    head: &'static str,
    more: &'static str,
}

const JSON: &str = "200 OK\r\ncontent-type: application/json";
const EVENTS: &str = "200 OK\r\ncontent-type: text/event-stream";
const ERROR: &str = "400 Bad Request\r\ncontent-type: application/json";
const PAGE: &str = "500 Internal Server Error\r\ncontent-type: text/html";

impl Endless {
    async fn start(lie: Lie) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let sent = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&sent);
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(serve(stream, lie, Arc::clone(&count)));
            }
        });
        Self {
            url,
            sent,
            _task: tokio_util::task::AbortOnDropHandle::new(task),
        }
    }
}

async fn serve(stream: TcpStream, lie: Lie, sent: Arc<AtomicUsize>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (is_post, request) = read(&mut stream).await?;
        let method = request["method"].as_str().unwrap_or_default();
        if is_post && method == lie.method {
            let head = format!(
                "HTTP/1.1 {}\r\ntransfer-encoding: chunked\r\n\r\n",
                lie.head
            );
            stream.write_all(head.as_bytes()).await.ok()?;
            let piece = lie.more.repeat((1 << 16) / lie.more.len());
            let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
            loop {
                stream.write_all(chunk.as_bytes()).await.ok()?;
                sent.fetch_add(chunk.len(), Ordering::Relaxed);
            }
        }
        let answer = match (is_post, request.get("id")) {
            (false, _) => "405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n".to_owned(),
            (true, None) => "202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
            (true, Some(id)) => {
                let body = json!({"jsonrpc": "2.0", "id": id, "result": result(method)});
                let body = body.to_string();
                format!("{JSON}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
            }
        };
        let answer = format!("HTTP/1.1 {answer}");
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}

fn result(method: &str) -> Json {
    match method {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "endless", "version": "1"},
        }),
        "tools/list" => json!({"tools": [{"name": "go", "inputSchema": {"type": "object"}}]}),
        _ => json!({"content": [{"type": "text", "text": "hi"}]}),
    }
}

#[tokio::test]
async fn a_server_whose_answer_to_begin_or_list_does_not_end_is_left() {
    for method in ["initialize", "tools/list"] {
        for (head, more) in [
            (JSON, " "),
            (JSON, "[1,"),
            (EVENTS, "data: x"),
            (EVENTS, "data: x\n"),
            (ERROR, " "),
            (PAGE, "<p>"),
        ] {
            let server = Endless::start(Lie { method, head, more }).await;
            let connecting = Upstream::http(&*server.url)
                .connect_timeout(Duration::from_secs(15))
                .connect();
            let refused = soon(connecting).await;
            assert!(refused.is_err(), "{method} {head} {more:?}");
            let sent = server.sent.load(Ordering::Relaxed);
            assert!(sent < MOST, "{method} {head} {more:?}: {sent} bytes");
        }
    }
}

#[tokio::test]
async fn a_call_whose_answer_does_not_end_fails() {
    for (head, more) in [
        (JSON, " "),
        (EVENTS, "data: x\n"),
        (ERROR, " "),
        (PAGE, "<p>"),
    ] {
        let method = "tools/call";
        let server = Endless::start(Lie { method, head, more }).await;
        let upstream = Upstream::http(&*server.url).connect().await.unwrap();
        let registry = Registry::new();
        registry.add_all(upstream.definitions()).unwrap();
        let session = registry.session().open().unwrap();
        let args = Value::from_json("{}").unwrap();
        let called = soon(session.call(Call::new("go", args))).await;
        let code = called.error().map(ToolError::code);
        assert_eq!(code, Some("EXTERNAL_API_ERROR"), "{head} {more:?}");
        let sent = server.sent.load(Ordering::Relaxed);
        assert!(sent < MOST, "{head} {more:?}: {sent} bytes");
    }
}
