//! What of a result a client is sent.

use crate::support::{Client, echo};
use serde_json::{Value as Json, json};
use toolpact::Registry;
use toolpact_mcp::{Server, View};

fn server() -> Server {
    let registry = Registry::new();
    registry.add(echo()).unwrap();
    let server = Server::builder(registry).view_for("reader", View::Text);
    server.view_for("program", View::Structure).build().unwrap()
}

/// Whether there is text, whether there is structure.
fn parts(answer: &Json) -> (bool, bool) {
    let result = &answer["result"];
    let text = !result["content"].as_array().unwrap().is_empty();
    (text, result.get("structuredContent").is_some())
}

#[tokio::test]
async fn by_the_name_of_the_client() {
    for (name, expected) in [
        ("reader", (true, false)),
        ("program", (false, true)),
        ("anyone", (true, true)),
    ] {
        let mut client = Client::named(&server(), "2025-11-25", name).await;
        let listed = client.ask("tools/list", json!({})).await;
        let has_schema = listed["result"]["tools"][0].get("outputSchema").is_some();
        assert_eq!(has_schema, expected.1, "{name}");
        let answer = client.call("echo", json!({"text": "hi"})).await;
        assert_eq!(parts(&answer), expected, "{name}: {answer}");
        // A failure is always told in words.
        let failed = client.call("echo", json!({})).await;
        assert!(parts(&failed).0, "{name}: {failed}");
    }
}

#[tokio::test]
async fn the_request_is_nearer_than_the_client() {
    let mut client = Client::named(&server(), "2025-11-25", "reader").await;
    for (view, expected) in [("structure", (false, true)), ("both", (true, true))] {
        let params =
            json!({"name": "echo", "arguments": {"text": "hi"}, "_meta": {"toolpact/view": view}});
        let answer = client.ask("tools/call", params).await;
        assert_eq!(parts(&answer), expected, "{view}: {answer}");
    }
}
