//! Clients that others wrote, as programs that call tools.

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A program that calls tools with a client, in each version that it speaks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Client {
    TypeScript,
    Python,
    /// On the first line of the Python SDK.
    FastMcp2,
    /// On the second.
    FastMcp4,
}

impl Client {
    /// How many clients and versions the program goes through.
    pub(crate) fn turns(self) -> usize {
        match self {
            Client::TypeScript => 3,
            Client::Python => 2,
            Client::FastMcp2 | Client::FastMcp4 => 1,
        }
    }

    /// What is answered to a client of this name, a call each: the name of a tool, or that and its
    /// arguments. Nothing if it is not installed.
    pub(crate) fn calls<T: Clone + Into<Value>>(
        self,
        server: &str,
        name: &str,
        tools: &[T],
    ) -> Option<Vec<Value>> {
        let mut command = self.command()?;
        command.args([server, name]).stderr(Stdio::piped());
        let output = talk(command, tools);
        let noise = String::from_utf8_lossy(&output.stderr);
        // Such as a format in a schema that the client does not know.
        assert!(!noise.contains("unknown format"), "{noise}");
        Some(calls(&output))
    }

    /// The same of a client whose own messages matter: the calls, and what it has to say besides.
    pub(super) fn noise(self, server: &str, tools: &[&str]) -> Option<(Vec<Value>, String)> {
        let mut command = self.command()?;
        command.args([server, "test"]).stderr(Stdio::piped());
        let output = talk(command, tools);
        let noise = String::from_utf8_lossy(&output.stderr).into_owned();
        Some((calls(&output), noise))
    }

    fn command(self) -> Option<Command> {
        let package = |name| conformance::suite(name).or_leave_out();
        Some(match self {
            Client::TypeScript => {
                let package: PathBuf = package("mcp-sdk")?;
                let mut node = Command::new("node");
                node.arg(script("node/mcp_calls.js")).arg(package);
                node
            }
            Client::Python => python("mcp_calls.py", package("provider-sdks")?),
            Client::FastMcp2 => python("fastmcp_calls.py", package("fastmcp-2")?),
            Client::FastMcp4 => python("fastmcp_calls.py", package("fastmcp-4")?),
        })
    }
}

fn python(name: &str, package: PathBuf) -> Command {
    let mut python = Command::new("python3");
    python.args(["-I", "-S"]);
    python.arg(script(&format!("python/{name}"))).arg(package);
    python
}

fn talk<T: Clone + Into<Value>>(mut command: Command, tools: &[T]) -> Output {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = pipes.spawn().unwrap();
    let mut stdin = running.stdin.take().unwrap();
    let tools = Value::from(tools.to_vec()).to_string();
    stdin.write_all(tools.as_bytes()).unwrap();
    drop(stdin);
    let output = running.wait_with_output().unwrap();
    let noise = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{noise}");
    output
}

/// A line each.
fn calls(output: &Output) -> Vec<Value> {
    let text = str::from_utf8(&output.stdout).unwrap();
    let calls = text.lines().map(|line| serde_json::from_str(line).unwrap());
    calls.collect()
}

fn script(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}
