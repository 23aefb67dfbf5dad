//! The rows of tools in Rust: one server has them, and every boundary is asked.

use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use toolpact::session::Update;
use toolpact::{Call, Registry, Session};
use toolpact_core::returns::stream::SseDecoder;
use toolpact_plan::{Plan, PlanLimits, StepOutcome};
use toolpact_serve::{Config, Service};

use super::http::{Response, post};
use super::table::{Row, rust_rows};
use super::{empty, initialize, json_of};
use crate::run::Folder;
use crate::serve::Server;

/// What a boundary shows: what came before the result, and the result.
type Shown = (Vec<Json>, Json);

/// A value is made once, each boundary writes it as often as its row says, and a stream is what its row
/// says. One test, since the counters are those of the process.
#[test]
fn tools_in_rust() {
    let rows = rust_rows();
    let registry = Registry::new();
    for row in &rows {
        let tool = row.rust.tool(&row.name, row.prints.as_ref());
        registry.add(tool).unwrap();
    }
    let session = registry.session().open().unwrap();
    let lines = toolpact_mcp::Server::new(registry.clone()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let address = runtime.block_on(serve(registry));
    let upstream = upstream_of(&address);
    let mcp = Mcp::new(&address);
    for row in &rows {
        let check = |boundary: &str, (items, result): Shown| {
            assert_eq!(result, row.rust.result(row.prints.as_ref()), "{boundary}");
            row.rust.check_stream(boundary, &items);
            row.rust.check_counts(boundary);
        };
        check("library", runtime.block_on(library(&session, row)));
        check("plans", runtime.block_on(plans(&session, row)));
        check("plans_over_rest", plans_over_rest(&address, row));
        check("rest", rest(&address, row));
        check("call", call(&address, row));
        check("mcp_over_http", mcp.call(row));
        check(
            "mcp_over_stdio",
            runtime.block_on(mcp_over_stdio(&lines, row)),
        );
        check("upstream", rest_without_events(upstream.address(), row));
    }
}

async fn serve(registry: Registry) -> String {
    let config = Config::default().with_port(0);
    let listener = Service::bind(&config).await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = Service::builder().registry(registry).config(config);
    let service = service.start().await.unwrap();
    tokio::spawn(async move { service.listen(listener).await });
    format!("http://{address}")
}

/// Every view is of the one value.
async fn library(session: &Session, row: &Row) -> Shown {
    let mut running = session.call_streaming(Call::new(&*row.name, empty()));
    let mut items = Vec::new();
    while let Some(update) = running.next().await {
        if let Update::Item(item) = update {
            items.push(json_of(&item));
        }
    }
    let completed = running.finish().await;
    let json: Json = serde_json::from_slice(&completed.to_json().unwrap()).unwrap();
    let value = json_of(&completed.to_value().unwrap());
    let adl = json_of(&completed.to_adl());
    let adm: Json = serde_json::from_str(&completed.to_adm().unwrap().to_json()).unwrap();
    assert_eq!([&value, &adl, &adm["content"]], [&json; 3]);
    assert!(!completed.text().is_empty());
    (items, json)
}

async fn plans(session: &Session, row: &Row) -> Shown {
    let plan = json!([{"id": "s", "tool": row.name}]).to_string();
    let result = Plan::from_text(&plan)
        .unwrap()
        .run(session, PlanLimits::default())
        .await;
    match result.step("s").unwrap().outcome() {
        StepOutcome::Done(value) => (Vec::new(), json_of(value)),
        other => panic!("{}: {other:?}", row.name),
    }
}

fn plans_over_rest(address: &str, row: &Row) -> Shown {
    let plan = json!([{"id": "s", "tool": row.name}]);
    let answer = post(address, "/v1/plan", &[], &plan).json();
    (Vec::new(), answer["steps"][0]["value"].clone())
}

fn rest(address: &str, row: &Row) -> Shown {
    let body = json!({"name": row.name, "args": {}, "id": "one"});
    let answer = post(
        address,
        "/v1/call",
        &[("accept", "text/event-stream")],
        &body,
    );
    let (mut decoder, mut bytes) = (SseDecoder::new(), answer.body.as_bytes());
    let mut events = Vec::new();
    while let Some(event) = decoder.next_event(&mut bytes).unwrap() {
        events.push((
            event.name().to_owned(),
            event.id().map(str::to_owned),
            event.data().to_owned(),
        ));
    }
    let (name, _, last) = events.pop().unwrap();
    assert_eq!(name, "result", "{}", answer.body);
    let last: Json = serde_json::from_str(&last).unwrap();
    let result = last["result"].clone();
    if row.rust.emits.is_empty() {
        return (Vec::new(), result);
    }
    let retries: Vec<&str> = { answer.body.lines() }
        .filter_map(|line| line.strip_prefix("retry: "))
        .collect();
    assert_eq!(retries, ["500", "700"], "{}", answer.body);
    // The last one of the tool is its result, under its own name.
    let own = events.pop().unwrap();
    assert_eq!(own.0, result["event"].as_str().unwrap());
    let emitted = row
        .rust
        .emits
        .iter()
        .zip(events)
        .map(|(sent, (event, id, data))| {
            let data: Json = serde_json::from_str(&data).unwrap();
            let mut seen = json!({"event": event, "id": id, "data": data});
            if let Some(retry) = sent.get("retry") {
                seen["retry"] = retry.clone();
            }
            seen
        });
    (emitted.collect(), result)
}

fn rest_without_events(address: &str, row: &Row) -> Shown {
    let body = json!({"name": row.name, "args": {}});
    (Vec::new(), post(address, "/v1/call", &[], &body).json())
}

fn call(address: &str, row: &Row) -> Shown {
    let ran = Folder::new().run(["call", &*row.name, "--server", address, "--view", "json"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    (Vec::new(), serde_json::from_str(&ran.stdout).unwrap())
}

/// A server of the tools of that one.
fn upstream_of(address: &str) -> Server {
    let config = json!({"sources": [{"mcp": {"url": format!("{address}/mcp")}}]});
    let folder = Folder::new().file("config.yaml", config.to_string());
    Server::start(&folder, &["config.yaml"])
}

struct Mcp<'a> {
    address: &'a str,
    session: Option<String>,
}

impl<'a> Mcp<'a> {
    fn new(address: &'a str) -> Self {
        let mut mcp = Self {
            address,
            session: None,
        };
        let hello = mcp.ask(&initialize());
        mcp.session = hello.header("mcp-session-id").map(str::to_owned);
        mcp.ask(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        mcp
    }

    fn ask(&self, body: &Json) -> Response {
        let mut headers = vec![("accept", "application/json, text/event-stream")];
        headers.extend(
            self.session
                .as_deref()
                .map(|session| ("mcp-session-id", session)),
        );
        post(self.address, "/mcp", &headers, body)
    }

    fn call(&self, row: &Row) -> Shown {
        let answer = self.ask(&mcp_call(row));
        let lines = answer
            .body
            .lines()
            .map(|line| line.trim_start_matches("data: "));
        let messages: Vec<Json> = lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        shown(&messages)
    }
}

/// The same messages as over standard input.
async fn mcp_over_stdio(server: &toolpact_mcp::Server, row: &Row) -> Shown {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    let server = server.clone();
    let task = tokio::spawn(async move { server.serve(input, output).await });
    let (input, mut output) = tokio::io::split(near);
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for message in [initialize(), initialized, mcp_call(row)] {
        let line = format!("{message}\n");
        output.write_all(line.as_bytes()).await.unwrap();
    }
    let (mut lines, mut messages) = (BufReader::new(input).lines(), Vec::new());
    while !messages.iter().any(|one: &Json| one["id"] == CALL) {
        let line = lines.next_line().await.unwrap().unwrap();
        messages.push(serde_json::from_str(&line).unwrap());
    }
    task.abort();
    shown(&messages)
}

const CALL: i64 = 5;

fn mcp_call(row: &Row) -> Json {
    let params = json!({"name": row.name, "arguments": {}, "_meta": {"progressToken": "p"}});
    json!({"jsonrpc": "2.0", "id": CALL, "method": "tools/call", "params": params})
}

/// Events before the result are progress, with the event beside it.
fn shown(messages: &[Json]) -> Shown {
    let items = messages
        .iter()
        .map(|one| one["params"]["_meta"]["toolpact/item"].clone());
    let items = items.filter(|item| !item.is_null()).collect();
    let result = messages.iter().find(|one| one["id"] == CALL);
    let result = result.unwrap_or_else(|| panic!("{messages:?}"));
    (items, result["result"]["structuredContent"].clone())
}
