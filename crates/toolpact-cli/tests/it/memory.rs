//! How much memory a server has, as the system counts it, when others try to make it hold as much as they can.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::run::Folder;
use crate::serve::Server;

/// A server of MCP that lists so many tools of so many bytes on each of its pages, and answers with so many bytes.
const UPSTREAM: &str = r#"
import json, sys
pages, tools, size, answer = (int(word) for word in sys.argv[1:])
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "large", "version": "1"}}
    elif method == "tools/list":
        page = int(params.get("cursor") or 0)
        result = {"tools": [{"name": f"tool_{page}_{n}", "description": "x" * size,
                             "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
                            for n in range(tools)]}
        if page + 1 < pages:
            result["nextCursor"] = str(page + 1)
    else:
        result = {"content": [{"type": "text", "text": "x" * answer}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

/// In megabytes, at its most.
pub(crate) fn peak(id: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: usize = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes / 1000
}

/// Waits until so many of these tools are served.
fn wait_for(server: &Server, names: &[&str], number: usize) {
    let patience = Instant::now() + Duration::from_secs(120);
    let is_there = |name: &&&str| {
        let request = format!("GET /v1/contracts/{name} HTTP/1.0\r\nhost: localhost\r\n\r\n");
        let mut answer = [0; 12];
        let read = sent(server, &request).read_exact(&mut answer);
        read.is_ok() && answer.ends_with(b" 200")
    };
    while names.iter().filter(is_there).count() < number {
        assert!(Instant::now() < patience, "{names:?}");
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// Asks, and reads nothing.
fn sent(server: &Server, request: &str) -> TcpStream {
    let address = server.address().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let short = Some(Duration::from_secs(2));
    stream.set_write_timeout(short).unwrap();
    // Who is refused is not read to the end.
    let _ = stream.write_all(request.as_bytes());
    stream
}

fn post(path: &str, accept: &str, length: usize, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
}

fn call(accept: &str, body: &str) -> String {
    post("/v1/call", accept, body.len(), body)
}

/// All ways at once, as far as a stranger has them, with `memory_bytes` of 256 MiB: what is told is counted as it is
/// on the wire, and what is made of it comes on top.
#[test]
fn all_ways_at_once() {
    let mut config =
        "limits: { memory_bytes: 268435456 }\ndata: data\nsources:\n  - shop: { orders: 20 }\n  \
                      - files: { paths: [tools.json] }\n"
            .to_owned();
    for name in ["one", "two", "three"] {
        writeln!(
            config,
            "  - mcp: {{ name: {name}, command: [python3, upstream.py, '1', '3000', '4000', '15000000'] }}"
        )
        .unwrap();
    }
    let script = "head -c 8000000 /dev/zero | tr '\\0' x";
    let tools = json!({"toolpact": 1, "tools": [{
        "name": "large", "description": "Writes much.", "parameters": {"type": "object", "properties": {}},
        "returns": "opaque", "run": {"command": ["sh", "-c", script]},
    }]});
    let folder = Folder::new()
        .file("toolpact.yaml", &config)
        .file("upstream.py", UPSTREAM)
        .file("tools.json", tools.to_string());
    let server = Server::start(&folder, &["toolpact.yaml"]);
    server.wait_for_shop();
    // The third has no place, whichever it is.
    wait_for(
        &server,
        &["one__tool_0_0", "two__tool_0_0", "three__tool_0_0"],
        2,
    );
    let idle = peak(server.id());
    let is_over = AtomicBool::new(false);
    let slowest = std::thread::scope(|scope| {
        let others = scope.spawn(|| {
            let (client, mut slowest, mut calls) = (server.client(), Duration::ZERO, 0);
            while !is_over.load(Ordering::Relaxed) {
                let began = Instant::now();
                client.call("count_orders", &json!({}));
                slowest = slowest.max(began.elapsed());
                calls += 1;
                std::thread::sleep(Duration::from_millis(20));
            }
            (slowest, calls)
        });
        let ways = [attack(&server), attack(&server), attack(&server)];
        std::thread::sleep(Duration::from_secs(5));
        drop(ways);
        is_over.store(true, Ordering::Relaxed);
        others.join().unwrap()
    });
    let peak = peak(server.id());
    eprintln!(
        "{idle} MB idle, {peak} MB at most; the slowest of others and their number: {slowest:?}"
    );
    assert!(peak < MOST, "{peak} MB");
    // Nothing is lost: the same can be asked for again.
    let answer = server.client().call("large", &json!({}));
    assert_eq!(answer.as_str().map(str::len), Some(8_000_000));
}

/// What a server of 256 MiB may have at most, in megabytes: three copies of everything, and itself; see docs/limits.md.
const MOST: usize = 3 * 268 + 50;

/// Every way a few times, and nothing is read.
fn attack(server: &Server) -> Vec<TcpStream> {
    let mut open = Vec::new();
    let part = format!("{{\"name\":\"{}", "x".repeat(4_000_000));
    for _ in 0..10 {
        open.push(sent(
            server,
            &post("/v1/call", "*/*", part.len() + 1, &part),
        ));
        open.push(sent(server, &call("*/*", r#"{"name":"large"}"#)));
        open.push(sent(
            server,
            &call("text/event-stream", r#"{"name":"large"}"#),
        ));
        open.push(sent(server, &call("*/*", r#"{"name":"one__tool_0_0"}"#)));
        open.push(sent(server, &call("*/*", r#"{"name":"two__tool_0_0"}"#)));
        let batch = r#"{"calls":[{"name":"large"},{"name":"large"},{"name":"large"}]}"#;
        open.push(sent(server, &post("/v1/batch", "*/*", batch.len(), batch)));
        let listed = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}"#;
        open.push(sent(
            server,
            &post(
                "/mcp",
                "application/json, text/event-stream",
                listed.len(),
                listed,
            ),
        ));
    }
    for path in [
        "/v1/contracts",
        "/v1/openapi.json",
        "/v1/docs",
        "/v1/exports/openai-chat",
    ] {
        open.push(sent(
            server,
            &format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        ));
    }
    open
}

/// A list of 32 MiB, with the usual limits.
#[test]
fn a_list_of_full_size() {
    let config = "sources:\n  - mcp: { name: far, command: [python3, upstream.py, '4', '2500', '3300', '10'] }\n";
    let folder = Folder::new()
        .file("toolpact.yaml", config)
        .file("upstream.py", UPSTREAM);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    wait_for(&server, &["far__tool_3_0"], 1);
    // It is listed again every ten seconds.
    std::thread::sleep(Duration::from_secs(12));
    let peak = peak(server.id());
    eprintln!("{peak} MB for a list of 32 MiB");
    assert!(peak < 600, "{peak} MB");
}

/// A log that nobody reads: what writes it waits, and nothing is collected.
#[test]
fn a_log_that_nobody_reads() {
    let tools = json!({"toolpact": 1, "tools": [{
        "name": "liar", "description": "Breaks its promise.", "parameters": {"type": "object", "properties": {}},
        "returns": "NumberValue", "run": {"command": ["echo", "{}"]},
    }]});
    let folder = Folder::new()
        .file(
            "toolpact.yaml",
            "sources: [{ files: { paths: [tools.json] } }]",
        )
        .file("tools.json", tools.to_string());
    let mut command = folder.command([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "toolpact.yaml",
        "--verbose",
    ]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = Unread(command.spawn().unwrap());
    let mut said = [0; 200];
    let length = server.0.stdout.as_mut().unwrap().read(&mut said).unwrap();
    let said = String::from_utf8_lossy(&said[..length]).into_owned();
    let address = said.split("http://").nth(1).unwrap();
    let address = address.split_whitespace().next().unwrap();
    let idle = peak(server.0.id());
    let request = call("*/*", r#"{"name":"liar"}"#);
    let address: SocketAddr = address.parse().unwrap();
    let mut open = Vec::new();
    // When all threads wait for the log, nobody is let in.
    while let Ok(mut stream) = TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
        if open.len() == 1000 || stream.write_all(request.as_bytes()).is_err() {
            break;
        }
        open.push(stream);
    }
    std::thread::sleep(Duration::from_secs(5));
    let peak = peak(server.0.id());
    eprintln!("{idle} MB idle, {peak} MB at most");
    assert!(peak < idle + 100, "{idle} MB idle, {peak} MB");
    // Who reads it has all of it, and the calls are answered.
    let mut log = server.0.stderr.take().unwrap();
    std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
    let mut answer = [0; 12];
    let mut last = open.swap_remove(0);
    last.set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    last.read_exact(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 "));
}

/// It ends with the test.
struct Unread(Child);

impl Drop for Unread {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
