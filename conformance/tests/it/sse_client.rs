//! A client of Server-Sent Events that others wrote, and the stream of a tool.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact_core::json::Value;
use toolpact_serve::{Client, Config, Service, View};

/// Longest wait for the shop to open.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_of_the_standard_hears_every_event_once() {
    let Some(package) = conformance::suite("mcp-sdk").or_leave_out() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let config = json!({
        "listen": "127.0.0.1:0",
        "data": folder.path(),
        "sources": [{"shop": {"orders": 20}}],
    });
    let config = Config::from_json(config.to_string().as_bytes()).unwrap();
    let stop = CancellationToken::new();
    let _stop = stop.clone().drop_guard();
    let listener = Service::bind(&config).await.unwrap();
    let service = Service::start(config, None, stop).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { service.listen(listener).await.unwrap() });
    let last = tokio::time::timeout(PATIENCE, last_event(&url))
        .await
        .unwrap();
    let mut node = Command::new("node");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/node/sse_listen.js");
    node.arg(script).arg(package).arg(url).arg(last.to_string());
    let output = tokio::task::spawn_blocking(move || node.output().unwrap());
    let output = output.await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let id = |more: u64| (last + more).to_string();
    let created = |more| json!({"type": "order.created", "id": id(more), "data": "string"});
    assert_eq!(
        lines,
        [
            json!({"lastEventId": null, "status": 200}),
            created(1),
            json!({"lastEventId": id(1), "status": 200}),
            created(2),
            created(3),
            json!({"type": "result", "id": "toolpact:end", "data": "result"}),
            json!({"lastEventId": "toolpact:end", "status": 204}),
        ],
        "{text}"
    );
    assert!(output.status.success(), "{text}");
}

/// The number of the last event of a shop that has opened.
async fn last_event(url: &str) -> u64 {
    let client = Client::new(url, None).unwrap();
    let args = Value::from_json(r#"{"seconds": 1}"#).unwrap();
    loop {
        if let Ok((true, text)) = client.call("watch_orders", &args, View::Json).await {
            let quiet: Json = serde_json::from_str(&text).unwrap();
            return quiet["id"].as_str().unwrap().parse().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
