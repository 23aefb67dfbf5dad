//! Tools that come and go while clients are there, and calls that are given up.

use crate::support::{Client, echo, endless, json_value, modern, server, soon, tool};
use serde_json::json;
use tokio::sync::mpsc;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::returns::Progress;
use toolpact::{Context, Definition, Registry, ToolError};
use toolpact_mcp::Server;

#[tokio::test]
async fn clients_are_told_and_see_what_they_listed() {
    let registry = Registry::new();
    registry.add(tool("one", "", || json_value("1"))).unwrap();
    let server = Server::new(registry.clone()).unwrap();
    let mut client = Client::begun(&server, "2025-11-25").await;
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 1);

    registry.add(tool("two", "", || json_value("2"))).unwrap();
    let told = client.read().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    let early = client.call("two", json!({})).await;
    assert_eq!(early["error"]["code"], -32602, "{early}");
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 2);
    let called = client.call("two", json!({})).await;
    assert_eq!(called["result"]["content"][0]["text"], "2", "{called}");

    registry.remove("one").unwrap();
    let gone = client.call("one", json!({})).await;
    assert_eq!(gone["error"]["code"], -32602, "{gone}");
}

#[tokio::test]
async fn subscriptions_of_2026() {
    let registry = Registry::new();
    let server = Server::new(registry.clone()).unwrap();
    let mut client = Client::silent(&server);
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": modern()});
    client.begin("subscriptions/listen", params).await;
    let first = client.read().await;
    assert_eq!(
        first["method"], "notifications/subscriptions/acknowledged",
        "{first}"
    );
    registry.add(echo()).unwrap();
    let told = client.read().await;
    assert_eq!(told["method"], "notifications/tools/list_changed", "{told}");
}

#[tokio::test]
async fn a_cancelled_call_is_stopped() {
    let (sender, mut stopped) = mpsc::unbounded_channel();
    let server = server([endless(sender), echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let id = client.begin("tools/call", json!({"name": "endless"})).await;
    // The call has begun once another is answered.
    client.call("echo", json!({"text": "hi"})).await;
    let params = json!({"requestId": id, "reason": "enough"});
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
        .await;
    soon(stopped.recv()).await.unwrap();
    // There is no answer to it.
    let next = client.begin("ping", json!({})).await;
    assert_eq!(client.read().await["id"], next);
}

#[tokio::test]
async fn a_client_that_leaves_stops_its_calls() {
    let (sender, mut stopped) = mpsc::unbounded_channel();
    let server = server([endless(sender), echo()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    client.begin("tools/call", json!({"name": "endless"})).await;
    client.call("echo", json!({"text": "hi"})).await;
    drop(client);
    soon(stopped.recv()).await.unwrap();
}

fn steps() -> Definition {
    let contract = Contract::from_json(
        r#"{"name": "steps", "description": "Goes on.", "parameters": {"type": "object"}, "returns": "opaque"}"#,
    );
    Definition::new(contract.unwrap(), async |_: Value, cx: Context| {
        for step in [1, 2, 2, 3] {
            let progress = Progress::default().with_steps(step, 3)?;
            cx.progress(progress.with_message("on its way")).await;
        }
        Ok::<_, ToolError>(Value::from("done"))
    })
}

#[tokio::test]
async fn progress_grows_and_only_who_asks_hears_of_it() {
    let server = server([steps()]);
    let mut client = Client::begun(&server, "2025-11-25").await;
    let params = json!({"name": "steps", "_meta": {"progressToken": "t"}});
    client.begin("tools/call", params).await;
    for step in 1..=3 {
        let told = client.read().await;
        assert_eq!(told["method"], "notifications/progress", "{told}");
        let expected = json!({"progressToken": "t", "progress": f64::from(step), "total": 3.0, "message": "on its way"});
        assert_eq!(told["params"], expected);
    }
    assert_eq!(client.read().await["result"]["content"][0]["text"], "done");
    let id = client.begin("tools/call", json!({"name": "steps"})).await;
    assert_eq!(client.read().await["id"], id);
}
