//! Ways in and out that try to take more memory than is set aside for them. Each looks at the most that was taken,
//! which `/v1/metrics` tells, and calls something meanwhile.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value as Json, json};
use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

mod unread;

use crate::scripted::Scripted;
use crate::support::{PATIENCE, Running, TOOLS};

/// The least that a server can have: 32 MiB each for requests and results, 16 MiB for each of the other parts.
const LEAST: &str = "limits: { memory_bytes: 134217728 }";

/// A server for small things: 2 MiB each for requests and results, 1 MiB for each of the other parts.
const SMALL: &str = "limits: { memory_bytes: 8388608, body_bytes: 1000000 }\ncalls: { each: { result_bytes: 1000000 } }";

const MIB: usize = 1 << 20;

/// What is never refused of an answer.
const ALWAYS: usize = 64 << 10;

impl Running {
    /// What `/v1/metrics` says of a part of the memory: `toolpact_memory_{what}bytes`.
    async fn memory(&self, what: &str, part: &str) -> usize {
        let (_, metrics) = self.get("/v1/metrics").await;
        let line = format!("toolpact_memory_{what}bytes{{part=\"{part}\"}} ");
        let mut lines = metrics.as_str().unwrap().lines();
        let found = lines.find_map(|one| one.strip_prefix(&*line));
        found.unwrap().parse().unwrap()
    }

    async fn peak(&self, part: &str) -> usize {
        self.memory("peak_", part).await
    }

    /// Waits until nothing of a part is taken.
    async fn until_free(&self, part: &str) {
        let free = async {
            while self.memory("", part).await > 0 {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let freed = tokio::time::timeout(PATIENCE, free).await;
        assert!(freed.is_ok(), "{part}: {}", self.memory("", part).await);
    }

    async fn is_served(&self) {
        let (status, answer) = self.call("echo", json!({"text": "hi"})).await;
        assert_eq!((status, &answer["text"]), (200, &json!("hi")), "{answer}");
    }

    /// A connection on which something was sent and nothing is read.
    async fn sent(&self, request: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        // So that the system does not hold what the server should: its buffers grow with the size of segments,
        // which on this machine is large.
        socket.set_recv_buffer_size(4096).unwrap();
        SockRef::from(&socket).set_tcp_mss(536).unwrap();
        let mut stream = socket.connect(self.address).await.unwrap();
        let sent = stream.write_all(request.as_bytes());
        // Who is refused is not read to the end.
        let _ = tokio::time::timeout(Duration::from_secs(2), sent).await;
        stream
    }

    fn post_of(&self, path: &str, length: usize, body: &str) -> String {
        let host = self.address;
        format!("POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n\r\n{body}")
    }
}

/// 24 bodies of 4 MB of which the last byte does not come, at routes of REST.
#[tokio::test]
async fn bodies_of_rest_are_bounded_together() {
    let server = Running::with(LEAST).await;
    let part = format!("{{\"name\":\"{}", "x".repeat(4_000_000));
    let request = server.post_of("/v1/call", part.len() + 1, &part);
    let open = join_all((0..24).map(|_| server.sent(&request))).await;
    server.is_served().await;
    let peak = server.peak("requests").await;
    assert!((30 * MIB..33 * MIB).contains(&peak), "{peak}");
    let mut refused = 0;
    for mut stream in open {
        let mut answer = [0; 12];
        let read = stream.read_exact(&mut answer);
        if let Ok(Ok(_)) = tokio::time::timeout(Duration::from_millis(100), read).await {
            refused += usize::from(&answer == b"HTTP/1.1 503");
        }
    }
    assert!(refused >= 15, "{refused} refused");
    server.until_free("requests").await;
    server.is_served().await;
}

/// A plan whose ten steps return 150 kB each, and a batch of a hundred results of 12 kB, which take nothing alone.
#[tokio::test]
async fn plans_and_small_results_take_their_share() {
    let of = |name: &str, bytes: usize| {
        let script =
            format!(r#"printf '%s' '{{"text": "'$(head -c {bytes} /dev/zero | tr '\0' x)'"}}'"#);
        let run = json!({"command": ["sh", "-c", script]});
        let schema = json!({"type": "object", "properties": {}});
        let returns = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        json!({"name": name, "description": "Says much.", "parameters": schema, "returns": returns, "run": run})
    };
    let tools = json!({"toolpact": 1, "tools": [of("large", 150_000), of("small", 12_000)]});
    let config = "limits: { results_bytes: 500000 }\n\
                  sources:\n  - files: { paths: [tools.yaml, more.json] }\n";
    let files = [("tools.yaml", TOOLS), ("more.json", &*tools.to_string())];
    let server = Running::of(config, &files).await;
    let steps = (0..10).map(|n| json!({"id": format!("s{n}"), "tool": "large", "args": {}}));
    let steps: Vec<Json> = steps.collect();
    let (status, ran) = server.post("/v1/plan", &json!({"steps": steps})).await;
    assert_eq!(status, 200, "{ran}");
    let steps = ran["steps"].as_array().unwrap().iter();
    let codes = steps.filter_map(|step| step["error"]["code"].as_str());
    let codes: Vec<&str> = codes.collect();
    assert_eq!(codes, ["RATE_LIMIT_CONCURRENCY"; 6], "four have a place");
    server.until_free("results").await;

    let calls: Vec<Json> = (0..100).map(|_| json!({"name": "small"})).collect();
    let (status, answer) = server.post("/v1/batch", &json!({"calls": calls})).await;
    assert_eq!(status, 200, "{answer}");
    let results = answer["results"].as_array().unwrap().iter();
    let refused = results.filter(|one| one["error"]["code"] == "RATE_LIMIT_CONCURRENCY");
    let refused = refused.count();
    assert!((55..62).contains(&refused), "{refused}");
    let peak = server.peak("results").await;
    assert!((500_000..660_000).contains(&peak), "{peak}");
    server.until_free("results").await;
    server.is_served().await;
}

/// Sessions that are opened and never used.
#[tokio::test]
async fn sessions_of_rest_without_results_are_small() {
    let server = Running::with("").await;
    let before = resident();
    for _ in 0..30 {
        let nothing = json!({});
        let opened = (0..100).map(|_| server.post("/v1/sessions", &nothing));
        let opened = join_all(opened).await;
        assert!(opened.iter().all(|(status, _)| *status == 201));
    }
    let (_, metrics) = server.get("/v1/metrics").await;
    assert!(
        metrics
            .as_str()
            .unwrap()
            .contains("\ntoolpact_sessions 1000\n")
    );
    let after = resident();
    // With the client's connections.
    assert!(after < before + 32 * MIB, "from {before} to {after}");
}

/// 48 programs that write 600 kB each at the same time.
#[tokio::test]
async fn output_of_programs_is_bounded_together() {
    let script = "head -c 600000 /dev/zero | tr '\\0' x; sleep 2";
    let tool = json!({
        "name": "write", "description": "Writes much.", "parameters": {"type": "object", "properties": {}},
        "returns": "opaque", "run": {"command": ["sh", "-c", script]},
    });
    let tools = json!({"toolpact": 1, "tools": [tool]}).to_string();
    let config = format!("{SMALL}\nsources:\n  - files: {{ paths: [tools.yaml, more.json] }}\n");
    let server = Running::of(&config, &[("tools.yaml", TOOLS), ("more.json", &tools)]).await;
    let calls = join_all((0..48).map(|_| server.call("write", json!({}))));
    let (calls, ()) = tokio::join!(calls, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        server.is_served().await;
    });
    let peak = server.peak("answers").await;
    assert!((MIB / 2..MIB + 49 * ALWAYS).contains(&peak), "{peak}");
    let codes: Vec<&Json> = calls.iter().map(|(_, answer)| &answer["code"]).collect();
    let refused = codes
        .iter()
        .filter(|code| **code == "RATE_LIMIT_CONCURRENCY")
        .count();
    assert!((40..=48).contains(&refused), "{codes:?}");
    server.until_free("answers").await;
}

/// 24 HTTP calls that are answered with 600 kB each, of which the last byte comes late.
#[tokio::test]
async fn answers_of_http_tools_share_the_memory() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut connections = tokio::task::JoinSet::new();
        while let Ok((mut stream, _)) = listener.accept().await {
            connections.spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 600000\r\n\r\n";
                let _ = stream.write_all(head.as_bytes()).await;
                let _ = stream.write_all(&vec![b'x'; 599_999]).await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                let _ = stream.write_all(b"x").await;
            });
        }
    });
    let tool = json!({
        "name": "ask", "description": "Asks.", "parameters": {"type": "object", "properties": {}},
        "returns": "opaque",
    });
    let tools = json!({"toolpact": 1, "tools": [tool]}).to_string();
    let config = format!(
        "{SMALL}\nsources:\n  - files: {{ paths: [tools.yaml] }}\n  - files:\n      paths: [more.json]\n      \
         tools: {{ ask: {{ http: {{ url: 'http://{address}/', max_bytes: 900000 }} }} }}\n"
    );
    let server = Running::of(&config, &[("tools.yaml", TOOLS), ("more.json", &tools)]).await;
    let calls = join_all((0..24).map(|_| server.call("ask", json!({}))));
    let (calls, ()) = tokio::join!(calls, async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.is_served().await;
    });
    let peak = server.peak("answers").await;
    assert!((MIB / 2..MIB + 25 * ALWAYS).contains(&peak), "{peak}");
    let codes = calls
        .iter()
        .map(|(status, answer)| (*status, &answer["code"]));
    let codes: Vec<(u16, &Json)> = codes.collect();
    let refused = codes
        .iter()
        .filter(|(_, code)| **code == "RATE_LIMIT_CONCURRENCY");
    assert!((16..=24).contains(&refused.count()), "{codes:?}");
    server.until_free("answers").await;
}

/// A tool of so many bytes.
fn tool(name: &str, bytes: usize) -> Json {
    json!({"name": name, "description": "x".repeat(bytes), "inputSchema": {"type": "object"}})
}

/// Three servers that list 500 kB each: two have a place, and of the third nothing is served.
#[tokio::test(flavor = "multi_thread")]
async fn lists_of_other_servers_are_bounded_together() {
    let mut sources = String::new();
    let mut servers = Vec::new();
    for name in ["one", "two", "three"] {
        let listed: Vec<Json> = (0..5)
            .map(|n| tool(&format!("tool_{n}"), 100_000))
            .collect();
        let server = Scripted::start(json!({"tools": {}}), move |method, _| {
            Ok(match method {
                "tools/list" => json!({"tools": listed}),
                _ => json!({"content": [{"type": "text", "text": "x".repeat(600_000)}]}),
            })
        });
        let server = server.await;
        sources += &format!("  - mcp: {{ name: {name}, url: '{}' }}\n", server.url);
        servers.push(server);
    }
    let config = format!("{SMALL}\nsources:\n  - files: {{ paths: [tools.yaml] }}\n{sources}");
    let server = Running::of(&config, &[("tools.yaml", TOOLS)]).await;
    let mut health = server.get("/v1/health").await.1;
    while health.to_string().contains("starting") {
        tokio::time::sleep(Duration::from_millis(200)).await;
        health = server.get("/v1/health").await.1;
    }
    let states = health["sources"].as_array().unwrap().iter();
    let states: Vec<&str> = states.map(|one| one["state"].as_str().unwrap()).collect();
    let failing = states.iter().filter(|state| **state == "failing").count();
    assert_eq!(failing, 1, "{health}");
    assert_eq!(server.names().await.len(), 3 + 10);
    let peak = server.peak("lists").await;
    assert!((1_000_000..MIB + 101_000).contains(&peak), "{peak}");
    server.is_served().await;

    // Answers of 600 kB, 32 at once.
    let name = server
        .names()
        .await
        .into_iter()
        .find(|name| name.contains("__"))
        .unwrap();
    let calls = join_all((0..32).map(|_| server.call(&name, json!({})))).await;
    let peak = server.peak("answers").await;
    assert!((MIB / 2..MIB + 33 * ALWAYS).contains(&peak), "{peak}");
    let codes: Vec<&Json> = calls.iter().map(|(_, answer)| &answer["code"]).collect();
    assert!(
        codes
            .iter()
            .all(|code| code.is_null() || **code == "RATE_LIMIT_CONCURRENCY"),
        "{codes:?}"
    );
    server.is_served().await;
    server.until_free("answers").await;
}

/// The memory of this process, server and client.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: usize = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes << 10
}
