//! Every way in is a way of the principal that comes in.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::{House, NAMES, last_message, read};
use crate::support::PATIENCE;

#[tokio::test]
async fn every_call_is_of_who_sends_it() {
    let house = House::open().await;
    for who in NAMES.into_iter().chain(["anonymous"]) {
        let name = format!("\"{who}\"");
        let call = json!({"name": "who"});
        let (status, said) = house.post(who, "/v1/call", &call).await;
        assert_eq!((status, said.trim()), (200, &*name), "call");
        let (_, said) = house.post(who, "/v1/tools/who", &json!({})).await;
        assert!(said.contains(who), "tools: {said}");
        let (_, said) = house
            .post(who, "/v1/batch", &json!({"calls": [call, call]}))
            .await;
        assert_eq!(said.matches(&name).count(), 2, "batch: {said}");
        let plan = json!({"steps": [{"id": "s1", "tool": "who"}]});
        let (_, said) = house.post(who, "/v1/plan", &plan).await;
        assert!(said.contains(&name), "plan: {said}");
        let stream = house.request(who, Method::POST, "/v1/call");
        let stream = stream
            .header("accept", "text/event-stream")
            .body(call.to_string());
        let said = stream.send().await.unwrap().text().await.unwrap();
        assert!(said.contains(who), "stream: {said}");
        let (status, opened) = house.post(who, "/v1/sessions", &json!({})).await;
        assert_eq!(status, 201);
        let opened: serde_json::Value = serde_json::from_str(&opened).unwrap();
        let call = json!({"name": "who", "session": opened["session"]});
        let (_, said) = house.post(who, "/v1/call", &call).await;
        assert_eq!(said.trim(), name, "session");
        let (_, said) = house
            .modern(who, &json!({"name": "who", "arguments": {}}))
            .await;
        assert_eq!(
            said["result"]["content"][0]["text"], who,
            "2026-07-28: {said}"
        );
        let session = house.begin(who).await;
        let params = json!({"name": "who", "arguments": {}});
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
        let called = house
            .mcp(who, &body, &[("mcp-session-id", &session)])
            .send()
            .await;
        let said = last_message(&called.unwrap().text().await.unwrap());
        assert_eq!(
            said["result"]["content"][0]["text"], who,
            "2025-11-25: {said}"
        );
    }
}

/// A token is added and revoked while the server runs.
#[tokio::test]
async fn tokens_are_followed() {
    let house = House::open().await;
    let new = toolpact_identity::NewToken {
        name: "new".to_owned(),
        ..Default::default()
    };
    let secret = house.file.add(new).unwrap();
    let status = || async {
        let request = house.client.get(format!("{}/v1/contracts", house.url));
        request
            .bearer_auth(&secret)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    let until = |expected| async move {
        while status().await != expected {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, until(200)).await.unwrap();
    house.file.revoke("new").unwrap();
    tokio::time::timeout(PATIENCE, until(401)).await.unwrap();
}

/// A session goes on when the groups of its principal change, with its results.
#[tokio::test]
async fn a_session_follows_the_groups_of_its_principal() {
    let house = House::open().await;
    let (_, opened) = house.post("ada", "/v1/sessions", &json!({})).await;
    let opened: serde_json::Value = serde_json::from_str(&opened).unwrap();
    let session = opened["session"].as_str().unwrap();
    let call = json!({"name": "talk", "view": "text", "session": session});
    let (_, said) = house.post("ada", "/v1/call", &call).await;
    assert!(said.contains("result_1"), "{said}");
    let stored = std::fs::read_to_string(house.file.path()).unwrap();
    let mut stored: serde_json::Value = serde_json::from_str(&stored).unwrap();
    for token in stored["tokens"].as_array_mut().unwrap() {
        token["groups"] = json!(["others"]);
    }
    std::fs::write(house.file.path(), stored.to_string()).unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let path = format!("/v1/results/result_1?session={session}");
    let page = house
        .request("ada", Method::GET, &path)
        .send()
        .await
        .unwrap();
    let (status, page) = read(page).await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("secret of ada"));
}
