//! Those who connect and have nothing to say.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{connect, goes_on};
use crate::support::{PATIENCE, Running};

/// How much of a request the idle ones say.
const SAID: [&str; 4] = [
    "",
    "POST /v1/ca",
    "POST /mcp HTTP/1.1\r\nhost: loc",
    "POST /v1/call HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{",
];

async fn idle(server: &Running, said: &str) -> TcpStream {
    let mut stream = connect(server).await;
    stream.write_all(said.as_bytes()).await.unwrap();
    stream
}

/// Both ends of each connection are in this process.
fn allow_files(most: u64) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|now| now < most) {
        limit.current = Some(limit.maximum.map_or(most, |hard| hard.min(most)));
        setrlimit(Resource::Nofile, limit).unwrap();
    }
}

#[tokio::test]
async fn a_thousand_idle_connections_are_in_nobodys_way() {
    allow_files(4000);
    let server = Running::with("").await;
    let mut held = Vec::new();
    for number in 0..1000 {
        held.push(idle(&server, SAID[number % SAID.len()]).await);
        if number % 250 == 249 {
            goes_on(&server).await;
        }
    }
    // It is none of their doing that the server goes on: they are all still there.
    let mut nothing = [0; 1];
    let open = held.iter().filter(|stream| {
        let read = stream.try_read(&mut nothing);
        read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    });
    assert_eq!(open.count(), 1000);
    drop(held);
    goes_on(&server).await;
}

#[tokio::test]
async fn a_full_house_of_those_who_do_nothing_has_room() {
    let server = Running::with("limits: { connections: 8 }").await;
    let mut held = Vec::new();
    for number in 0..8 {
        held.push(idle(&server, SAID[number % SAID.len()]).await);
    }
    let call = json!({"name": "echo", "args": {"text": "hi"}}).to_string();
    let request = server.client.post(server.url("/v1/call")).body(call);
    // A request that is being sent has a moment before it makes room.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let answer = tokio::time::timeout(Duration::from_secs(5), request.send()).await;
    assert_eq!(answer.unwrap().unwrap().status(), 200);
    drop(held);
    goes_on(&server).await;
}

/// Nobody lets go here but the server, which takes its fifteen seconds.
#[tokio::test]
async fn those_who_never_finish_a_head_are_let_go() {
    let server = Running::with("limits: { connections: 4 }").await;
    let asked = "GET /v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let (mut ends, mut dripping) = (Vec::new(), JoinSet::new());
    for (said, drips) in [
        ("", false),
        ("POST /v1/ca", false),
        (SAID[2], true),
        (asked, false),
    ] {
        let (mut end, mut begin) = idle(&server, said).await.into_split();
        dripping.spawn(async move {
            // A letter of a header now and then changes nothing.
            while !drips || begin.write_all(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        });
        ends.push(async move {
            let mut rest = Vec::new();
            // One that is reset has ended as well.
            let _ = end.read_to_end(&mut rest).await;
        });
    }
    for end in ends {
        tokio::time::timeout(2 * PATIENCE, end).await.unwrap();
    }
    goes_on(&server).await;
}
