//! What MCP clients see of the program, over standard input and output and over HTTP.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::boundaries::http::post;
use crate::run::Folder;
use crate::serve::Server;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A shop that is made quickly.
const SHOP: &str = "sources:\n  - shop: { orders: 300 }\n";

/// A client that has started its server.
pub(crate) struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u32,
}

impl Client {
    fn start(folder: &Folder) -> Self {
        let mut command = folder.command(["serve", "--stdio", "toolpact.yaml"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(fs::File::create(folder.path("stdio.log")).unwrap());
        let mut child = command.spawn().unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            requests: 0,
        }
    }

    /// With a session of these capabilities.
    pub(crate) fn begun(folder: &Folder, capabilities: &Json) -> (Self, Json) {
        let mut client = Self::start(folder);
        let begun = client.ask("initialize", &initialize(capabilities));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (client, begun["result"].clone())
    }

    fn send(&mut self, message: &Json) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn read(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    fn begin(&mut self, method: &str, params: &Json) -> u32 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The answer as it was written.
    fn ask_text(&mut self, method: &str, params: &Json) -> String {
        let id = self.begin(method, params);
        loop {
            let line = self.read();
            let message: Json = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return line;
            }
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: &Json) -> Json {
        serde_json::from_str(&self.ask_text(method, params)).unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn initialize(capabilities: &Json) -> Json {
    json!({
        "protocolVersion": "2025-11-25", "capabilities": capabilities,
        "clientInfo": {"name": "test", "version": "1"},
    })
}

/// The `_meta` of a request without a session.
pub(crate) fn modern(capabilities: &Json) -> Json {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A request without a session, over HTTP. The answer as it was written.
fn round_text(server: &Server, method: &str, params: &Json) -> String {
    let mut headers = vec![
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", method),
    ];
    headers.extend(params["name"].as_str().map(|name| ("mcp-name", name)));
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let response = post(server.address(), "/mcp", &headers, &body);
    let mut lines = response.body.lines();
    let answer = lines.rfind(|line| line.contains(r#""jsonrpc""#));
    assert!(answer.is_some(), "{}", response.body);
    answer.unwrap().trim_start_matches("data: ").to_owned()
}

pub(crate) fn round(server: &Server, method: &str, params: &Json) -> Json {
    serde_json::from_str(&round_text(server, method, params)).unwrap()
}

fn text(answer: &Json) -> &str {
    let text = answer["result"]["content"][0]["text"].as_str();
    assert!(text.is_some(), "{answer}");
    text.unwrap()
}

#[test]
fn clients_are_told_what_the_config_says_about_the_server() {
    let about = |instructions: &str| {
        format!(
            "server: {{ name: orders, title: The orders, version: 4.5.6, instructions: {instructions} }}\n\
             sources: []\n"
        )
    };
    let folder = Folder::new().file("toolpact.yaml", about("Search before you create."));
    let info = json!({"name": "orders", "title": "The orders", "version": "4.5.6"});
    let (_, begun) = Client::begun(&folder, &json!({}));
    assert_eq!(begun["serverInfo"], info);
    assert_eq!(begun["instructions"], "Search before you create.");

    let server = Server::start(&folder, &["toolpact.yaml"]);
    let params = json!({"_meta": modern(&json!({}))});
    let discover = || round(&server, "server/discover", &params)["result"].clone();
    let key = "io.modelcontextprotocol/serverInfo";
    assert_eq!(discover()["_meta"][key], info);
    assert_eq!(discover()["instructions"], "Search before you create.");

    // It is followed as sources are.
    fs::write(folder.path("toolpact.yaml"), about("Be kind.")).unwrap();
    let begun = Instant::now();
    while discover()["instructions"] != "Be kind." {
        assert!(begun.elapsed() < PATIENCE, "{}", folder.read("stderr.log"));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!folder.read("stderr.log").contains("start it again"));

    let folder = Folder::new().file("toolpact.yaml", "server: { nmae: orders }\nsources: []\n");
    let ran = folder.run(["serve", "--check"]);
    ran.assert(1, "", "found `nmae`; did you mean `name`?");
}

/// Clients for TypeScript warn about each format that they do not know.
#[test]
fn schemas_have_no_formats_that_only_rust_knows() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let (mut client, _) = Client::begun(&folder, &json!({}));
    let listed: Json = serde_json::from_str(&client.ask_text("tools/list", &json!({}))).unwrap();
    let tools = listed["result"]["tools"].as_array().unwrap().iter();
    let schemas = tools.flat_map(|tool| [&tool["inputSchema"], &tool["outputSchema"]]);
    let schemas: String = schemas.map(ToString::to_string).collect();
    assert!(schemas.contains(r#""format":"date-time""#), "{schemas}");
    assert!(!schemas.contains(r#""format":"uint"#), "{schemas}");
}

/// Members are in the order of the result, whatever the transport.
#[test]
fn structured_content_is_the_same_over_both_transports() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let calls = [
        ("get_order", json!({"order": "O-1001"})),
        ("search_orders", json!({"per_page": 2})),
        ("count_orders", json!({})),
    ];
    let params = |name: &str, arguments: &Json| json!({"name": name, "arguments": arguments, "_meta": modern(&json!({}))});
    let structure = |answer: &str| {
        let (_, rest) = answer.split_once(r#""structuredContent":"#).unwrap();
        rest.trim_end().to_owned()
    };
    let mut client = Client::start(&folder);
    let over_lines: Vec<String> = { calls.iter() }
        .map(|(name, args)| structure(&client.ask_text("tools/call", &params(name, args))))
        .collect();
    drop(client);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    server.wait_for_shop();
    for ((name, args), expected) in calls.iter().zip(over_lines) {
        let answer = round_text(&server, "tools/call", &params(name, args));
        assert_eq!(structure(&answer), expected, "{name}");
    }
}

#[test]
fn progress_of_a_backup_has_a_total() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let (mut client, _) = Client::begun(&folder, &json!({}));
    client.ask("tools/list", &json!({}));
    let params =
        json!({"name": "backup_database", "arguments": {}, "_meta": {"progressToken": "p"}});
    let id = client.begin("tools/call", &params);
    let mut progress = Vec::new();
    let chunks = loop {
        let message: Json = serde_json::from_str(&client.read()).unwrap();
        if message["id"] == id {
            break message["result"]["structuredContent"]["total_chunks"].as_u64();
        }
        let params = &message["params"];
        progress.push((params["progress"].as_f64(), params["total"].as_f64()));
    };
    let chunks = u32::try_from(chunks.unwrap()).unwrap();
    assert!(chunks > 2, "{chunks}");
    let expected: Vec<_> = (1..chunks)
        .map(|number| (Some(f64::from(number)), Some(f64::from(chunks))))
        .collect();
    assert_eq!(progress, expected);
}

/// Takes an order.
fn ordered() -> Json {
    let lines = json!([{"product": "CUP-001", "quantity": 1}]);
    json!({
        "name": "create_order", "_meta": modern(&json!({})),
        "arguments": {"customer": "C-101", "lines": lines},
    })
}

fn open_order(server: &Server) -> String {
    let made = round(server, "tools/call", &ordered());
    let order = made["result"]["structuredContent"]["id"].as_str();
    assert!(order.is_some(), "{made}");
    order.unwrap().to_owned()
}

fn cancel(order: &str, capabilities: &Json) -> Json {
    json!({"name": "cancel_order", "arguments": {"order": order}, "_meta": modern(capabilities)})
}

#[test]
fn a_tool_of_the_shop_asks_in_rounds() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    server.wait_for_shop();
    let order = open_order(&server);
    let params = cancel(&order, &json!({"elicitation": {}}));
    let answered = |content: Json| {
        let asked = round(&server, "tools/call", &params);
        let question = &asked["result"]["inputRequests"]["cancel"]["params"];
        let message = question["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with(&format!("Cancel {order} of ")),
            "{asked}"
        );
        let mut again = params.clone();
        again["requestState"] = asked["result"]["requestState"].clone();
        again["inputResponses"] = json!({"cancel": content});
        round(&server, "tools/call", &again)
    };
    let stays = format!("The user does not want {order} to be cancelled.");
    for no in [
        json!({"action": "decline"}),
        json!({"action": "accept", "content": {"cancel": false}}),
    ] {
        let kept = answered(no);
        assert!(text(&kept).contains(&stays), "{kept}");
    }
    let content = json!({"cancel": true, "reason": "ordered twice"});
    let cancelled = answered(json!({"action": "accept", "content": content}));
    let data = &cancelled["result"]["structuredContent"]["data"];
    assert_eq!(data["status"], "cancelled", "{cancelled}");
    let note = data["note"].as_str().unwrap();
    assert!(note.ends_with("Cancelled: ordered twice"), "{note}");
    // What cannot be done is not asked about.
    let refused = round(&server, "tools/call", &params);
    assert!(
        text(&refused).contains("Nothing more can happen to it."),
        "{refused}"
    );

    // Who cannot be asked is told what to do, also over REST and by `call`.
    let order = open_order(&server);
    let expected = format!("A person has to confirm that {order} is cancelled");
    let refused = round(&server, "tools/call", &cancel(&order, &json!({})));
    assert!(text(&refused).contains(&expected), "{refused}");
    let argument = format!("order={order}");
    let ran = folder.run([
        "call",
        "cancel_order",
        &argument,
        "--server",
        server.address(),
    ]);
    ran.assert(1, &expected, "");
}

#[test]
fn a_tool_of_the_shop_asks_while_it_waits() {
    let folder = Folder::new().file("toolpact.yaml", SHOP);
    let (mut client, _) = Client::begun(&folder, &json!({"elicitation": {}}));
    client.ask("tools/list", &json!({}));
    let made = client.ask("tools/call", &ordered());
    let order = &made["result"]["structuredContent"]["id"];
    let params = json!({"name": "cancel_order", "arguments": {"order": order}});
    client.begin("tools/call", &params);
    let question: Json = serde_json::from_str(&client.read()).unwrap();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let result = json!({"action": "accept", "content": {"cancel": true}});
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
    let answer: Json = serde_json::from_str(&client.read()).unwrap();
    let data = &answer["result"]["structuredContent"]["data"];
    assert_eq!(data["status"], "cancelled", "{answer}");
}

/// A round that begins at one server ends at another, if both have the same key.
#[test]
fn servers_with_one_signing_key_take_rounds_of_each_other() {
    let config = format!("signing_key: {{ env: SHARED_KEY }}\n{SHOP}");
    let folders = [(); 2].map(|()| Folder::new().file("toolpact.yaml", &config));
    let start = |folder: &Folder, key: &str| {
        let server = Server::start_with(folder, &["toolpact.yaml"], &[("SHARED_KEY", key.into())]);
        server.wait_for_shop();
        server
    };
    let first = start(&folders[0], "a secret that both have");
    let order = open_order(&first);
    let mut params = cancel(&order, &json!({"elicitation": {}}));
    let asked = round(&first, "tools/call", &params);
    params["requestState"] = asked["result"]["requestState"].clone();
    let content = json!({"cancel": true});
    params["inputResponses"] = json!({"cancel": {"action": "accept", "content": content}});

    let stranger = start(&folders[1], "a secret of its own");
    let refused = round(&stranger, "tools/call", &params);
    assert!(
        refused["error"]["message"]
            .to_string()
            .contains("requestState"),
        "{refused}"
    );
    drop(stranger);
    let second = start(&folders[1], "a secret that both have");
    // A shop is the same wherever it is made.
    assert_eq!(open_order(&second), order);
    let answer = round(&second, "tools/call", &params);
    assert_eq!(
        answer["result"]["structuredContent"]["data"]["status"], "cancelled",
        "{answer}"
    );

    // A key that is short or missing is refused at the start.
    let mut short = folders[0].command(["serve", "--stdio", "toolpact.yaml"]);
    short.env("SHARED_KEY", "short");
    let expected = "at /signing_key: expected a key of at least 16 bytes, found 5";
    crate::run::run(short).assert(1, "", expected);
    let missing = folders[0].run(["serve", "--stdio", "toolpact.yaml"]);
    missing.assert(1, "", "expected the environment variable `SHARED_KEY`");
}
