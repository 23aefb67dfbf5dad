//! Clients that take all places of a server: others are served, or told at once when to come back.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::boundaries::http::{get, post};
use crate::run::Folder;
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: nap
    description: Sleeps for a while.
    parameters: { type: object, properties: {} }
    returns: StringValue
    run: { command: [sh, -c, 'sleep 2; echo \"awake\"'] }
"#;

/// What nobody has to wait for longer.
const AT_ONCE: Duration = Duration::from_millis(1500);

fn server(folder: &Folder, limits: &[&str]) -> Server {
    let limits: Vec<&str> = limits.iter().flat_map(|limit| ["--limit", limit]).collect();
    Server::start(folder, &[&["toolpact.yaml"], &*limits].concat())
}

fn folder(config: &str) -> Folder {
    let config = format!("{config}\nsources: [{{ files: {{ paths: [tools.yaml] }} }}]\n");
    Folder::new()
        .file("toolpact.yaml", config)
        .file("tools.yaml", TOOLS)
}

fn open(server: &Server, sent: &str) -> TcpStream {
    let address = server.address().trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    stream.write_all(sent.as_bytes()).unwrap();
    stream
}

fn nap(server: &Server) -> TcpStream {
    let body = r#"{"name": "nap"}"#;
    let address = server.address().trim_start_matches("http://");
    let length = body.len();
    open(
        server,
        &format!(
            "POST /v1/call HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ),
    )
}

/// What has come so far, until the other side closes or is silent for some time.
fn heard(mut stream: TcpStream) -> String {
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard);
    String::from_utf8(heard).unwrap()
}

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split("\r\n\r\n").next()?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    lines
        .find(|(one, _)| one.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

#[test]
fn connections_that_send_nothing_or_half_a_head_keep_nobody_out() {
    let folder = folder("");
    let server = server(&folder, &["connections=50"]);
    let mut held = Vec::new();
    for sent in ["", "GET /v1/health HTTP/1.1\r\nhost: loc"] {
        held.extend((0..100).map(|_| open(&server, sent)));
        let asked = Instant::now();
        assert_eq!(get(server.address(), "/v1/health").status(), 200);
        assert!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    }
}

#[test]
fn who_has_no_place_is_told_so_at_once() {
    let folder = folder("");
    let server = server(&folder, &["connections=4"]);
    let working: Vec<TcpStream> = (0..4).map(|_| nap(&server)).collect();
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    let answer = heard(open(
        &server,
        "GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ));
    assert!(asked.elapsed() < AT_ONCE, "{:?}", asked.elapsed());
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    assert_eq!(header(&answer, "retry-after"), Some("1"), "{answer}");
    assert!(answer.contains("RATE_LIMIT_CONCURRENCY"), "{answer}");
    assert!(
        folder
            .read("stderr.log")
            .contains("connections are refused")
    );
    for stream in working {
        stream
            .set_read_timeout(Some(Duration::from_secs(4)))
            .unwrap();
        assert!(heard(stream).contains("awake"));
    }
    // Those that have their answer make room.
    assert_eq!(get(server.address(), "/v1/health").status(), 200);
}

fn initialize(server: &Server) -> u16 {
    let about = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let accept = ("accept", "application/json, text/event-stream");
    post(server.address(), "/mcp", &[accept], &message).status()
}

#[test]
fn sessions_of_mcp_that_are_not_used_keep_nobody_out() {
    let folder = folder("");
    let server = server(&folder, &["sessions=20"]);
    for number in 0..60 {
        assert_eq!(initialize(&server), 200, "{number}");
    }
}

/// The number of sessions that the server has.
fn sessions(server: &Server) -> String {
    let metrics = get(server.address(), "/v1/metrics").body;
    let line = metrics
        .lines()
        .find(|line| line.starts_with("toolpact_sessions "));
    line.unwrap().to_owned()
}

#[test]
fn sessions_of_rest_make_room_for_others_and_end_when_their_time_is_over() {
    let folder = folder("");
    let server = server(&folder, &["sessions=3", "idle_ms=1000"]);
    let opened: Vec<String> = (0..5)
        .map(|number| {
            let answer = post(server.address(), "/v1/sessions", &[], &json!({}));
            assert_eq!(answer.status(), 201, "{number}: {}", answer.body);
            let answer: Json = serde_json::from_str(&answer.body).unwrap();
            answer["session"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(sessions(&server), "toolpact_sessions 3");
    let status = |session: &str| {
        let path = format!("/v1/results/none?session={session}");
        get(server.address(), &path).body
    };
    assert!(
        status(&opened[0]).contains("no such session"),
        "the oldest made room"
    );
    assert!(!status(&opened[4]).contains("no such session"));
    // Nobody uses one.
    std::thread::sleep(Duration::from_millis(2500));
    assert_eq!(sessions(&server), "toolpact_sessions 0");
}

/// A request of a client without a session that listens for changes.
fn listen(server: &Server) -> TcpStream {
    let address = server.address().trim_start_matches("http://");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
    let body = body.to_string();
    let length = body.len();
    open(
        server,
        &format!(
            "POST /mcp HTTP/1.1\r\nhost: {address}\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: subscriptions/listen\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ),
    )
}

#[test]
fn listeners_are_counted_and_their_time_ends() {
    let folder = folder("");
    let server = server(&folder, &["listeners=3", "listen_ms=2000"]);
    let started = Instant::now();
    let listening: Vec<TcpStream> = (0..3).map(|_| listen(&server)).collect();
    std::thread::sleep(Duration::from_millis(300));
    let refused = heard(listen(&server));
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert_eq!(header(&refused, "retry-after"), Some("1"), "{refused}");
    for stream in listening {
        let heard = heard(stream);
        assert!(heard.contains("acknowledged"), "{heard}");
    }
    let took = started.elapsed();
    assert!(
        took > Duration::from_millis(1500) && took < Duration::from_secs(8),
        "{took:?}"
    );
    let again = listen(&server);
    assert!(heard(again).contains("acknowledged"));
}

/// Two run, two wait, and the others are told at once when to come back.
#[test]
fn calls_beyond_what_may_wait_are_refused_at_once_with_a_time_to_come_back() {
    let nap_limits = "calls: { each: { at_once: 2, waiting: 2 } }";
    let all_limits = "calls: { all: { at_once: 2, waiting: 2 } }";
    let one_limits = "calls: { each: { at_once: 99 }, tools: { nap: { at_once: 2, waiting: 2 } } }";
    for config in [nap_limits, all_limits, one_limits] {
        let folder = folder(config);
        let server = server(&folder, &[]);
        let start = Instant::now();
        let calls: Vec<TcpStream> = (0..12).map(|_| nap(&server)).collect();
        let (mut allowed, mut refused) = (0, 0);
        for stream in calls {
            stream
                .set_read_timeout(Some(Duration::from_millis(700)))
                .unwrap();
            let answer = heard(stream.try_clone().unwrap());
            if answer.starts_with("HTTP/1.1 429 ") {
                assert!(
                    start.elapsed() < Duration::from_secs(12),
                    "{:?}",
                    start.elapsed()
                );
                let after = header(&answer, "retry-after").map(str::parse::<u64>);
                assert!(matches!(after, Some(Ok(1..=60))), "{answer}");
                assert!(answer.contains(r#""retry_after_ms":"#), "{answer}");
                refused += 1;
            } else {
                stream
                    .set_read_timeout(Some(Duration::from_secs(5)))
                    .unwrap();
                allowed += 1;
            }
        }
        assert_eq!((allowed, refused), (4, 8), "{config}");
    }
}

/// Who waits for longer than may be waited is refused, too.
#[test]
fn calls_wait_for_so_long_and_no_longer() {
    let folder = folder("calls: { each: { at_once: 1, wait_ms: 300 } }");
    let server = server(&folder, &[]);
    let first = nap(&server);
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    let refused = post(server.address(), "/v1/call", &[], &json!({"name": "nap"}));
    assert_eq!(refused.status(), 429, "{}", refused.body);
    let waited = asked.elapsed();
    assert!(
        waited >= Duration::from_millis(300) && waited < AT_ONCE,
        "{waited:?}"
    );
    drop(first);
}
