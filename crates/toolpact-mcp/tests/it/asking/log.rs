//! What tools tell their clients while they run.

use super::{SESSIONS, client, first, server, serving};
use crate::http::modern_call;
use crate::support::{Client, modern, soon};
use serde_json::{Value as Json, json};

/// What is told before a question comes before it.
#[tokio::test]
async fn a_log_comes_before_the_question() {
    let mut client = Client::silent(&server());
    for _ in 0..20 {
        let mut params = first("announce");
        params["_meta"]["io.modelcontextprotocol/logLevel"] = "info".into();
        assert_eq!(log(&mut client, params).await, ["info: Listen."]);
    }
}

/// The lines of the log that come before the answer of a call.
async fn log(client: &mut Client, params: Json) -> Vec<String> {
    let call = client.begin("tools/call", params).await;
    let mut lines = Vec::new();
    loop {
        let told = client.read().await;
        if told["id"] == call {
            return lines;
        }
        assert_eq!(told["method"], "notifications/message", "{told}");
        let (level, data) = (&told["params"]["level"], &told["params"]["data"]);
        lines.push(format!(
            "{}: {}",
            level.as_str().unwrap(),
            data.as_str().unwrap()
        ));
    }
}

#[tokio::test]
async fn a_client_reads_the_log_from_the_level_that_it_sets() {
    for version in SESSIONS {
        let mut client = client(&server(), version, &json!({})).await;
        let call = || json!({"name": "talk", "arguments": {}});
        assert!(log(&mut client, call()).await.is_empty());
        client
            .ask("logging/setLevel", json!({"level": "debug"}))
            .await;
        assert_eq!(
            log(&mut client, call()).await,
            ["info: quiet", "error: loud"]
        );
        client
            .ask("logging/setLevel", json!({"level": "warning"}))
            .await;
        assert_eq!(log(&mut client, call()).await, ["error: loud"]);
        let wrong = client
            .ask("logging/setLevel", json!({"level": "loud"}))
            .await;
        assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    }
}

#[tokio::test]
async fn without_a_session_each_call_says_what_it_wants_of_the_log() {
    let mut client = Client::silent(&server());
    let mut params = first("talk");
    assert!(log(&mut client, params.clone()).await.is_empty());
    params["_meta"]["io.modelcontextprotocol/logLevel"] = "error".into();
    assert_eq!(log(&mut client, params.clone()).await, ["error: loud"]);
    // And over HTTP, where such a call is not quick.
    let server = serving(&server()).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let call = modern_call(&server, "talk", &json!({})).body(body.to_string());
    let heard = soon(call.send()).await.unwrap().text().await.unwrap();
    assert!(
        heard.contains("loud") && !heard.contains("quiet"),
        "{heard}"
    );
    let mut level = json!({"level": "info", "_meta": modern()});
    level["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    let refused = client.ask("logging/setLevel", level).await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
}
