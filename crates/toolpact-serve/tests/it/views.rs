//! The forms of an answer.

use serde_json::{Value as Json, json};

use crate::support::{PATIENCE, Running, TOOLS};

/// More tools, whose answers are more than text.
const MORE: &str = r#"
  - name: chime
    description: A sound.
    parameters: { type: object, properties: {} }
    returns: MediaResult
    run: { command: [echo, '{"success": true, "media": {"type": "audio", "format": "mp3", "data": "SGk="}}'] }
  - name: gone
    description: Looks for what is not there.
    parameters: { type: object, properties: {} }
    returns: EntityResult
    run: { command: [echo, '{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "Gone.", "details": {"id": 7}}}'] }
  - name: count
    description: Counts.
    parameters: { type: object, properties: {} }
    returns: NumberValue
    run: { command: [echo, '7'] }
"#;

/// The result of `tools/call` as a client of the newest version gets it.
async fn over_mcp(server: &Running, name: &str, args: &Json) -> Json {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": name,
        "arguments": args,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }});
    let request = server.client.post(server.url("/mcp"));
    let request = request
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", name)
        .body(message.to_string());
    let response = request.timeout(PATIENCE).send().await.unwrap();
    let text = response.text().await.unwrap();
    // Alone, or as an event.
    let json = text.lines().find_map(|line| {
        let line = line.strip_prefix("data:").unwrap_or(line).trim();
        let message: Json = serde_json::from_str(line).ok()?;
        message.get("result").cloned()
    });
    assert!(json.is_some(), "{text}");
    json.unwrap()
}

#[tokio::test]
async fn the_view_of_mcp_is_what_mcp_sends() {
    let tools = format!("{TOOLS}{MORE}");
    let config = "sources: [{ files: { paths: [tools.yaml] } }]";
    let server = Running::of(config, &[("tools.yaml", &tools)]).await;
    for (name, args) in [
        ("echo", json!({"text": "a"})),
        ("echo", json!({"text": 5})),
        ("echo", json!({})),
        ("liar", json!({})),
        ("chime", json!({})),
        ("gone", json!({})),
        ("count", json!({})),
    ] {
        let body = json!({"name": name, "args": args, "view": "mcp"});
        let (_, view) = server.post("/v1/call", &body).await;
        assert_eq!(view, over_mcp(&server, name, &args).await, "{name} {args}");
    }
    let body = json!({"name": "chime", "args": {}, "view": "mcp"});
    let (_, chime) = server.post("/v1/call", &body).await;
    assert_eq!(chime["content"][1]["mimeType"], "audio/mpeg", "{chime}");
    let body = json!({"name": "gone", "args": {}, "view": "mcp"});
    let (_, gone) = server.post("/v1/call", &body).await;
    assert_eq!(
        gone["_meta"]["toolpact/error"]["details"],
        json!({"id": 7}),
        "{gone}"
    );
}
