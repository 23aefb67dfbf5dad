//! Lists that do not fit on a page.

use crate::support::{Client, json_value, tool};
use serde_json::json;
use toolpact::Registry;
use toolpact_mcp::Server;

#[tokio::test]
async fn every_tool_is_on_one_page() {
    let registry = Registry::new();
    let tools = (0..7).map(|n| tool(&format!("tool_{n}"), "", || json_value("1")));
    registry.add_all(tools).unwrap();
    let server = Server::builder(registry.clone())
        .page_size(3)
        .build()
        .unwrap();
    let mut client = Client::begun(&server, "2025-11-25").await;
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        let mut page = client.ask("tools/list", params).await;
        let tools = page["result"]["tools"].as_array().unwrap();
        assert!(tools.len() <= 3);
        names.extend(tools.iter().map(|tool| tool["name"].to_string()));
        // A change does not show in the middle.
        if names.len() == 3 {
            registry.remove("tool_6").unwrap();
        }
        match page["result"]["nextCursor"].take() {
            serde_json::Value::Null => break,
            cursor => params = json!({"cursor": cursor}),
        }
    }
    assert_eq!(names.len(), 7);
    let listed = client.ask("tools/list", json!({})).await;
    let next = &listed["result"]["nextCursor"];
    let listed = client.ask("tools/list", json!({"cursor": next})).await;
    assert_eq!(listed["result"].get("nextCursor"), None, "{listed}");
}
