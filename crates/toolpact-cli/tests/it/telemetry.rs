//! What collectors of OpenTelemetry receive, and the traces of others that are passed on.

mod collector;
mod failing;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::boundaries::http::post;
use crate::run::Folder;
use crate::serve::Server;
use collector::{Listening, Span};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";

const INTERNAL: i32 = 1;
const SERVER: i32 = 2;
const CLIENT: i32 = 3;

fn parent() -> String {
    format!("00-{TRACE}-{SPAN}-01")
}

/// A program that says which trace it is part of, and one that fails.
const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: program
    description: Says which trace it is part of.
    parameters: { type: object, additionalProperties: false }
    returns: StringValue
    effects: { read_only: true }
    run: { command: [sh, -c, 'printf "{\"success\": true, \"value\": \"%s %s\"}" "$TRACEPARENT" "$TRACESTATE"'] }
  - name: broken
    description: Fails.
    parameters: { type: object, additionalProperties: false }
    returns: StringValue
    effects: { read_only: true }
    run: { command: [sh, -c, 'exit 3'] }
  - name: api
    description: Asks a server.
    parameters: { type: object, additionalProperties: false }
    returns: StringValue
    effects: { read_only: true }
"#;

/// Answers with the trace that it was asked in.
fn api() -> Listening {
    Listening::start(|request| {
        let header = |name| request.headers.get(name).map_or("", |value| &**value);
        let said = format!("{} {}", header("traceparent"), header("tracestate"));
        (
            "200 OK",
            json!({"success": true, "value": said}).to_string(),
        )
    })
}

/// With programs and an API.
fn small(api: &Listening) -> Folder {
    let files = format!(
        "sources:\n  - files:\n      paths: [tools.yaml]\n      tools: {{ api: {{ http: {{ url: \"{}/api\" }} }} }}\n",
        api.address
    );
    Folder::new()
        .file("tools.yaml", TOOLS)
        .file("toolpact.yaml", files)
}

/// And with an MCP server that has a program.
fn folder(api: &Listening) -> Folder {
    let near = "{ name: near, command: [TOOLPACT, serve, --stdio, near.yaml], env: [OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY] }";
    let near = near.replace("TOOLPACT", env!("CARGO_BIN_EXE_toolpact"));
    let folder = small(api);
    let config = format!("{}  - mcp: {near}\n", folder.read("toolpact.yaml"));
    let near = "sources:\n  - files: { paths: [tools.yaml] }\n";
    folder.file("near.yaml", near).file("toolpact.yaml", config)
}

fn variables(collector: &Listening) -> Vec<(&'static str, std::path::PathBuf)> {
    vec![
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            collector.address.clone().into(),
        ),
        ("OTEL_SERVICE_NAME", "far".into()),
        ("OTEL_BSP_SCHEDULE_DELAY", "50".into()),
        ("OTEL_BLRP_SCHEDULE_DELAY", "50".into()),
        ("OTEL_METRIC_EXPORT_INTERVAL", "200".into()),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=s3%20cret".into()),
    ]
}

/// What a tool says over REST.
fn rest(server: &Server, tool: &str, headers: &[(&str, &str)]) -> String {
    let answer = post(
        server.address(),
        &format!("/v1/tools/{tool}"),
        headers,
        &json!({}),
    );
    answer.json()["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// What it says over MCP, to a client without a session.
fn mcp(server: &Server, tool: &str, headers: &[(&str, &str)], meta: &Json) -> String {
    let mut about = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    about
        .as_object_mut()
        .unwrap()
        .extend(meta.as_object().unwrap().clone());
    let params = json!({"name": tool, "arguments": {}, "_meta": about});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let own = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let headers: Vec<_> = own.iter().chain(headers).copied().collect();
    let answer = post(server.address(), "/mcp", &headers, &body);
    let line = answer.body.lines().rfind(|line| line.contains("jsonrpc"));
    text_of(line.unwrap_or_default().trim_start_matches("data: "))
}

fn text_of(answer: &str) -> String {
    let answer: Json = serde_json::from_str(answer).unwrap();
    let text = answer["result"]["content"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// The spans of a trace, from that of the caller to the last.
fn chain(spans: &[Span], trace: &str, first: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    loop {
        let parent = found.last().map_or(first, |span| &*span.id);
        let mut next = spans
            .iter()
            .filter(|span| span.trace == trace && span.parent == parent);
        match next.next() {
            Some(span) => found.push(span.clone()),
            None => return found,
        }
    }
}

fn names(chain: &[Span]) -> Vec<(&str, &str, i32)> {
    let spans = chain.iter();
    spans
        .map(|span| (&*span.service, &*span.name, span.kind))
        .collect()
}

/// The chain, once it has so many spans.
fn wait_for(collector: &Listening, trace: &str, first: &str, length: usize) -> Vec<Span> {
    collector.wait(|collector| {
        let found = chain(&collector.spans(), trace, first);
        (found.len() >= length).then_some(found)
    })
}

#[test]
fn a_call_over_http_is_a_child_of_its_caller_and_has_children() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let server = Server::start_with(&folder, &[], &variables(&collector));
    let headers = [("traceparent", &*parent()), ("tracestate", "vendor=1")];
    let said = rest(&server, "program", &headers);
    let spans = wait_for(&collector, TRACE, SPAN, 3);
    assert_eq!(
        names(&spans),
        [
            ("far", "POST /v1/tools/{name}", SERVER),
            ("far", "execute_tool program", INTERNAL),
            ("far", "sh", CLIENT),
        ]
    );
    // The program can go on with the span that was made for it.
    assert_eq!(said, format!("00-{TRACE}-{}-01 vendor=1", spans[2].id));
    let of = |span: usize, name: &str| spans[span].attributes.get(name).cloned();
    assert_eq!(of(0, "http.response.status_code").as_deref(), Some("[200]"));
    assert_eq!(of(0, "http.route").as_deref(), Some("/v1/tools/{name}"));
    assert_eq!(of(1, "gen_ai.tool.name").as_deref(), Some("program"));
    assert_eq!(of(1, "toolpact.outcome").as_deref(), Some("SUCCESS"));
    assert_eq!(
        of(1, "toolpact.contract.digest").map(|digest| digest.len()),
        Some(64)
    );
    assert_eq!(of(2, "process.exit.code").as_deref(), Some("[0]"));
    assert!(spans.iter().all(|span| !span.is_failed));

    let lines = collector.wait(|collector| {
        let lines = collector.lines();
        lines
            .iter()
            .any(|(_, trace)| trace == TRACE)
            .then_some(lines)
    });
    assert!(
        lines.contains(&("a call succeeded".to_owned(), TRACE.to_owned())),
        "{lines:?}"
    );
    collector.wait(|collector| {
        let metrics = collector.metrics();
        let is_there = |name| metrics.iter().any(|metric| metric == name);
        (is_there("gen_ai.execute_tool.duration") && is_there("toolpact.calls")).then_some(())
    });
    let requests = collector.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.headers["x-key"] == "s3 cret")
    );
}

#[test]
fn a_failure_is_one_in_every_span() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let server = Server::start_with(&folder, &[], &variables(&collector));
    mcp(&server, "broken", &[], &json!({"traceparent": parent()}));
    let spans = wait_for(&collector, TRACE, SPAN, 3);
    let errors = spans.iter().map(|span| &*span.attributes["error.type"]);
    assert!(
        errors.eq(["tool_error", "INTERNAL_ERROR", "program-exit"]),
        "{spans:#?}"
    );
    assert!(spans.iter().all(|span| span.is_failed));
    assert_eq!(spans[2].attributes["process.exit.code"], "[3]");
    // What does not exist gives no names to spans.
    mcp_refused(&server, "no_such_tool");
    let spans = collector.wait(|collector| {
        let spans = collector.spans();
        spans
            .iter()
            .any(|span| span.name == "tools/call")
            .then_some(spans)
    });
    assert!(
        spans
            .iter()
            .all(|span| !format!("{span:?}").contains("no_such_tool"))
    );
}

fn mcp_refused(server: &Server, tool: &str) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": {}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": params});
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", tool),
    ];
    let answer = post(server.address(), "/mcp", &headers, &body);
    assert!(answer.body.contains("-32602"), "{}", answer.body);
}

#[test]
fn over_mcp_the_meta_of_a_message_comes_before_headers() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let server = Server::start_with(&folder, &[], &variables(&collector));
    let other = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01";
    mcp(
        &server,
        "api",
        &[("traceparent", other)],
        &json!({"traceparent": parent()}),
    );
    let spans = wait_for(&collector, TRACE, SPAN, 3);
    assert_eq!(
        names(&spans),
        [
            ("far", "tools/call api", SERVER),
            ("far", "execute_tool api", INTERNAL),
            ("far", "GET", CLIENT),
        ]
    );
    assert_eq!(spans[0].attributes["mcp.method.name"], "tools/call");
    assert_eq!(spans[0].attributes["network.transport"], "tcp");
    assert_eq!(spans[2].attributes["server.address"], "127.0.0.1");
    let asked = api.requests().pop().unwrap();
    assert_eq!(
        asked.headers["traceparent"],
        format!("00-{TRACE}-{}-01", spans[2].id)
    );
    // Without it, the header counts.
    mcp(
        &server,
        "api",
        &[("traceparent", other)],
        &json!({"traceparent": "00-0-0-00"}),
    );
    wait_for(&collector, &other[3..35], &other[36..52], 3);
}

#[test]
fn servers_behind_servers_are_in_the_same_trace() {
    let (collector, api) = (Listening::collector(), api());
    let behind = folder(&api);
    let mut environment = variables(&collector);
    environment[1].1 = "behind".into();
    let upstream = Server::start_with(&behind, &[], &environment);
    let config = format!(
        "sources:\n  - mcp: {{ name: web, url: \"{}/mcp\" }}\n",
        upstream.address()
    );
    let front = Folder::new().file("toolpact.yaml", config);
    let server = Server::start_with(&front, &[], &variables(&collector));
    let said = mcp(
        &server,
        "web__near__program",
        &[],
        &json!({"traceparent": parent()}),
    );
    let spans = wait_for(&collector, TRACE, SPAN, 9);
    assert_eq!(
        names(&spans),
        [
            ("far", "tools/call web__near__program", SERVER),
            ("far", "execute_tool near__program", INTERNAL),
            ("far", "tools/call near__program", CLIENT),
            ("behind", "tools/call near__program", SERVER),
            ("behind", "execute_tool program", INTERNAL),
            ("behind", "tools/call program", CLIENT),
            ("toolpact", "tools/call program", SERVER),
            ("toolpact", "execute_tool program", INTERNAL),
            ("toolpact", "sh", CLIENT),
        ]
    );
    let transports = [0, 2, 3, 5, 6].map(|at: usize| &*spans[at].attributes["network.transport"]);
    assert_eq!(transports, ["tcp", "tcp", "tcp", "pipe", "pipe"]);
    assert_eq!(said, format!("00-{TRACE}-{}-01 ", spans[8].id));
}

#[test]
fn over_standard_input_and_output() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let mut command = folder.command(["serve", "--stdio"]);
    command.envs(variables(&collector));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut input = child.stdin.take().unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
        "traceparent": parent(),
    });
    let params = json!({"name": "program", "arguments": {}, "_meta": meta});
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    writeln!(input, "{call}").unwrap();
    let said = text_of(&output.next().unwrap().unwrap());
    // What waits is sent before the process ends.
    drop(input);
    assert!(child.wait().unwrap().success());
    let spans = chain(&collector.spans(), TRACE, SPAN);
    assert_eq!(
        names(&spans),
        [
            ("far", "tools/call program", SERVER),
            ("far", "execute_tool program", INTERNAL),
            ("far", "sh", CLIENT),
        ]
    );
    assert_eq!(spans[0].attributes["network.transport"], "pipe");
    assert_eq!(said, format!("00-{TRACE}-{}-01 ", spans[2].id));
    assert!(collector.metrics().contains(&"toolpact.calls".to_owned()));
}

#[test]
fn without_an_exporter_the_trace_of_the_caller_is_passed_on_as_it_is() {
    let api = api();
    let folder = folder(&api);
    let server = Server::start(&folder, &[]);
    let expected = format!("{} vendor=1", parent());
    let headers = [("traceparent", &*parent()), ("tracestate", "vendor=1")];
    let meta = json!({"traceparent": parent(), "tracestate": "vendor=1"});
    for tool in ["program", "api", "near__program"] {
        assert_eq!(rest(&server, tool, &headers), expected, "{tool}");
        assert_eq!(mcp(&server, tool, &headers, &json!({})), expected, "{tool}");
        assert_eq!(mcp(&server, tool, &[], &meta), expected, "{tool}");
        // What is invalid is not there, and what was not sent is not made up.
        assert_eq!(
            rest(&server, tool, &[("traceparent", "00-0-0-01")]),
            " ",
            "{tool}"
        );
        assert_eq!(rest(&server, tool, &[]), " ", "{tool}");
    }
}

#[test]
fn a_trace_that_its_caller_does_not_record_is_not_recorded() {
    let (collector, api) = (Listening::collector(), api());
    let folder = small(&api);
    let server = Server::start_with(&folder, &[], &variables(&collector));
    let said = rest(
        &server,
        "program",
        &[("traceparent", &format!("00-{TRACE}-{SPAN}-00"))],
    );
    assert!(
        said.starts_with(&format!("00-{TRACE}-")) && said.ends_with("-00 "),
        "{said}"
    );
    rest(&server, "program", &[]);
    let spans = collector.wait(|collector| {
        let spans = collector.spans();
        (spans.len() >= 3).then_some(spans)
    });
    assert!(spans.iter().all(|span| span.trace != TRACE));
}
