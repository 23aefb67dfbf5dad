//! A server behind ours that asks: its question goes to the client of the call.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{
    SESSIONS, client, everything, first, given, name, next, questions, reply, round, serving, text,
};
use crate::support::{Listening, soon};
use serde_json::json;
use toolpact::{Context, Registry, ToolError, tool};
use toolpact_mcp::Server;
use toolpact_upstream::Upstream;

/// Greets the user, and says how often it has run.
#[tool(opaque)]
async fn hello(cx: &Context) -> Result<String, ToolError> {
    let runs = cx.get::<Arc<AtomicUsize>>().unwrap();
    let runs = runs.fetch_add(1, Ordering::SeqCst) + 1;
    let (one, other) = (name(cx, "one").await?, name(cx, "other").await?);
    Ok(format!("Hello, {one} and {other}! Run {runs}."))
}

/// A server behind, and one in front that has its tools.
async fn behind(sessionless: bool) -> (Listening, Server, Arc<AtomicUsize>) {
    let registry = Registry::new();
    registry.add(hello::tool()).unwrap();
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let behind = Server::builder(registry)
        .session(move |session| session.with(Arc::clone(&counted)))
        .build()
        .unwrap();
    let behind = serving(&behind).await;
    let upstream = Upstream::http(behind.url());
    let upstream = match sessionless {
        true => upstream.sessionless(),
        false => upstream,
    };
    let registry = Registry::new();
    let upstream = upstream.connect().await.unwrap();
    registry.add_all(upstream.definitions()).unwrap();
    (behind, Server::new(registry).unwrap(), runs)
}

#[tokio::test]
async fn questions_of_upstreams_reach_clients_with_sessions() {
    for sessionless in [false, true] {
        for version in SESSIONS {
            let (_behind, server, runs) = behind(sessionless).await;
            let mut client = client(&server, version, &everything()).await;
            let id = client
                .begin("tools/call", json!({"name": "hello", "arguments": {}}))
                .await;
            for name in ["Ada", "Bob"] {
                let question = client.read().await;
                assert_eq!(question["method"], "elicitation/create", "{question}");
                assert_eq!(question["params"]["message"], "Who are you?", "{question}");
                reply(&mut client, &question, given(name)).await;
            }
            let answer = client.read().await;
            assert_eq!(answer["id"], id, "{answer}");
            assert!(text(&answer).starts_with("Hello, Ada and Bob!"), "{answer}");
            // One that waits runs once; one that speaks 2026-07-28 is called again for each answer.
            let expected = if sessionless { 3 } else { 1 };
            assert_eq!(runs.load(Ordering::SeqCst), expected);
        }
    }
}

/// The call behind us waits while our client calls again with its answer.
#[tokio::test]
async fn questions_of_upstreams_reach_clients_without_sessions() {
    for sessionless in [false, true] {
        let (_behind, server, runs) = behind(sessionless).await;
        let server = serving(&server).await;
        let params = first("hello");
        let mut asked = round(&server, &params).await;
        for name in ["Ada", "Bob"] {
            let [question] = questions(&asked)[..] else {
                panic!("{asked}");
            };
            let brought = next(&params, &asked, json!({question: given(name)}));
            asked = round(&server, &brought).await;
        }
        assert!(text(&asked).starts_with("Hello, Ada and Bob!"), "{asked}");
        if !sessionless {
            assert_eq!(runs.load(Ordering::SeqCst), 1, "it is not called again");
        }
    }
}

#[tokio::test]
async fn a_question_that_nobody_can_answer_fails_the_call() {
    for sessionless in [false, true] {
        let (_behind, server, _) = behind(sessionless).await;
        let mut client = client(&server, "2025-11-25", &json!({"roots": {}})).await;
        let listed = client.ask("tools/list", json!({})).await;
        assert_eq!(listed["result"]["tools"][0]["name"], "hello", "{listed}");
        let answer = soon(client.call("hello", json!({}))).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let said = text(&answer);
        assert!(said.contains("has a question for its user"), "{said}");
    }
}

/// What a client says no to is no, also behind us.
#[tokio::test]
async fn a_refusal_of_the_client_reaches_the_upstream() {
    let (_behind, server, _) = behind(false).await;
    let mut client = client(&server, "2025-11-25", &everything()).await;
    client
        .begin("tools/call", json!({"name": "hello", "arguments": {}}))
        .await;
    let question = client.read().await;
    reply(&mut client, &question, json!({"action": "decline"})).await;
    let answer = client.read().await;
    assert!(
        text(&answer).contains("Nobody said who they are."),
        "{answer}"
    );
    // The user is asked no more when the call is cancelled.
    let id = client
        .begin("tools/call", json!({"name": "hello", "arguments": {}}))
        .await;
    let question = client.read().await;
    let params = json!({"requestId": id});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
    client.send(&cancel).await;
    let withdrawn = client.read().await;
    assert_eq!(
        withdrawn["method"], "notifications/cancelled",
        "{withdrawn}"
    );
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
}
