//! Those who hang up in the middle of a call.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt as _;

use super::{DOORS, call_bytes, connect, goes_on, head, heard};
use crate::support::{PATIENCE, Running, TOOLS};

/// A tool that leaves a file when it begins, and another if it comes to its end.
fn tool(name: &str, marks: &Path) -> String {
    let (begun, done) = (marks.join(name), mark(marks, name));
    let (begun, done) = (begun.display(), done.display());
    let script = format!("touch {begun}; sleep 2; touch {done}; echo 1");
    format!(
        "  - name: {name}\n    description: Takes its time.\n    parameters: {{ type: object }}\n    \
         returns: NumberValue\n    run: {{ command: [sh, -c, '{script}'] }}\n"
    )
}

/// What a call that came to its end leaves.
fn mark(marks: &Path, name: &str) -> PathBuf {
    marks.join(format!("{name}.done"))
}

async fn appears(file: &Path) {
    let appears = async {
        while !file.exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, appears).await.unwrap();
}

/// A session of a client of 2025.
async fn session(server: &Running) -> String {
    let about = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let request = server
        .client
        .post(server.url("/mcp"))
        .body(begin.to_string());
    let request = request.header("accept", "application/json, text/event-stream");
    let response = request
        .header("content-type", "application/json")
        .send()
        .await;
    let headers = response.unwrap().headers().clone();
    headers["mcp-session-id"].to_str().unwrap().to_owned()
}

/// A call of a client of 2025, in its session.
fn call_of_session(name: &str, session: &str) -> String {
    let params = json!({"name": name, "arguments": {}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let call = call.to_string();
    let headers = format!(
        "accept: application/json, text/event-stream\r\ncontent-type: application/json\r\n\
         mcp-session-id: {session}\r\nmcp-protocol-version: 2025-11-25\r\ncontent-length: {}\r\n",
        call.len()
    );
    head("/mcp", &headers) + &call
}

/// A plan of one step.
fn plan_bytes(tool: &str) -> String {
    let plan = json!([{"tool": tool}]).to_string();
    head("/v1/plan", &format!("content-length: {}\r\n", plan.len())) + &plan
}

#[tokio::test]
async fn hanging_up_stops_the_program_of_the_call() {
    let marks = tempfile::tempdir().unwrap();
    let marks = marks.path();
    let names = ["streamed", "plain", "direct", "planned", "modern", "older"];
    let tools = names.map(|name| tool(name, marks)).concat();
    let config = "sources: [{ files: { paths: [tools.yaml] } }]";
    let server = Running::of(config, &[("tools.yaml", &format!("{TOOLS}{tools}"))]).await;
    let session = session(&server).await;
    for (name, request) in [
        (
            "streamed",
            call_bytes("/v1/call", "streamed", "accept: text/event-stream\r\n"),
        ),
        ("plain", call_bytes("/v1/call", "plain", "")),
        ("direct", head("/v1/tools/direct", "content-length: 0\r\n")),
        ("planned", plan_bytes("planned")),
        ("modern", call_bytes("/mcp", "modern", "")),
        ("older", call_of_session("older", &session)),
    ] {
        let mut stream = connect(&server).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        appears(&marks.join(name)).await;
        drop(stream);
    }
    // A client of 2025 may come back for the answer, and so its call goes on.
    appears(&mark(marks, "older")).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    for name in ["streamed", "plain", "direct", "planned", "modern"] {
        assert!(!mark(marks, name).exists(), "{name} went on");
    }
    goes_on(&server).await;
}

#[tokio::test]
async fn hanging_up_in_the_middle_of_a_request_calls_nothing() {
    let marks = tempfile::tempdir().unwrap();
    let tools = tool("begun", marks.path());
    let config = "sources: [{ files: { paths: [tools.yaml] } }]";
    let server = Running::of(config, &[("tools.yaml", &format!("{TOOLS}{tools}"))]).await;
    for door in DOORS {
        let whole = call_bytes(door, "begun", "");
        for part in [20, whole.len() / 2, whole.len() - 1] {
            let mut stream = connect(&server).await;
            stream.write_all(&whole.as_bytes()[..part]).await.unwrap();
        }
        // The same, but only the half that sends is closed.
        let mut stream = connect(&server).await;
        stream
            .write_all(&whole.as_bytes()[..whole.len() - 1])
            .await
            .unwrap();
        stream.shutdown().await.unwrap();
        let said = heard(&mut stream).await;
        assert!(
            said.is_empty() || said.starts_with("HTTP/1.1 400"),
            "{said}"
        );
        goes_on(&server).await;
    }
    assert!(!marks.path().join("begun").exists());
    // A whole one does.
    let (status, said) = server.call("begun", json!({})).await;
    assert_eq!(status, 200, "{said}");
    assert!(marks.path().join("begun").exists());
}
