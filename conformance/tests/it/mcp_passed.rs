//! Public MCP servers behind `toolpact serve`: all they have is there, and what they ask reaches the client.

use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::io::{BufReader, DuplexStream, Lines, ReadHalf};
use tokio::net::TcpStream;
use toolpact::Registry;
use toolpact_mcp::Server;
use toolpact_serve::SourceState;
use toolpact_upstream::{Upstream, Upstreams};

use crate::mcp_served::{Sandbox, Served};
use crate::mcp_server::clients::Client;

/// What a client can be asked.
fn capabilities() -> Json {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

/// The result of a request of 2026-07-28.
async fn request(served: &Served, method: &str, mut params: Json) -> Json {
    let name = [&params["name"], &params["uri"]]
        .into_iter()
        .find_map(Json::as_str);
    let name = name
        .map(|name| format!("mcp-name: {name}\r\n"))
        .unwrap_or_default();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities(),
    });
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let address = served.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let start = answer.find("{\"jsonrpc\"").unwrap();
    let mut read = serde_json::Deserializer::from_str(&answer[start..]).into_iter::<Json>();
    let mut message = read.next().unwrap().unwrap();
    assert!(message["error"].is_null(), "{method}: {message}");
    message["result"].take()
}

const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    (
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    ),
];

/// The names of a list, with this in front.
fn names(answer: &Json, list: &str, key: &str, namespace: &str) -> BTreeSet<String> {
    let list = answer[list].as_array().into_iter().flatten();
    let name = |item: &Json| format!("{namespace}{}", item[key].as_str().unwrap());
    list.map(name).collect()
}

#[tokio::test]
async fn all_that_public_servers_have_is_offered() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&conformance::mcp::SERVERS).await;
    for name in conformance::mcp::SERVERS {
        served.until(name, SourceState::Ready).await;
    }
    let mut sizes = Vec::new();
    for (method, list, key) in LISTS {
        let mut expected = BTreeSet::new();
        for name in conformance::mcp::SERVERS {
            let folder = sandbox.path("files");
            let mut direct = conformance::mcp::Server::start_with(
                &capabilities(),
                &sandbox.package,
                name,
                &folder,
            )
            .unwrap();
            let namespace = match key {
                "name" => format!("{name}__"),
                _ => String::new(),
            };
            // Not all servers have all lists.
            if let Ok(answer) = direct.request(method, &json!({})) {
                let answer: Json = serde_json::from_str(&answer).unwrap();
                expected.extend(names(&answer["result"], list, key, &namespace));
            }
        }
        let offered = request(&served, method, json!({})).await;
        assert_eq!(names(&offered, list, key, ""), expected, "{method}");
        sizes.push(expected.len());
    }
    // As many as they had when this was written, at least.
    for (size, least) in sizes.iter().zip([40, 4, 7, 2]) {
        assert!(*size >= least, "{sizes:?}");
    }
}

#[tokio::test]
async fn prompts_and_resources_of_everything_pass_through() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&["everything"]).await;
    served.until("everything", SourceState::Ready).await;
    let listed = request(&served, "resources/list", json!({})).await;
    for resource in listed["resources"].as_array().unwrap() {
        let read = request(&served, "resources/read", json!({"uri": resource["uri"]})).await;
        assert_eq!(read["contents"][0]["uri"], resource["uri"], "{read}");
    }
    let text = "demo://resource/dynamic/text/1";
    let read = request(&served, "resources/read", json!({"uri": text})).await;
    assert!(read["contents"][0]["text"].is_string(), "{read}");
    let args = json!({"name": "everything__args-prompt", "arguments": {"city": "Oslo"}});
    let prompt = request(&served, "prompts/get", args).await;
    assert!(prompt["messages"].to_string().contains("Oslo"), "{prompt}");
    let reference = json!({"type": "ref/prompt", "name": "everything__completable-prompt"});
    let argument = json!({"name": "department", "value": "S"});
    let params = json!({"ref": reference, "argument": argument});
    let completed = request(&served, "completion/complete", params).await;
    assert!(
        completed["completion"]["values"]
            .to_string()
            .contains("Sales"),
        "{completed}"
    );
    // What a tool makes can be read, though it was not listed before.
    let arguments = json!({"name": "n.gz", "data": "data:text/plain,hi"});
    let params = json!({"name": "everything__gzip-file-as-resource", "arguments": arguments});
    let made = request(&served, "tools/call", params).await;
    let link = &made["content"][0]["uri"];
    let read = request(&served, "resources/read", json!({"uri": link})).await;
    assert!(read["contents"][0]["blob"].is_string(), "{made} {read}");
}

/// A server whose tools ask, in Python.
fn asking(package: &std::path::Path) -> Json {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/asking_server.py");
    let command = json!(["python3", "-I", "-S", script, package]);
    json!({"mcp": {"name": "asking", "command": command}})
}

/// Everything that asks, with what it says when the client has answered.
fn calls() -> Vec<(Json, &'static str)> {
    let everything = |tool: &str, arguments: Json| json!({"name": format!("everything__{tool}"), "arguments": arguments});
    let url = json!({"url": "https://example.com/", "message": "Open it."});
    vec![
        (
            everything("trigger-elicitation-request", json!({})),
            "- Name: Ada",
        ),
        (
            everything("trigger-url-elicitation", url),
            "completed the URL elicitation",
        ),
        (
            everything("trigger-sampling-request", json!({"prompt": "Greet."})),
            "Good morning!",
        ),
        (everything("get-roots-list", json!({})), "file:///work"),
        (
            json!({"name": "asking__greet", "arguments": {}}),
            "Hello, Ada! Run ",
        ),
    ]
}

async fn ask(client: Client) {
    let (Some(sandbox), Some(python)) = (
        Sandbox::new(),
        conformance::suite("provider-sdks").or_leave_out(),
    ) else {
        return;
    };
    let everything =
        json!({"mcp": {"name": "everything", "command": sandbox.command("everything")}});
    let sources = [everything, asking(&python)];
    let served = sandbox.serve_sources("everything", &sources).await;
    for name in ["everything", "asking"] {
        served.until(name, SourceState::Ready).await;
    }
    let calls = calls();
    let tools: Vec<Json> = calls.iter().map(|(call, _)| call.clone()).collect();
    let url = format!("{}/mcp", served.url);
    let called = tokio::task::spawn_blocking(move || client.calls(&url, "test", &tools));
    let Some(called) = called.await.unwrap() else {
        return;
    };
    assert_eq!(called.len(), client.turns() * calls.len());
    let mut greeted = 0;
    for call in &called {
        let expected = calls
            .iter()
            .find(|(meant, _)| meant["name"] == call["tool"]);
        let said = call["result"]["content"].to_string();
        assert!(said.contains(expected.unwrap().1), "{call}");
        // A tool that asks in the middle of a call is not run twice.
        if call["tool"] == "asking__greet" {
            greeted += 1;
            assert!(said.contains(&format!("Run {greeted}.")), "{call}");
        }
    }
}

#[tokio::test]
async fn what_upstreams_ask_typescript_clients_answer() {
    ask(Client::TypeScript).await;
}

#[tokio::test]
async fn what_upstreams_ask_python_clients_answer() {
    ask(Client::Python).await;
}

/// A caller that cannot be asked sees the tools, and is told why they fail.
#[tokio::test]
async fn what_upstreams_ask_nobody_fails_and_says_why() {
    let (Some(sandbox), Some(python)) = (
        Sandbox::new(),
        conformance::suite("provider-sdks").or_leave_out(),
    ) else {
        return;
    };
    let served = sandbox.serve_sources("asking", &[asking(&python)]).await;
    served.until("asking", SourceState::Ready).await;
    let (worked, error) = served.call("greet", &json!({})).await;
    let said = error["message"].as_str().unwrap_or_default();
    assert!(
        !worked && said.contains("has a question for its user"),
        "{error}"
    );
}

/// Over standard input and output nothing says which call asks: a question waits until only one is left.
#[tokio::test]
async fn a_question_waits_until_it_is_clear_who_asks() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let served = sandbox.serve(&["everything"]).await;
    served.until("everything", SourceState::Ready).await;
    // The server asks for roots when it starts, and nobody answers that.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let long = json!({"name": "everything__trigger-long-running-operation", "arguments": {"duration": 3, "steps": 1}});
    let asks = json!({"name": "everything__trigger-elicitation-request", "arguments": {}});
    let later = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        request(&served, "tools/call", asks).await
    };
    let (done, asked) = tokio::join!(request(&served, "tools/call", long), later);
    assert!(done["content"].to_string().contains("completed"), "{done}");
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    assert!(
        asked["inputRequests"]
            .to_string()
            .contains("elicitation/create"),
        "{asked}"
    );
}

/// Reads lines until one is of this kind.
async fn read_until(
    lines: &mut Lines<BufReader<ReadHalf<DuplexStream>>>,
    key: &str,
    is: &Json,
) -> Json {
    let found = async {
        loop {
            let line = lines.next_line().await.unwrap().unwrap();
            let message: Json = serde_json::from_str(&line).unwrap();
            if message[key] == *is {
                return message;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), found)
        .await
        .unwrap()
}

/// A client that subscribes is told of updates, also when the server has started again.
#[tokio::test]
async fn updates_of_resources_are_told_to_subscribers() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let words = sandbox.command("everything");
    let upstream = Upstream::command(&*words[0])
        .args(&words[1..])
        .connect()
        .await
        .unwrap();
    let (registry, upstreams) = (Registry::new(), Upstreams::default());
    registry.add_all(upstream.definitions()).unwrap();
    upstreams.set("everything", None, &upstream);
    let server = Server::builder(registry)
        .passthrough(upstreams.clone())
        .build()
        .unwrap();
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    tokio::spawn(async move { server.serve(input, output).await });
    let (input, mut output) = tokio::io::split(near);
    let mut lines = BufReader::new(input).lines();
    let about = json!({"name": "test", "version": "1"});
    let version = "2025-11-25";
    let uri = "demo://resource/dynamic/text/1";
    for (id, method, params) in [
        (
            1,
            "initialize",
            json!({"protocolVersion": version, "capabilities": {}, "clientInfo": about}),
        ),
        (0, "notifications/initialized", json!({})),
        (2, "resources/subscribe", json!({"uri": uri})),
        (
            3,
            "tools/call",
            json!({"name": "toggle-subscriber-updates", "arguments": {}}),
        ),
    ] {
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if id > 0 {
            message["id"] = id.into();
        }
        output
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
        // The update may come before the answer to the last.
        if id == 1 || id == 2 {
            let answer = read_until(&mut lines, "id", &json!(id)).await;
            assert!(answer["error"].is_null(), "{answer}");
        }
    }
    let told = read_until(
        &mut lines,
        "method",
        &json!("notifications/resources/updated"),
    )
    .await;
    assert_eq!(told["params"]["uri"], uri, "{told}");
    // The new connection is asked for updates again.
    upstream.close().await;
    upstream.refresh().await.unwrap();
    let toggle = json!({"name": "toggle-subscriber-updates", "arguments": {}});
    tokio::time::sleep(Duration::from_secs(1)).await;
    let call = json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": toggle});
    output
        .write_all(format!("{call}\n").as_bytes())
        .await
        .unwrap();
    read_until(
        &mut lines,
        "method",
        &json!("notifications/resources/updated"),
    )
    .await;
}
