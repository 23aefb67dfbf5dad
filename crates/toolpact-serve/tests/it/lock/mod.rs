//! Tools that are not what was agreed on are in quarantine, by every way in.

mod behind_ones_back;
mod first_use;
mod later;
mod ways_to_change;

use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::scripted::Scripted;
use crate::support::Running;

/// A server of MCP whose tools the test changes. A call says what it was called with.
struct Changing {
    server: Scripted,
    tools: Arc<Mutex<Vec<Json>>>,
}

impl Changing {
    async fn new(tools: Vec<Json>) -> Self {
        let tools = Arc::new(Mutex::new(tools));
        let listed = Arc::clone(&tools);
        let server = Scripted::start(json!({"tools": {}}), move |method, _| {
            Ok(match method {
                "tools/list" => json!({"tools": *listed.lock().unwrap()}),
                _ => json!({
                    "content": [{"type": "text", "text": "{\"degrees\":7}"}],
                    "structuredContent": {"degrees": 7},
                }),
            })
        });
        Self {
            server: server.await,
            tools,
        }
    }

    fn set(&self, tools: Vec<Json>) {
        *self.tools.lock().unwrap() = tools;
    }

    fn config(&self, more: &str) -> String {
        let url = &self.server.url;
        format!("{more}\nsources: [{{ mcp: {{ name: weather, url: '{url}' }} }}]\n")
    }
}

fn forecast() -> Json {
    json!({
        "name": "forecast",
        "title": "Forecast",
        "description": "The weather of a city.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer", "default": 3},
                "unit": {"enum": ["c", "f"]},
            },
            "required": ["city"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"degrees": {"type": "number"}},
            "required": ["degrees"],
        },
        "annotations": {"readOnlyHint": true, "title": "Forecast"},
    })
}

fn alerts() -> Json {
    json!({
        "name": "alerts",
        "description": "Warnings of storms.",
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
        "outputSchema": {"type": "object", "properties": {"degrees": {"type": "number"}}},
    })
}

/// The lock that a server makes at its first start.
async fn locked(source: &Changing) -> String {
    let server = Running::of(&source.config("trust: first-use"), &[]).await;
    std::fs::read_to_string(server.file("toolpact.lock")).unwrap()
}

/// A server with this lock.
async fn with_lock(source: &Changing, lock: &str) -> Running {
    Running::of(&source.config(""), &[("toolpact.lock", lock)]).await
}

/// Asks every way in for a tool that is called like this: whether it is there.
async fn is_served(server: &Running, name: &str) -> bool {
    let contracts = server.names().await.iter().any(|one| one == name);
    let (_, stubs) = server.get("/v1/stubs?lang=python").await;
    let (_, typescript) = server.get("/v1/stubs?lang=typescript").await;
    let (_, openapi) = server.get("/v1/openapi.json").await;
    let (one, _) = server.get(&format!("/v1/contracts/{name}")).await;
    let upstream = toolpact_upstream::Upstream::http(server.url("/mcp"));
    let upstream = upstream.connect().await.unwrap();
    let listed = upstream.definitions();
    let said = [
        listed
            .iter()
            .any(|tool| tool.contract().name().as_str() == name),
        stubs.as_str().unwrap().contains(&format!("def {name}(")),
        typescript.as_str().unwrap().contains(&format!("{name}(")),
        openapi["paths"]
            .as_object()
            .unwrap()
            .contains_key(&format!("/tools/{name}")),
        one == 200,
    ];
    assert_eq!(said, [contracts; 5], "the ways in disagree about {name}");
    upstream.close().await;
    contracts
}

/// Calls a tool that is in quarantine by every way in.
async fn assert_refused(server: &Running, name: &str) {
    let args = json!({"city": "Oslo"});
    let (status, error) = server.call(name, args.clone()).await;
    let code = "FORBIDDEN_QUARANTINED";
    assert_eq!((status, &error["code"]), (403, &json!(code)), "{error}");
    assert_eq!(error["type"], "CONTRACT_VIOLATION", "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains(&format!("`{name}` is in quarantine")),
        "{message}"
    );
    let (status, error) = server.post(&format!("/v1/tools/{name}"), &args).await;
    assert_eq!((status, &error["code"]), (403, &json!(code)), "{error}");
    let error = over_mcp(server, name, &args).await;
    assert_eq!(
        error["error"]["data"],
        json!({"code": code, "tool": name}),
        "{error}"
    );
}

/// The answer of `tools/call`.
async fn over_mcp(server: &Running, name: &str, args: &Json) -> Json {
    let params = json!({"name": name, "arguments": args});
    ask_mcp(server, "tools/call", name, params).await
}

/// The answer to a request of the newest version, about what has this name.
async fn ask_mcp(server: &Running, method: &str, name: &str, mut params: Json) -> Json {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let request = server.client.post(server.url("/mcp"));
    let request = request
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .header("mcp-name", name)
        .body(message.to_string());
    let text = request.send().await.unwrap().text().await.unwrap();
    let json = text.lines().find_map(|line| {
        let line = line.strip_prefix("data:").unwrap_or(line).trim();
        serde_json::from_str(line).ok()
    });
    json.expect(&text)
}
