//! `toolpact tools` and `toolpact call` with a public MCP server, over both transports.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::toolpact::toolpact;

fn script(package: &Path) -> PathBuf {
    package.join("node_modules/@modelcontextprotocol/server-everything/dist/index.js")
}

/// Runs the program, which must succeed, and returns what it says.
fn said(words: &[&str], server: [&str; 2]) -> String {
    let output = toolpact().args(words).args(server).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn lists_and_calls(server: [&str; 2]) {
    let tools = said(&["tools"], server);
    assert!(tools.contains("get-structured-content"), "{tools}");
    let sum = said(&["call", "get-sum", "a=1", "b=2"], server);
    assert_eq!(sum, "The sum of 1 and 2 is 3.\n");
    let weather = [
        "call",
        "get-structured-content",
        "location=Chicago",
        "--view=json",
    ];
    let weather = said(&weather, server);
    assert!(weather.contains("\"temperature\""), "{weather}");
}

#[test]
fn a_program() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let command = format!("node '{}'", script(&package).display());
    lists_and_calls(["--command", &command]);
}

/// Killed when it is dropped, so also when the test panics.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_address() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut command = Command::new("node");
    command.arg(script(&package)).arg("streamableHttp");
    command.env("PORT", port.to_string()).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let _running = Running(command.spawn().unwrap());
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            started.elapsed() < Duration::from_secs(30),
            "it does not listen"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    for path in ["", "/mcp"] {
        lists_and_calls(["--server", &format!("http://127.0.0.1:{port}{path}")]);
    }
}
