//! Servers behind servers.

use std::time::Duration;

use serde_json::json;

use crate::support::{PATIENCE, Running};

#[tokio::test]
async fn the_tools_of_one_server_are_tools_of_another() {
    let behind = Running::with("").await;
    let config = format!(
        "sources: [{{ mcp: {{ name: far, url: '{}' }} }}]",
        behind.url("/mcp")
    );
    let server = Running::of(&config, &[]).await;
    // Whatever else is there or not: a name never comes to mean the tool of another source.
    let names = ["far__echo", "far__liar", "far__sleepy"];
    assert_eq!(server.names().await, names);
    let (status, result) = server.call("far__echo", json!({"text": "hi"})).await;
    assert_eq!((status, result), (200, json!({"text": "hi"})));
    let (status, error) = server.call("far__liar", json!({})).await;
    assert_eq!(
        (status, &error["code"]),
        (500, &json!("INTERNAL_CONTRACT")),
        "{error}"
    );
    // A list that changes is followed.
    let one = crate::support::TOOLS
        .split("  - name: liar")
        .next()
        .unwrap();
    std::fs::write(behind.file("tools.yaml"), one).unwrap();
    server.until(&["far__echo"]).await;
}

/// A call that could not be sent may be made again.
#[tokio::test]
async fn nothing_is_done_by_a_server_that_is_gone() {
    let behind = Running::with("").await;
    let url = behind.url("/mcp");
    let server = Running::of(&format!("sources: [{{ mcp: {{ url: '{url}' }} }}]"), &[]).await;
    assert_eq!(server.call("echo", json!({"text": "hi"})).await.0, 200);
    behind.stop.cancel();
    // The first ones may have been on their way.
    let unsent = async {
        while server.call("echo", json!({"text": "hi"})).await.1["retry"] != "yes" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, unsent).await.unwrap();
    let (status, error) = server.call("echo", json!({"text": "hi"})).await;
    assert_eq!((status, &error["retry"]), (502, &json!("yes")), "{error}");
}

#[tokio::test]
async fn a_stricter_contract_holds() {
    let behind = Running::with("").await;
    let strict = "
toolpact: 1
tools:
  - name: echo
    description: Says what it was told, if that is short.
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
    returns: { type: object, properties: { text: { type: string, maxLength: 3 } } }
";
    let url = behind.url("/mcp");
    let config = format!("sources: [{{ mcp: {{ url: '{url}', contracts: [strict.yaml] }} }}]");
    let server = Running::of(&config, &[("strict.yaml", strict)]).await;
    assert_eq!(server.call("echo", json!({"text": "abc"})).await.0, 200);
    let (status, error) = server.call("echo", json!({"text": "abcd"})).await;
    assert_eq!(
        (status, &error["code"]),
        (500, &json!("INTERNAL_CONTRACT")),
        "{error}"
    );
}

#[tokio::test]
async fn the_document_of_one_server_is_a_source_of_another() {
    let behind = Running::with("auth_token: { literal: s3cret }").await;
    let request = behind
        .client
        .get(behind.url("/v1/openapi.json"))
        .bearer_auth("s3cret");
    let document = request.send().await.unwrap().text().await.unwrap();
    // Its `servers` are `/v1`, wherever it is.
    let config = format!(
        "sources: [{{ files: {{ paths: [api.json], api: {{ url: '{}', headers: {{ Authorization: Bearer s3cret }} }} }} }}]",
        behind.url("")
    );
    let server = Running::of(&config, &[("api.json", &document)]).await;
    let (status, result) = server.call("echo", json!({"text": "hi"})).await;
    assert_eq!((status, &result), (200, &json!({"text": "hi"})), "{result}");
    let (status, health) = server.call("health", json!({})).await;
    assert_eq!((status, &health["tools"]), (200, &json!(3)), "{health}");
    let (status, one) = server.call("get_contract", json!({"name": "echo"})).await;
    assert_eq!((status, &one["name"]), (200, &json!("echo")), "{one}");
}
