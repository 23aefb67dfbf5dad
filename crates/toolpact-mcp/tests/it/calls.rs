//! Calls over HTTP: answered with JSON if they are done soon, else with a stream.

use std::time::Duration;

use crate::answers::tools;
use crate::http::{answer, modern_call, post, session};
use crate::support::{Client, Listening, echo, listening, modern, server, soon};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value as Json, json};
use tokio::sync::mpsc;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Context, Definition, ToolError};
use toolpact_mcp::http::{Connections, Http};

const TOOLS: [&str; 9] = [
    "point",
    "list",
    "words",
    "broken",
    "strict",
    "loose",
    "enveloped",
    "panics",
    "blocks",
];

/// A session that has begun, in this version.
struct Begun<'a> {
    server: &'a Listening,
    version: &'static str,
    session: String,
}

impl<'a> Begun<'a> {
    async fn new(server: &'a Listening, version: &'static str) -> Self {
        let session = session(server, version).await;
        let begun = Self {
            server,
            version,
            session,
        };
        let said = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(begun.post(&said).send().await.unwrap().status(), 202);
        begun
    }

    fn post(&self, message: &Json) -> RequestBuilder {
        post(self.server, message)
            .header("mcp-session-id", &self.session)
            .header("mcp-protocol-version", self.version)
    }

    fn call(&self, id: &Json, params: &Json) -> RequestBuilder {
        let method = "tools/call";
        self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }
}

fn is_quick(response: &Response) -> bool {
    response.headers()["content-type"] == "application/json"
}

/// The answer to a call that is quick, which it need not be every time on a busy machine.
async fn quickly(call: impl Fn() -> RequestBuilder) -> Response {
    for _ in 0..100 {
        let response = call().send().await.unwrap();
        if is_quick(&response) {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it never was quick");
}

async fn serving(tools: impl IntoIterator<Item = Definition>) -> Listening {
    listening(&server(tools), Http::default(), Connections::default()).await
}

/// A result does not depend on the way that it takes.
#[tokio::test]
async fn answers_over_http_are_those_over_lines() {
    let server = tools();
    let listening = listening(&server, Http::default(), Connections::default()).await;
    for version in ["2025-06-18", "2025-11-25"] {
        let begun = Begun::new(&listening, version).await;
        let mut client = Client::begun(&server, version).await;
        for name in TOOLS {
            for view in ["text", "structure", "both"] {
                let params = json!({"name": name, "_meta": {"toolpact/view": view}});
                let expected = client.ask("tools/call", params.clone()).await;
                let response = quickly(|| begun.call(&expected["id"], &params)).await;
                assert_eq!(answer(response).await, expected, "{version}: {params}");
            }
        }
    }
}

#[tokio::test]
async fn answers_without_sessions_are_those_over_lines() {
    let server = tools();
    let listening = listening(&server, Http::default(), Connections::default()).await;
    let mut client = Client::silent(&server);
    for name in TOOLS {
        let params = json!({"name": name, "arguments": {}, "_meta": modern()});
        let mut expected = client.ask("tools/call", params.clone()).await;
        expected["id"] = "ä".into();
        let body = json!({"jsonrpc": "2.0", "id": "ID", "method": "tools/call", "params": params});
        let body = body.to_string().replace("ID", "\\u00e4");
        let call = modern_call(&listening, name, &json!({})).body(body);
        assert_eq!(answer(call.send().await.unwrap()).await, expected, "{name}");
    }
}

/// What is wrong with a call in a session is said in an answer; what is wrong with a request, by the
/// status.
#[tokio::test]
async fn wrong_calls_are_answered() {
    let server = serving([echo()]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    let arguments = json!({"text": "hi"});
    let usual = json!({"name": "echo", "arguments": arguments});
    for (params, is_wrong) in [
        (
            json!({"name": "echo", "arguments": arguments, "_meta": {"progressToken": 1}}),
            false,
        ),
        (
            json!({"name": "echo", "arguments": arguments, "more": true}),
            false,
        ),
        (json!({"name": "nobody", "arguments": arguments}), true),
        (json!({"name": "echo", "arguments": [1]}), true),
        (
            json!({"name": "echo", "arguments": arguments, "_meta": {"toolpact/view": "none"}}),
            true,
        ),
        (
            json!({"name": "echo", "arguments": arguments, "_meta": 5}),
            true,
        ),
        (json!({"arguments": arguments}), true),
    ] {
        let response = begun.call(&json!(1), &params).send().await.unwrap();
        assert_eq!(response.status(), 200, "{params}");
        let answered = answer(response).await;
        assert_eq!(answered.get("error").is_some(), is_wrong, "{answered}");
    }
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": usual});
    for (version, session, status) in [
        ("2025-06-18", &*begun.session, 200),
        ("2025-11-25", "unknown", 404),
        ("2026-07-28", &begun.session, 400),
        ("1999-01-01", &begun.session, 400),
    ] {
        let call = post(&server, &call)
            .header("mcp-protocol-version", version)
            .header("mcp-session-id", session);
        let response = call.send().await.unwrap();
        assert_eq!(response.status(), status, "{version}");
    }
    let without_session = post(&server, &call).send().await.unwrap();
    assert_eq!(without_session.status(), 400);
}

/// Headers of 2026-07-28 have to say what the message says.
#[tokio::test]
async fn headers_that_say_something_else_are_refused() {
    let server = serving([echo()]).await;
    let call = || modern_call(&server, "echo", &json!({"text": "hi"}));
    assert_eq!(call().send().await.unwrap().status(), 200);
    for (name, value) in [
        ("mcp-method", "tools/list"),
        ("mcp-name", "other"),
        ("mcp-name", "echo"),
    ] {
        // The header is there twice then.
        let twice = call().header(name, value).send().await.unwrap();
        assert_eq!(twice.status(), 400, "{name}: {value}");
    }
    for (place, value) in [
        (
            "io.modelcontextprotocol/protocolVersion",
            json!("2025-11-25"),
        ),
        ("io.modelcontextprotocol/clientCapabilities", json!(5)),
        ("io.modelcontextprotocol/clientCapabilities", Json::Null),
    ] {
        let mut meta = modern();
        meta[place] = value;
        let params = json!({"name": "echo", "arguments": {"text": "hi"}, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let wrong = call().body(body.to_string()).send().await.unwrap();
        assert_eq!(wrong.status(), 400, "{place}");
    }
}

/// Who takes longer has a stream, which begins before the end is known.
#[tokio::test]
async fn a_call_that_takes_longer_is_answered_with_a_stream() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let server = serving([telling(sender, Duration::from_millis(300))]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    let call = begun.call(&json!(7), &json!({"name": "telling"})).send();
    let response = call.await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let answered = answer(response).await;
    assert_eq!(answered["id"], 7);
    assert_eq!(answered["result"]["content"][0]["text"], "done");
    let alone = modern_call(&server, "telling", &json!({})).send().await;
    let answered = answer(alone.unwrap()).await;
    assert_eq!(answered["result"]["content"][0]["text"], "done");
    // Each of them was made once.
    let mut all = Vec::new();
    while let Ok(said) = told.try_recv() {
        all.push(said);
    }
    assert_eq!(all, ["begun", "done", "begun", "done"]);
}

/// Who came back for an answer has it, even from a server that is about to end.
#[tokio::test]
async fn an_answer_is_taken_up_again() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let server = serving([telling(sender, Duration::from_secs(2))]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    let call = begun.call(&json!(7), &json!({"name": "telling"})).send();
    let mut cut = call.await.unwrap();
    let first = soon(cut.chunk()).await.unwrap().unwrap();
    drop(cut);
    let first = String::from_utf8(first.to_vec()).unwrap();
    let place = first.lines().find_map(|line| line.strip_prefix("id:"));
    let again = toolpact_http::outgoing::client().build().unwrap();
    let again = again
        .get(server.url())
        .header("accept", "text/event-stream")
        .header("mcp-session-id", &begun.session)
        .header("last-event-id", place.expect(&first).trim());
    let again = again.send().await.unwrap();
    server.service.drain();
    let answered = answer(again).await;
    assert_eq!(answered["result"]["content"][0]["text"], "done");
    assert_eq!(told.try_recv(), Ok("begun"));
    assert_eq!(told.try_recv(), Ok("done"));
}

/// However soon it is cancelled, and whether its client waits for it or not.
#[tokio::test]
async fn a_call_in_a_session_can_be_cancelled() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let server = serving([telling(sender, Duration::MAX)]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    for (id, wait, leaves) in [(1, 0, false), (2, 5, true), (3, 100, false), (4, 100, true)] {
        let call = begun.call(&json!(id), &json!({"name": "telling"})).send();
        let call = tokio::spawn(call);
        assert_eq!(soon(told.recv()).await, Some("begun"));
        tokio::time::sleep(Duration::from_millis(wait)).await;
        if leaves {
            call.abort();
        }
        let params = json!({"requestId": id});
        let enough =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        assert_eq!(begun.post(&enough).send().await.unwrap().status(), 202);
        assert_eq!(soon(told.recv()).await, Some("cancelled"));
        call.abort();
    }
}

/// A tool that tells when it begins, when it is done after some time, and when it is cancelled.
fn telling(sender: mpsc::UnboundedSender<&'static str>, time: Duration) -> Definition {
    let contract = r#"{"name": "telling", "description": "Takes its time.", "parameters": {"type": "object"}, "returns": "opaque"}"#;
    let contract = Contract::from_json(contract).unwrap();
    Definition::new(contract, move |_: Value, cx: Context| {
        let sender = sender.clone();
        async move {
            let _ = sender.send("begun");
            tokio::select! {
                () = tokio::time::sleep(time) => drop(sender.send("done")),
                () = cx.cancelled() => drop(sender.send("cancelled")),
            }
            Ok::<_, ToolError>(Value::from("done"))
        }
    })
}

/// In a session, hanging up is not cancelling.
#[tokio::test]
async fn a_call_in_a_session_goes_on_without_its_client() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let server = serving([telling(sender, Duration::from_millis(300))]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    let call = begun.call(&json!(1), &json!({"name": "telling"})).send();
    let call = tokio::spawn(call);
    assert_eq!(soon(told.recv()).await, Some("begun"));
    call.abort();
    assert_eq!(soon(told.recv()).await, Some("done"));
}

/// Unless the session ends, and everything with it.
#[tokio::test]
async fn a_call_in_a_session_ends_with_it() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let server = serving([telling(sender, Duration::MAX)]).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    for _ in 0..2 {
        let call = begun.call(&json!(1), &json!({"name": "telling"})).send();
        let call = tokio::spawn(call);
        assert_eq!(soon(told.recv()).await, Some("begun"));
        call.abort();
    }
    let end = toolpact_http::outgoing::client().build().unwrap();
    let end = end
        .delete(server.url())
        .header("mcp-session-id", &begun.session);
    assert!(end.send().await.unwrap().status().is_success());
    assert_eq!(soon(told.recv()).await, Some("cancelled"));
    assert_eq!(soon(told.recv()).await, Some("cancelled"));
}

/// Calls keep a session, and it ends when they stop.
#[tokio::test]
async fn calls_keep_a_session() {
    let idle = Duration::from_secs(2);
    let http = Http::default().idle(idle);
    let server = listening(&server([echo()]), http, Connections::default()).await;
    let begun = Begun::new(&server, "2025-11-25").await;
    let call = || {
        begun.call(
            &json!(1),
            &json!({"name": "echo", "arguments": {"text": "hi"}}),
        )
    };
    for _ in 0..8 {
        tokio::time::sleep(idle / 3).await;
        assert_eq!(call().send().await.unwrap().status(), 200);
    }
    soon(async {
        while server.service.sessions() > 0 {
            tokio::time::sleep(idle / 10).await;
        }
    })
    .await;
    assert_eq!(call().send().await.unwrap().status(), 404);
}
