//! Random bytes and messages with random changes: whatever comes between them, each request has one
//! answer.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{echo, server, soon};

/// Messages that are changed.
const MESSAGES: [&str; 12] = [
    r#"{"jsonrpc":"2.0","id":"m","method":"ping","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"tools/list","params":{"cursor":"1"}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},"_meta":{"progressToken":1}}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"echo","arguments":{"text":"a"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"inputResponses":{},"requestState":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"logging/setLevel","params":{"level":"debug"}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    r#"{"jsonrpc":"2.0","id":"m","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"m"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}"#,
];

#[derive(Debug, Clone)]
enum Sent {
    /// One of the requests that have to be answered.
    Request(usize),
    Bytes(Vec<u8>),
}

#[derive(Debug, Clone)]
enum Change {
    Replace(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    /// A part of another message.
    Splice(usize, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let place = 0..400_usize;
    let token = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "null",
        "1e999",
        "-0",
        "\\u0000",
        "\\ud800",
        "\r",
        "\u{0}",
        "\"id\":",
        "\"params\":",
        "\"method\":",
        "18446744073709551616",
    ]);
    let change = prop_oneof![
        (place.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Replace(at, byte)),
        (place.clone(), token).prop_map(|(at, token)| Change::Insert(at, token.into())),
        (place.clone(), 1..60_usize).prop_map(|(at, count)| Change::Remove(at, count)),
        (place, 0..MESSAGES.len()).prop_map(|(at, other)| Change::Splice(at, other)),
    ];
    vec(change, 0..5)
}

fn changed(message: usize, changes: Vec<Change>) -> Vec<u8> {
    let mut bytes = MESSAGES[message].as_bytes().to_vec();
    for change in changes {
        let length = bytes.len();
        match change {
            Change::Replace(at, byte) if at < length => bytes[at] = byte,
            Change::Insert(at, more) => {
                let at = at.min(length);
                bytes.splice(at..at, more);
            }
            Change::Remove(at, count) => {
                bytes.drain(at.min(length)..(at + count).min(length));
            }
            Change::Splice(at, other) => {
                bytes.truncate(at.min(length));
                let other = MESSAGES[other].as_bytes();
                bytes.extend_from_slice(&other[at.min(other.len())..]);
            }
            Change::Replace(..) => {}
        }
    }
    bytes
}

fn sent() -> impl Strategy<Value = Sent> {
    prop_oneof![
        (0..5_usize).prop_map(Sent::Request),
        vec(any::<u8>(), 0..200).prop_map(Sent::Bytes),
        (0..MESSAGES.len(), changes())
            .prop_map(|(message, changes)| Sent::Bytes(changed(message, changes))),
    ]
}

fn request(kind: usize, id: &str) -> Json {
    let (method, params) = match kind {
        0 => ("ping", json!({})),
        1 => ("tools/list", json!({})),
        2 => (
            "tools/call",
            json!({"name": "echo", "arguments": {"text": "a"}}),
        ),
        3 => ("tools/call", json!({"name": "nobody", "arguments": {}})),
        _ => ("no/such/method", json!({})),
    };
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// Everything that the server says to somebody who sends this and closes.
async fn talk(lines: &[u8]) -> Vec<u8> {
    let (near, far) = tokio::io::duplex(1 << 14);
    let (input, output) = tokio::io::split(far);
    let server = server([echo()]);
    let (mut answers, mut requests) = tokio::io::split(near);
    let send = async {
        requests.write_all(lines).await.unwrap();
        requests.shutdown().await.unwrap();
    };
    let mut said = Vec::new();
    let serve = async {
        server.serve(input, output).await.unwrap();
    };
    let ((), (), read) =
        soon(async { tokio::join!(send, serve, answers.read_to_end(&mut said)) }).await;
    read.unwrap();
    said
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn each_request_has_one_answer(all in vec(sent(), 1..40)) {
        let mut lines = Vec::new();
        let mut expected = Vec::new();
        for (place, sent) in all.iter().enumerate() {
            match sent {
                Sent::Bytes(bytes) => {
                    lines.extend(bytes.iter().filter(|byte| **byte != b'\n'));
                }
                Sent::Request(kind) => {
                    let id = format!("request-{place}");
                    lines.extend(request(*kind, &id).to_string().into_bytes());
                    expected.push(id);
                }
            }
            lines.push(b'\n');
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let said = runtime.block_on(talk(&lines));
        let mut answers: HashMap<String, usize> = HashMap::new();
        let mut count = 0;
        for line in said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let message: Json = serde_json::from_slice(line).unwrap();
            prop_assert_eq!(&message["jsonrpc"], "2.0");
            if message.get("method").is_some() {
                continue;
            }
            prop_assert!(message.get("result").is_some() != message.get("error").is_some());
            count += 1;
            if let Some(id) = message["id"].as_str() {
                *answers.entry(id.to_owned()).or_default() += 1;
            }
        }
        for id in &expected {
            prop_assert_eq!(answers.get(id), Some(&1), "{}", id);
        }
        prop_assert!(count <= all.len(), "{} answers to {} lines", count, all.len());
    }
}
