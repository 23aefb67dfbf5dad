//! How many sessions one principal may have.

use std::time::Duration;

use http::StatusCode;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value as Json, json};
use toolpact_identity::{NewToken, TokenFile};

use crate::support::Running;

const CONFIG: &str = "identity: { tokens: tokens.json, anonymous: true }\n\
                      limits: { sessions: 4, sessions_per_principal: 2, listeners: 9, listeners_per_principal: 1 }";

async fn send(request: RequestBuilder, token: Option<&str>) -> Response {
    let request = match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    };
    request.send().await.unwrap()
}

/// The tokens of these principals, once the server knows them.
async fn tokens<const N: usize>(server: &Running, names: [&str; N]) -> [String; N] {
    let file = TokenFile::at(server.file("tokens.json"));
    let tokens = names.map(|name| {
        let new = NewToken {
            name: name.to_owned(),
            ..NewToken::default()
        };
        file.add(new).unwrap()
    });
    for token in &tokens {
        let ask = || send(server.client.get(server.url("/v1/contracts")), Some(token));
        while ask().await.status() == StatusCode::UNAUTHORIZED {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    tokens
}

/// Opens a session of REST.
async fn open(server: &Running, token: Option<&str>) -> String {
    let request = server.client.post(server.url("/v1/sessions"));
    let response = send(request, token).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let opened: Json = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    opened["session"].as_str().unwrap().to_owned()
}

async fn is_open(server: &Running, token: Option<&str>, session: &str) -> bool {
    let call = json!({"name": "nothing", "args": {}, "session": session});
    let request = server.client.post(server.url("/v1/call"));
    let request = request.header("content-type", "application/json");
    let response = send(request.body(call.to_string()), token).await;
    let text = response.text().await.unwrap();
    !text.contains("no such session")
}

/// From this machine, where addresses have no limits.
#[tokio::test]
async fn a_principal_with_a_name_has_a_share_of_the_sessions() {
    let server = Running::with(CONFIG).await;
    let [ada, bob] = tokens(&server, ["ada", "bob"]).await;
    let (ada, bob) = (Some(&*ada), Some(&*bob));
    let of_bob = open(&server, bob).await;
    let first = open(&server, ada).await;
    let second = open(&server, ada).await;
    // There is room for another, and not for another of hers.
    let third = open(&server, ada).await;
    assert!(!is_open(&server, ada, &first).await);
    assert!(is_open(&server, ada, &second).await);
    assert!(is_open(&server, ada, &third).await);
    assert!(is_open(&server, bob, &of_bob).await);
    // Who has no name has no share. The one with most has to make room then.
    let nobody = [open(&server, None).await, open(&server, None).await];
    assert!(!is_open(&server, ada, &second).await);
    assert!(is_open(&server, bob, &of_bob).await);
    for session in nobody {
        assert!(is_open(&server, None, &session).await);
    }
}

/// Opens a stream that tells of changes.
async fn listen(server: &Running, token: &str) -> Response {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": true}},
    });
    let request = server.client.post(server.url("/mcp"));
    let request = request
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "subscriptions/listen");
    send(request.body(message.to_string()), Some(token)).await
}

#[tokio::test]
async fn a_principal_with_a_name_has_a_share_of_the_listeners() {
    let server = Running::with(CONFIG).await;
    let [ada, bob] = tokens(&server, ["ada", "bob"]).await;
    let first = listen(&server, &ada).await;
    assert_eq!(first.status(), StatusCode::OK);
    let refused = listen(&server, &ada).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "1");
    let said = refused.text().await.unwrap();
    assert!(
        said.contains("too many listeners of this principal"),
        "{said}"
    );
    let of_bob = listen(&server, &bob).await;
    assert_eq!(of_bob.status(), StatusCode::OK);
}
