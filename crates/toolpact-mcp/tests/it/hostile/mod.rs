//! Clients that mean no good: each is refused or contained, and the server goes on.

mod lines;
#[cfg(target_os = "linux")]
mod process;
mod property;
#[cfg(target_os = "linux")]
mod sessions;
#[cfg(target_os = "linux")]
mod upstreams;

use crate::http::{answer, client, initialize, modern_call, post, post_by};
use crate::support::{Client, Listening, echo, json_value, listening, server, soon, tool};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::mpsc;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::returns::Progress;
use toolpact::{Context, Definition, ToolError};
use toolpact_mcp::http::{Connections, Http};

const SHORT: Duration = Duration::from_millis(300);

async fn start() -> Listening {
    let http = Http::default().body_bytes(10_000).body_time(SHORT);
    let connections = Connections::default().headers(SHORT);
    listening(&server([echo()]), http, connections).await
}

/// The server answers as it should.
async fn goes_on(server: &Listening) {
    let call = modern_call(server, "echo", &json!({"text": "hi"}));
    let called = answer(soon(call.send()).await.unwrap()).await;
    assert_eq!(
        called["result"]["structuredContent"]["text"], "hi",
        "{called}"
    );
}

/// Sends bytes and returns all that comes back until the server hangs up or has nothing to say.
async fn raw(server: &Listening, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    // A server that has heard enough hangs up.
    let _ = stream.write_all(bytes).await;
    heard(&mut stream).await
}

async fn heard(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(Ok(more @ 1..)) =
        tokio::time::timeout(Duration::from_secs(2), stream.read(&mut buffer)).await
    {
        heard.extend_from_slice(&buffer[..more]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}

fn head(server: &Listening, more: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\naccept: application/json, text/event-stream\r\n\
         content-type: application/json\r\n{more}\r\n",
        server.address
    )
}

#[tokio::test]
async fn strangers() {
    let server = start().await;
    for (name, value, expected) in [
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("host", "evil.example", 403),
        ("host", "127.0.0.1.evil.example:80", 403),
    ] {
        let call = modern_call(&server, "echo", &json!({"text": "hi"})).header(name, value);
        let refused = call.send().await.unwrap();
        assert_eq!(refused.status(), expected, "{name}: {value}");
        let refused = answer(refused).await;
        assert_eq!(refused["error"]["code"], -32000, "{refused}");
    }
    goes_on(&server).await;
}

#[tokio::test]
async fn bodies_that_are_too_large() {
    let server = start().await;
    let large = post(&server, &json!({"x": "x".repeat(20_000)}))
        .send()
        .await
        .unwrap();
    assert_eq!(large.status(), 413);
    // It is refused before it is sent.
    let promised = raw(
        &server,
        head(&server, "content-length: 999999999999\r\n").as_bytes(),
    )
    .await;
    assert!(promised.starts_with("HTTP/1.1 413"), "{promised}");
    // One that says nothing of its size, and never ends.
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = head(&server, "transfer-encoding: chunked\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
    while stream.write_all(chunk.as_bytes()).await.is_ok() {
        if tokio::time::timeout(Duration::from_millis(5), stream.readable())
            .await
            .is_ok()
        {
            break;
        }
    }
    let refused = heard(&mut stream).await;
    assert!(
        refused.starts_with("HTTP/1.1 413") || refused.is_empty(),
        "{refused}"
    );
    goes_on(&server).await;
}

#[tokio::test]
async fn slow_senders() {
    let server = start().await;
    let started = Instant::now();
    let half = head(&server, "content-length: 100\r\n") + "{\"jsonrpc\"";
    let body = raw(&server, half.as_bytes()).await;
    assert!(body.starts_with("HTTP/1.1 408"), "{body}");
    // Heads have a limit of their own; nobody answers half of one.
    let half = raw(&server, b"POST /mcp HTTP/1.1\r\nhost: localhost\r\n").await;
    assert!(
        half.is_empty() || half.starts_with("HTTP/1.1 408"),
        "{half}"
    );
    assert!(started.elapsed() < Duration::from_secs(5));
    goes_on(&server).await;
}

#[tokio::test]
async fn bodies_that_are_no_messages() {
    let server = start().await;
    let deep = "[".repeat(5000);
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        (&*deep, -32700),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
            -32700,
        ),
        (
            "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
            -32600,
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
            -32600,
        ),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
            -32602,
        ),
    ] {
        let refused = post(&server, &json!({}))
            .body(body.to_owned())
            .send()
            .await
            .unwrap();
        assert_eq!(refused.status(), 400, "{body:.40}");
        let refused = answer(refused).await;
        assert_eq!(refused["error"]["code"], code, "{body:.40}: {refused}");
    }
    let bytes = post(&server, &json!({}))
        .body(vec![0xff, 0xfe, b'{'])
        .send()
        .await
        .unwrap();
    assert_eq!(bytes.status(), 400);
    goes_on(&server).await;
}

#[tokio::test]
async fn requests_of_another_kind() {
    let server = start().await;
    for (request, expected) in [
        (
            "PUT /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 405",
        ),
        (
            "GET /mcp HTTP/1.1\r\nhost: localhost\r\n\r\n",
            "HTTP/1.1 406",
        ),
        (
            "POST /mcp HTTP/1.1\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 403",
        ),
        ("nonsense\r\n\r\n", "HTTP/1.1 400"),
    ] {
        let said = raw(&server, request.as_bytes()).await;
        assert!(said.starts_with(expected), "{request}: {said}");
    }
    goes_on(&server).await;
}

/// Those who connect and say nothing are let go of, and nobody waits for them.
#[tokio::test]
async fn many_who_say_nothing() {
    let connections = Connections::default().most(64).headers(SHORT);
    let server = listening(&server([echo()]), Http::default(), connections).await;
    let mut idle = Vec::new();
    for _ in 0..300 {
        idle.push(TcpStream::connect(server.address).await.unwrap());
    }
    goes_on(&server).await;
    let mut first = idle.swap_remove(0);
    assert!(!heard(&mut first).await.starts_with("HTTP/1.1 200"));
}

/// Those who ask for more than they read are let go of, too.
#[tokio::test]
async fn many_who_do_not_read() {
    let large = tool("large", "\"opaque\"", || {
        json_value(&format!("{:?}", "x".repeat(8 << 20)))
    });
    let connections = Connections::default()
        .most(2)
        .writes(Duration::from_secs(2));
    let server = listening(&server([echo(), large]), Http::default(), connections).await;
    let body = modern_call(&server, "large", &json!({})).build().unwrap();
    let body = body.body().unwrap().as_bytes().unwrap();
    let more = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: large\r\n";
    let head = head(
        &server,
        &format!("{more}content-length: {}\r\n", body.len()),
    );
    let mut deaf = Vec::new();
    for _ in 0..2 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(1 << 14).unwrap();
        let mut stream = socket.connect(server.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body).await.unwrap();
        // The answer has begun.
        stream.readable().await.unwrap();
        deaf.push(stream);
    }
    // Both are in use, until they have not read for too long.
    let call = || modern_call(&server, "echo", &json!({"text": "hi"})).send();
    let refused = soon(call()).await.unwrap();
    assert_eq!(refused.status(), 503);
    assert_eq!(refused.headers()["retry-after"], "1");
    soon(async {
        while call().await.unwrap().status() == 503 {
            tokio::time::sleep(SHORT).await;
        }
    })
    .await;
    goes_on(&server).await;
    // What they did not read is gone.
    let rest = heard(&mut deaf[0]).await;
    assert!(
        rest.starts_with("HTTP/1.1 200") && rest.len() < 8 << 20,
        "{}",
        rest.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sessions_that_begin_all_at_once() {
    // What happens at once does not always.
    for _ in 0..5 {
        let http = Http::default().sessions(5);
        let server = listening(&server([echo()]), http, Connections::default()).await;
        let mut begun = tokio::task::JoinSet::new();
        let client = client();
        for _ in 0..50 {
            let request = post_by(&client, &server.url(), &initialize("2025-11-25"));
            begun.spawn(async move { request.send().await.unwrap().status().as_u16() });
        }
        let statuses = soon(begun.join_all()).await;
        // Those that are not used make room for the next.
        let begun = statuses.iter().filter(|status| **status == 200).count();
        assert_eq!(begun, 50, "{statuses:?}");
        assert_eq!(server.service.sessions(), 5);
        goes_on(&server).await;
    }
}

/// Whoever asks to be told of everything and reads nothing holds up neither the call nor its end.
#[tokio::test]
async fn who_asks_for_progress_and_does_not_read() {
    let (stopped, mut stops) = mpsc::unbounded_channel();
    let contract = r#"{"name": "talker", "description": "Talks.", "parameters": {"type": "object"},
        "returns": "EventStream", "timeout_ms": 500}"#;
    let contract = Contract::from_json(contract).unwrap();
    let talker = Definition::new(contract, move |_: Value, cx: Context| {
        let stopped = Stopped(stopped.clone());
        async move {
            let _stopped = stopped;
            let text = "x".repeat(10_000);
            loop {
                cx.progress(Progress::default().with_message(&text)).await;
                tokio::task::yield_now().await;
            }
            #[expect(unreachable_code, reason = "it says what the tool would return")]
            Ok::<Value, ToolError>(Value::from(""))
        }
    });
    let mut client = Client::begun(&server([talker]), "2025-11-25").await;
    let params = json!({"name": "talker", "_meta": {"progressToken": 1}});
    client.begin("tools/call", params).await;
    soon(stops.recv()).await.unwrap();
}

/// Says when a call was dropped.
struct Stopped(mpsc::UnboundedSender<()>);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}
