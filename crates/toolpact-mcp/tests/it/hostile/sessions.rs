//! Clients over HTTP that mean no good. The server is a process of its own, whose memory is measured.
//! `scripts/hostile` has the long forms.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::process::{Process, cancelled, request};
use crate::http::{answer, client, initialize, post_by};
use crate::support::{modern, soon};

const IDLE: usize = 64;

const PLENTY: usize = 256 << 20;

/// A server, and somebody who knows its address.
struct Server {
    process: Process,
    url: String,
    client: Client,
}

impl Server {
    async fn start(request_bytes: usize) -> Self {
        let (process, url) = Process::over_http(request_bytes).await;
        let client = client();
        Self {
            process,
            url,
            client,
        }
    }

    fn post(&self, session: Option<&str>, message: &Json) -> RequestBuilder {
        let post = post_by(&self.client, &self.url, message);
        match session {
            Some(session) => post.header("mcp-session-id", session),
            None => post,
        }
    }

    async fn status(&self, session: Option<&str>, message: &Json) -> StatusCode {
        let sent = self.post(session, message).send();
        soon(sent).await.unwrap().status()
    }

    /// A session, if there is room for one.
    async fn open(&self) -> Option<String> {
        let begun = self.post(None, &initialize("2025-11-25")).send();
        let begun = soon(begun).await.unwrap();
        let session = begun.headers().get("mcp-session-id")?.to_str().unwrap();
        Some(session.to_owned())
    }

    /// The next clients of both kinds are served; one that is told to try again later tries again.
    async fn goes_on_within(&self, megabytes: usize) {
        let session = async {
            loop {
                match self.open().await {
                    Some(session) => return session,
                    None => tokio::time::sleep(Duration::from_millis(100)).await,
                }
            }
        };
        let session = tokio::time::timeout(Duration::from_secs(3), session)
            .await
            .expect("a session soon");
        let params = json!({"name": "test_simple_text", "arguments": {}});
        let call = request(&json!(1), "tools/call", params.clone());
        let call = self.post(Some(&session), &call).send();
        assert_text(&answer(soon(call).await.unwrap()).await);
        let mut params = params;
        params["_meta"] = modern();
        let call = request(&json!(1), "tools/call", params);
        let call = self
            .post(None, &call)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "test_simple_text")
            .send();
        assert_text(&answer(soon(call).await.unwrap()).await);
        self.process.took_at_most(megabytes);
    }
}

fn assert_text(called: &Json) {
    let text = &called["result"]["content"][0]["text"];
    assert_eq!(*text, "This is a simple text response for testing.");
}

#[tokio::test]
async fn sessions_that_are_opened_and_abandoned() {
    let server = Server::start(PLENTY).await;
    let mut refused = 0;
    for _ in 0..1500 {
        match server.open().await {
            Some(_) => {}
            None => refused += 1,
        }
    }
    assert!(refused < 1000, "{refused}");
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn events_that_were_never_sent() {
    let server = Server::start(PLENTY).await;
    let session = server.open().await.unwrap();
    let most = u64::MAX;
    for last in [
        String::new(),
        "x".to_owned(),
        "-1".to_owned(),
        "1/2/3".to_owned(),
        "/".to_owned(),
        "1/".to_owned(),
        "0/1".to_owned(),
        format!("{most}"),
        format!("{most}/{most}"),
        format!("{most}0"),
        "9".repeat(20_000),
        "\u{e9}".to_owned(),
    ] {
        let get = server
            .client
            .get(&server.url)
            .header("accept", "text/event-stream")
            .header("mcp-session-id", &session)
            .header("last-event-id", &last);
        let answered = soon(get.send()).await.unwrap();
        assert_eq!(answered.status(), 200, "{last:.60}");
        let rest = tokio::time::timeout(Duration::from_millis(50), answered.text()).await;
        if let Ok(rest) = rest {
            assert_eq!(rest.unwrap(), "", "{last:.60}");
        }
    }
    let long = server
        .client
        .get(&server.url)
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &session)
        .header("last-event-id", "9".repeat(200_000));
    // A server that has heard enough hangs up.
    if let Ok(long) = soon(long.send()).await {
        assert_eq!(long.status(), 431);
    }
    server.goes_on_within(IDLE).await;
}

#[tokio::test]
async fn answers_cancellations_and_identifiers_over_http() {
    let server = Server::start(PLENTY).await;
    let session = server.open().await.unwrap();
    let session = Some(&*session);
    for id in [json!(1), json!("1"), json!(-5), json!("x".repeat(10_000))] {
        let said = json!({"jsonrpc": "2.0", "id": id, "result": {}});
        assert_eq!(server.status(session, &said).await, 202);
        assert_eq!(server.status(session, &cancelled(&id)).await, 202);
    }
    let batch = json!([cancelled(&json!(1)), cancelled(&json!(2))]);
    assert_eq!(server.status(session, &batch).await, 400);
    for id in [json!(null), json!(1.5), json!([])] {
        let ping = request(&id, "ping", json!({}));
        assert_eq!(server.status(session, &ping).await, 400, "{id}");
    }
    // Calls that have the same identifier, and all run.
    let call = request(
        &json!(7),
        "tools/call",
        json!({"name": "test_reconnection"}),
    );
    let send = || async { answer(server.post(session, &call).send().await.unwrap()).await };
    let (one, two, three) = soon(async { tokio::join!(send(), send(), send()) }).await;
    for called in [one, two, three] {
        assert_eq!(called["id"], 7);
        assert!(called["result"].is_object(), "{called}");
    }
    // One that runs is cancelled twice, by somebody who has hung up.
    let call = request(&json!(8), "tools/call", json!({"name": "sleeps"}));
    let sleeps = server.post(session, &call).send();
    drop(soon(sleeps).await.unwrap());
    for _ in 0..2 {
        assert_eq!(server.status(session, &cancelled(&json!(8))).await, 202);
    }
    server.goes_on_within(IDLE).await;
}

/// Clients of both kinds ask for progress, and never read it.
#[tokio::test]
async fn event_streams_that_nobody_reads() {
    let server = Server::start(PLENTY).await;
    let session = server.open().await.unwrap();
    let mut unread = Vec::new();
    for id in 0..20 {
        let params = json!({"name": "test_much_progress", "_meta": {"progressToken": id}});
        let call = request(&id.into(), "tools/call", params);
        let call = server.post(Some(&session), &call).send();
        unread.push(soon(call).await.unwrap());
        let mut meta = modern();
        meta["progressToken"] = id.into();
        let params = json!({"name": "test_much_progress", "_meta": meta});
        let call = request(&id.into(), "tools/call", params);
        let call = server
            .post(None, &call)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "test_much_progress");
        unread.push(soon(call.send()).await.unwrap());
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    // A megabyte of messages for each of them.
    server.goes_on_within(IDLE + 2 * unread.len()).await;
    let last = unread.swap_remove(0);
    assert_eq!(answer(last).await["id"], 0, "the answer is kept");
}

/// Bodies that are sent in part take memory, too. Small requests are answered meanwhile.
#[tokio::test]
async fn bodies_that_take_all_the_memory() {
    let server = Server::start(16 << 20).await;
    let address = server.url.trim_start_matches("http://");
    let address = address.trim_end_matches("/mcp");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\naccept: application/json, text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: 4000000\r\n\r\n"
    );
    let part = vec![b' '; 3_500_000];
    let mut open = Vec::new();
    for _ in 0..60 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        // Those that are refused are not read.
        let sent = stream.write_all(&part);
        let _ = tokio::time::timeout(Duration::from_millis(200), sent).await;
        open.push(stream);
    }
    server.goes_on_within(IDLE + 32).await;
}
