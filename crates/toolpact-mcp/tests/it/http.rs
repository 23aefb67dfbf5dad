//! The server over HTTP, with clients that mean well.

use crate::support::{Listening, echo, endless, listening, modern, server, soon};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;
use toolpact_mcp::http::{Connections, Guard, Http};

const VERSION: &str = "2025-11-25";

pub(crate) fn client() -> Client {
    toolpact_http::outgoing::client().build().unwrap()
}

pub(crate) fn post(server: &Listening, body: &Json) -> RequestBuilder {
    post_by(&client(), &server.url(), body)
}

pub(crate) fn post_by(client: &Client, url: &str, body: &Json) -> RequestBuilder {
    client
        .post(url)
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json")
        .body(body.to_string())
}

/// A request of 2026-07-28, which needs no session.
pub(crate) fn modern_call(server: &Listening, name: &str, arguments: &Json) -> RequestBuilder {
    let params = json!({"name": name, "arguments": arguments, "_meta": modern()});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    post(server, &body)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
}

/// The answer, whether it came alone or as an event.
pub(crate) async fn answer(response: Response) -> Json {
    let text = soon(response.text()).await.unwrap();
    let mut events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let last = events.rfind(|data| !data.trim().is_empty());
    serde_json::from_str(last.unwrap_or(&text)).unwrap()
}

pub(crate) fn initialize(version: &str) -> Json {
    let about = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": about});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

pub(crate) async fn session(server: &Listening, version: &str) -> String {
    let response = post(server, &initialize(version)).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let session = response.headers()["mcp-session-id"]
        .to_str()
        .unwrap()
        .to_owned();
    assert_eq!(answer(response).await["result"]["protocolVersion"], version);
    session
}

#[tokio::test]
async fn a_session_begins_and_ends() {
    let server = listening(&server([echo()]), Http::default(), Connections::default()).await;
    let session = session(&server, VERSION).await;
    let params = json!({"name": "echo", "arguments": {"text": "hi"}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let ask = || {
        post(&server, &call)
            .header("mcp-session-id", &session)
            .header("mcp-protocol-version", "2025-11-25")
    };
    let called = answer(ask().send().await.unwrap()).await;
    assert_eq!(
        called["result"]["structuredContent"]["text"], "hi",
        "{called}"
    );
    let text_only = answer(ask().header("toolpact-view", "text").send().await.unwrap()).await;
    assert_eq!(
        text_only["result"].get("structuredContent"),
        None,
        "{text_only}"
    );

    let end = client().delete(server.url());
    let end = end.header("mcp-session-id", &session);
    assert!(end.send().await.unwrap().status().is_success());
    assert_eq!(ask().send().await.unwrap().status(), 404);
    assert_eq!(server.service.sessions(), 0);
}

#[tokio::test]
async fn a_call_of_2026_needs_no_session() {
    let server = listening(&server([echo()]), Http::default(), Connections::default()).await;
    let call = modern_call(&server, "echo", &json!({"text": "hi"}));
    let response = call.send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    let called = answer(response).await;
    assert_eq!(
        called["result"]["structuredContent"],
        json!({"text": "hi"}),
        "{called}"
    );
    let wrong = modern_call(&server, "echo", &json!({})).header("mcp-name", "other");
    assert_eq!(wrong.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn sessions_are_counted() {
    let http = Http::default().sessions(2);
    let server = listening(&server([echo()]), http, Connections::default()).await;
    let held = [
        session(&server, VERSION).await,
        session(&server, VERSION).await,
    ];
    let stream = |session: &str| {
        let get = client()
            .get(server.url())
            .header("accept", "text/event-stream");
        get.header("mcp-session-id", session).send()
    };
    let streams = [
        stream(&held[0]).await.unwrap(),
        stream(&held[1]).await.unwrap(),
    ];
    assert!(streams.iter().all(|stream| stream.status() == 200));
    // Both are in use.
    let refused = post(&server, &initialize(VERSION)).send().await.unwrap();
    assert_eq!(refused.status(), 503);
    assert_eq!(refused.headers()["retry-after"], "1");
    // One that is not makes room.
    let [first, second] = streams;
    drop(first);
    let opened = async {
        while post(&server, &initialize(VERSION))
            .send()
            .await
            .unwrap()
            .status()
            != 200
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    soon(opened).await;
    assert_eq!(server.service.sessions(), 2);
    assert_eq!(stream(&held[0]).await.unwrap().status(), 404);
    drop(second);
    // Who has no session is not hindered.
    let call = modern_call(&server, "echo", &json!({"text": "hi"}));
    assert_eq!(call.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn the_token_opens() {
    let http = Http::default().guard(Guard::default().token("s3cret"));
    let server = listening(&server([echo()]), http, Connections::default()).await;
    let call = || modern_call(&server, "echo", &json!({"text": "hi"}));
    let refused = call().send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert_eq!(refused.headers()["www-authenticate"], "Bearer");
    let wrong = call().bearer_auth("guess").send().await.unwrap();
    assert_eq!(wrong.status(), 401);
    let right = call().bearer_auth("s3cret").send().await.unwrap();
    assert_eq!(right.status(), 200);
}

/// A client of 2026-07-28 that hangs up has cancelled its call.
#[tokio::test]
async fn hanging_up_stops_the_call() {
    let (sender, mut stopped) = mpsc::unbounded_channel();
    let tools = [endless(sender), echo()];
    let server = listening(&server(tools), Http::default(), Connections::default()).await;
    let call = modern_call(&server, "endless", &json!({})).send();
    let call = async { call.await.unwrap().text().await };
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), call).await;
    assert!(waited.is_err(), "it goes on for ever");
    soon(stopped.recv()).await.unwrap();
    let call = modern_call(&server, "echo", &json!({"text": "hi"}));
    assert_eq!(call.send().await.unwrap().status(), 200);
}
