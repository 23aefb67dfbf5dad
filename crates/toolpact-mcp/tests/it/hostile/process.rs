//! The fixture as a process of its own, so that its memory can be measured.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::support::soon;

/// After which time without progress a server does not read any more.
const STALLED: Duration = Duration::from_millis(700);

/// A server that ends with this.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// What was left of a line when the server did not read on.
    rest: Vec<u8>,
}

impl Process {
    /// A server over standard input that has begun a session with a client that can be asked.
    pub(super) async fn over_lines(request_bytes: usize) -> Self {
        Self::begin(Self::start(
            "--stdio",
            "FIXTURE_REQUEST_BYTES",
            request_bytes,
        ))
        .await
    }

    /// The same with a budget for results.
    pub(super) async fn with_result_bytes(bytes: usize) -> Self {
        Self::begin(Self::start("--stdio", "FIXTURE_RESULT_BYTES", bytes)).await
    }

    /// The same with so many tools more.
    pub(super) async fn with_tools(count: usize) -> Self {
        Self::begin(Self::start("--stdio", "FIXTURE_TOOLS", count)).await
    }

    async fn begin(mut server: Self) -> Self {
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let begun = server.ask(&json!("begin"), "initialize", params).await;
        assert!(begun["result"].is_object(), "{begun}");
        server
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        server
    }

    /// A server over HTTP, and its address.
    pub(super) async fn over_http(request_bytes: usize) -> (Self, String) {
        let mut server = Self::start("--http", "FIXTURE_REQUEST_BYTES", request_bytes);
        let mut url = String::new();
        soon(server.output.read_line(&mut url)).await.unwrap();
        (server, url.trim().to_owned())
    }

    fn start(mode: &str, variable: &str, value: usize) -> Self {
        let mut child = Command::new(fixture())
            .arg(mode)
            .env(variable, value.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            rest: Vec::new(),
            child,
        }
    }

    pub(super) async fn send(&mut self, message: &Json) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    pub(super) async fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        soon(input.write_all(bytes)).await.unwrap();
    }

    /// Sends a message again and again until the server does not read on, but not more often than
    /// this. Returns how many it has read the whole of.
    pub(super) async fn flood(&mut self, most: usize, message: impl Fn(usize) -> String) -> usize {
        let input = self.input.as_mut().unwrap();
        for count in 0..most {
            let line = message(count) + "\n";
            let mut sent = 0;
            while sent < line.len() {
                let written = input.write(&line.as_bytes()[sent..]);
                match tokio::time::timeout(STALLED, written).await {
                    Ok(written) => sent += written.unwrap(),
                    Err(_) => {
                        self.rest = line.as_bytes()[sent..].to_vec();
                        return count;
                    }
                }
            }
        }
        most
    }

    /// Sends the rest of the message at which the server stopped, and reads on meanwhile.
    pub(super) async fn finish_flood(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let input = self.input.as_mut().unwrap();
        let (mut sent, mut line) = (0, Vec::new());
        while sent < rest.len() {
            tokio::select! {
                written = input.write(&rest[sent..]) => sent += written.unwrap(),
                read = self.output.read_until(b'\n', &mut line) => {
                    assert!(read.unwrap() > 0, "the server hung up");
                    line.clear();
                }
            }
        }
        if !line.is_empty() {
            soon(self.output.read_until(b'\n', &mut line))
                .await
                .unwrap();
        }
    }

    /// Sends a message as often as the server reads it, and reads so many bytes of answers meanwhile:
    /// the server is always ahead of its client.
    pub(super) async fn read_behind(&mut self, message: &Json, bytes: usize) {
        let line = format!("{message}\n");
        let input = self.input.as_mut().unwrap();
        let (mut sent, mut read, mut answer) = (0, 0, Vec::new());
        while read < bytes {
            tokio::select! {
                biased;
                written = input.write(&line.as_bytes()[sent..]) => {
                    sent = (sent + written.unwrap()) % line.len();
                }
                more = self.output.read_until(b'\n', &mut answer) => {
                    read += more.unwrap();
                    answer.clear();
                }
            }
        }
        if !answer.is_empty() {
            soon(self.output.read_until(b'\n', &mut answer))
                .await
                .unwrap();
        }
        self.rest = line.as_bytes()[sent..].to_vec();
        self.finish_flood().await;
    }

    pub(super) async fn read(&mut self) -> Json {
        serde_json::from_str(&self.read_line().await).unwrap()
    }

    pub(super) async fn read_line(&mut self) -> String {
        let mut line = String::new();
        let read = soon(self.output.read_line(&mut line)).await.unwrap();
        assert!(read > 0, "the server hung up");
        line
    }

    /// Whether the server has nothing to say.
    pub(super) async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(300), self.output.fill_buf())
            .await
            .is_err()
    }

    /// The answer to a request; what comes before is dropped.
    pub(super) async fn ask(&mut self, id: &Json, method: &str, params: Json) -> Json {
        self.send(&request(id, method, params)).await;
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
        loop {
            let line = self.read_line().await;
            if line.starts_with(&start) && !line.contains(r#""method":"#) {
                return serde_json::from_str(&line).unwrap();
            }
        }
    }

    /// The server answers as it should, and has never taken more than so many megabytes.
    pub(super) async fn goes_on_within(&mut self, megabytes: usize) {
        let params = json!({"name": "test_simple_text", "arguments": {}});
        let called = self.ask(&json!("goes on"), "tools/call", params).await;
        let text = &called["result"]["content"][0]["text"];
        assert_eq!(*text, "This is a simple text response for testing.");
        self.took_at_most(megabytes);
    }

    /// The most memory that it has had, as the system counts it.
    pub(super) fn took_at_most(&self, megabytes: usize) {
        let id = self.child.id().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.unwrap().trim().trim_end_matches(" kB");
        let peak = peak.parse::<usize>().unwrap() / 1000;
        assert!(peak <= megabytes, "{peak} MB, expected {megabytes} at most");
    }

    /// Closes the input, and waits until the server has ended.
    pub(super) async fn close(mut self) {
        self.input = None;
        assert!(soon(self.child.wait()).await.unwrap().success());
    }
}

pub(super) fn request(id: &Json, method: &str, params: Json) -> Json {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    message["params"] = params;
    message
}

pub(super) fn cancelled(id: &Json) -> Json {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

/// Cargo builds examples with the tests.
fn fixture() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(|deps| deps.parent()).unwrap();
    folder.join("examples/fixture")
}
