//! Who may ask, and how much.

use reqwest::Method;
use serde_json::json;

use crate::support::{PATIENCE, Running};

#[tokio::test]
async fn tokens_are_asked_for_everywhere() {
    let server = Running::with("auth_token: { literal: s3cret }").await;
    for (path, method) in [
        ("/v1/contracts", Method::GET),
        ("/v1/health", Method::GET),
        ("/mcp", Method::POST),
    ] {
        let (status, text) = server.ask(method.clone(), path, "{}").await;
        assert_eq!(status, 401, "{path}");
        assert!(!text.contains("s3cret"));
        let request = server.client.request(method, server.url(path)).body("{}");
        let response = request.bearer_auth("s3cret").send().await.unwrap();
        assert_ne!(response.status().as_u16(), 401, "{path}");
    }
}

#[tokio::test]
async fn origins_and_hosts_of_strangers_are_refused() {
    let server = Running::with("allowed_origins: [https://app.example.com]").await;
    for (name, value, expected) in [
        ("origin", "https://app.example.com", 200),
        ("origin", "http://localhost:3000", 200),
        ("origin", "https://evil.example", 403),
        ("host", "evil.example", 403),
    ] {
        let request = server
            .client
            .get(server.url("/v1/contracts"))
            .header(name, value);
        let status = request.send().await.unwrap().status().as_u16();
        assert_eq!(status, expected, "{name}: {value}");
    }
    let request = server.client.post(server.url("/mcp")).body("{}");
    let response = request
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status().as_u16(), 403);
}

/// Browsers ask first, and without the token.
#[tokio::test]
async fn pages_that_may_ask_may_read_the_answer() {
    let config = "auth_token: { literal: s3cret }\nallowed_origins: [https://app.example.com]";
    let server = Running::with(config).await;
    for path in ["/v1/call", "/mcp"] {
        for (origin, expected) in [
            ("https://app.example.com", 204),
            ("https://evil.example", 403),
        ] {
            let request = server.client.request(Method::OPTIONS, server.url(path));
            let request = request
                .header("origin", origin)
                .header("access-control-request-method", "POST")
                .header(
                    "access-control-request-headers",
                    "authorization, content-type",
                );
            let response = request.send().await.unwrap();
            assert_eq!(response.status().as_u16(), expected, "{path} {origin}");
            let allowed = response.headers().get("access-control-allow-origin");
            assert_eq!(allowed.is_some(), expected == 204, "{path} {origin}");
        }
        let request = server.client.post(server.url(path)).bearer_auth("s3cret");
        let request = request.header("origin", "https://app.example.com");
        let response = request.body("{}").send().await.unwrap();
        let allowed = &response.headers()["access-control-allow-origin"];
        assert_eq!(allowed, "https://app.example.com", "{path}");
    }
}

/// What a server refuses is told from what a tool says no to.
#[tokio::test]
async fn answers_of_tools_say_so() {
    let server = Running::with("").await;
    for (call, expected) in [
        (
            json!({"name": "echo", "args": {"text": "a"}}),
            Some("SUCCESS"),
        ),
        (json!({"name": "liar"}), Some("INTERNAL_CONTRACT")),
        (json!({"nome": "echo"}), None),
    ] {
        let request = server.client.post(server.url("/v1/call"));
        let response = request.body(call.to_string()).send().await.unwrap();
        let outcome = response.headers().get("toolpact-outcome");
        let outcome = outcome.map(|outcome| outcome.to_str().unwrap());
        assert_eq!(outcome, expected, "{call}");
    }
}

#[tokio::test]
async fn bodies_that_are_too_large_are_refused() {
    let server = Running::with("limits: { body_bytes: 1000 }").await;
    let large = json!({"name": "echo", "args": {"text": "x".repeat(2000)}});
    let (status, error) = server.post("/v1/call", &large).await;
    assert_eq!(status, 413);
    assert!(error["message"].as_str().unwrap().contains("1000 bytes"));
    assert_eq!(server.call("echo", json!({"text": "x"})).await.0, 200);
}

#[tokio::test]
async fn sessions_are_limited() {
    let server = Running::with("limits: { sessions: 1 }").await;
    let (status, opened) = server.post("/v1/sessions", &json!({})).await;
    assert_eq!(status, 201);
    let call = json!({"name": "sleepy", "session": opened["session"]});
    let used = async {
        tokio::time::sleep(std::time::Duration::from_millis(400)).await;
        server.post("/v1/sessions", &json!({})).await
    };
    let (called, (status, refused)) = tokio::join!(server.post("/v1/call", &call), used);
    assert_eq!((called.0, status), (200, 503), "{refused}");
    assert_eq!(refused["details"]["retry_after_ms"], 1000, "{refused}");
    // One that is not in use makes room.
    assert_eq!(server.post("/v1/sessions", &json!({})).await.0, 201);
    assert_eq!(server.post("/v1/call", &call).await.0, 404);
}

#[tokio::test]
async fn slow_senders_are_not_waited_for() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = Running::with("limits: { body_ms: 200 }").await;
    let mut stream = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    let head = "POST /v1/call HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut answer));
    read.await.unwrap().unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    assert_eq!(server.call("echo", json!({"text": "x"})).await.0, 200);
}

#[tokio::test]
async fn bodies_without_a_length_are_limited_too() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = Running::with("limits: { body_bytes: 1000 }").await;
    let mut stream = tokio::net::TcpStream::connect(server.address)
        .await
        .unwrap();
    let chunk = "x".repeat(2000);
    let request = format!(
        "POST /v1/call HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n{chunk}\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    let read = tokio::time::timeout(PATIENCE, stream.read_exact(&mut answer));
    read.await.unwrap().unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}
