//! Calls are held by whichever way they come.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value as Json, json};
use tokio::task::JoinHandle;

use super::{HELD, House, config};

/// Decides about everything that is held, and counts it.
fn decider(house: &Arc<House>, decision: &'static str) -> JoinHandle<()> {
    let house = Arc::clone(house);
    tokio::spawn(async move {
        loop {
            for held in house.list("bob").await {
                drop(
                    house
                        .decide("bob", &held, &json!({"decision": decision}))
                        .await,
                );
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
}

/// A message of MCP, and the last one that is answered.
async fn mcp(house: &House, session: Option<&str>, body: &Json) -> (Option<String>, Json) {
    let mut request = house
        .request("ada", Method::POST, "/mcp")
        .header("accept", "application/json, text/event-stream")
        .header("content-type", "application/json");
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    if let Some(version) =
        body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str()
    {
        request = request
            .header("mcp-protocol-version", version)
            .header("mcp-method", "tools/call")
            .header("mcp-name", "echo");
    }
    let response = request.body(body.to_string()).send().await.unwrap();
    let session = response.headers().get("mcp-session-id");
    let session = session.map(|id| id.to_str().unwrap().to_owned());
    let text = response.text().await.unwrap();
    let mut events = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let last = events.rfind(|data| !data.trim().is_empty());
    (
        session,
        serde_json::from_str(last.unwrap_or(&text)).unwrap_or_default(),
    )
}

/// What comes of a call of `echo` by each way, as text.
pub(super) async fn all(house: &House) -> Vec<(&'static str, String)> {
    let args = json!({"text": "hello"});
    let call = json!({"name": "echo", "args": args});
    let mut all = Vec::new();
    let (_, said) = house.post("ada", "/v1/call", &call).await;
    all.push(("call", said.to_string()));
    let (_, said) = house.post("ada", "/v1/tools/echo", &args).await;
    all.push(("tool", said.to_string()));
    let (_, said) = house
        .post("ada", "/v1/batch", &json!({"calls": [call]}))
        .await;
    all.push(("batch", said.to_string()));
    let plan = json!([{"id": "a", "tool": "echo", "args": args}]);
    let (_, said) = house.post("ada", "/v1/plan", &plan).await;
    all.push(("plan", said.to_string()));
    let (_, session) = house.post("ada", "/v1/sessions", &json!({})).await;
    let body = json!({"name": "echo", "args": args, "session": session["session"]});
    let (_, said) = house.post("ada", "/v1/call", &body).await;
    all.push(("session", said.to_string()));
    let request = house.request("ada", Method::POST, "/v1/call");
    let request = request
        .header("accept", "text/event-stream")
        .body(call.to_string());
    all.push(("stream", house.send(request).await.1.to_string()));
    let info = json!({"name": "desk", "version": "2"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let (session, _) = mcp(house, None, &body).await;
    let params = json!({"name": "echo", "arguments": args});
    let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let (_, said) = mcp(house, session.as_deref(), &body).await;
    all.push(("mcp", said.to_string()));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": info,
    });
    let params = json!({"name": "echo", "arguments": args, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    all.push((
        "mcp without a session",
        mcp(house, None, &body).await.1.to_string(),
    ));
    // The caller runs the tool itself, once it may.
    let (_, said) = house.post("ada", "/v1/authorizations", &call).await;
    let said = match said["authorization"].as_str() {
        Some(id) => {
            let (path, result) = (format!("/v1/authorizations/{id}"), json!({"result": args}));
            house.post("ada", &path, &result).await.1
        }
        None => said,
    };
    all.push(("authorization", said.to_string()));
    all
}

#[tokio::test]
async fn no_way_in_leads_around_an_approval() {
    let house = House::open().await;
    let deciding = decider(&house, "approve");
    let ways = all(&house).await;
    for (way, said) in &ways {
        assert!(said.contains("hello"), "{way}: {said}");
    }
    deciding.abort();
    let all_ways = u64::try_from(ways.len()).unwrap();
    assert_eq!(house.count("approved").await, all_ways);
    let deciding = decider(&house, "deny");
    for (way, said) in all(&house).await {
        assert!(!said.contains("hello"), "{way}: {said}");
        assert!(
            said.contains("FORBIDDEN_ACCESS") || said.contains("approval"),
            "{way}: {said}"
        );
    }
    deciding.abort();
    assert_eq!(house.count("denied").await, all_ways);
}

#[tokio::test]
async fn clients_that_cannot_ask_are_decided_about_by_others() {
    let house = House::of(&config(&format!("client: true, {HELD}"), "")).await;
    let deciding = decider(&house, "approve");
    for (way, said) in all(&house).await {
        assert!(said.contains("hello"), "{way}: {said}");
    }
    deciding.abort();
    // One that can is asked itself, and nobody else is.
    let info = json!({"name": "desk", "version": "2"});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        "io.modelcontextprotocol/clientInfo": info,
    });
    let params = json!({"name": "echo", "arguments": {"text": "hello"}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
    let before = house.count("held").await;
    let (_, said) = mcp(&house, None, &body).await;
    let said = said.to_string();
    assert!(
        said.contains("May this be said?") && !said.contains("hello"),
        "{said}"
    );
    assert_eq!(house.count("held").await, before);
}

#[tokio::test]
async fn a_call_that_an_mcp_client_cancels_is_not_held_any_more() {
    let house = House::open().await;
    let info = json!({"name": "desk", "version": "2"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let (session, _) = mcp(&house, None, &body).await;
    let (of_call, other) = (Arc::clone(&house), session.clone());
    let calling = tokio::spawn(async move {
        let params = json!({"name": "echo", "arguments": {"text": "hello"}});
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        mcp(&of_call, other.as_deref(), &body).await
    });
    let held = house.listed("bob", 1).await.remove(0);
    assert_eq!(held["client"], "desk 2");
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    mcp(&house, session.as_deref(), &cancel).await;
    house.listed("bob", 0).await;
    calling.abort();
    assert_eq!(house.count("withdrawn").await, 1);
}
