//! The official clients, as programs that call tools.

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program that calls tools with an official client, in each version that it speaks.
#[derive(Clone, Copy)]
pub(crate) enum Client {
    TypeScript,
    Python,
}

impl Client {
    /// How many clients and versions the program goes through.
    pub(crate) fn turns(self) -> usize {
        match self {
            Client::TypeScript => 3,
            Client::Python => 2,
        }
    }

    /// What is answered to a client of this name, a call each: the name of a tool, or that and its
    /// arguments. Nothing if it is not installed.
    pub(crate) fn calls<T: Clone + Into<Value>>(
        self,
        url: &str,
        name: &str,
        tools: &[T],
    ) -> Option<Vec<Value>> {
        let mut command = self.command()?;
        command.args([url, name]);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let pipes = pipes.stderr(Stdio::piped());
        let mut running = pipes.spawn().unwrap();
        let mut stdin = running.stdin.take().unwrap();
        let tools = Value::from(tools.to_vec()).to_string();
        stdin.write_all(tools.as_bytes()).unwrap();
        drop(stdin);
        let output = running.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        // Such as a format in a schema that the client does not know.
        assert!(!errors.contains("unknown format"), "{errors}");
        let text = String::from_utf8(output.stdout).unwrap();
        let calls = text.lines().map(|line| serde_json::from_str(line).unwrap());
        Some(calls.collect())
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
            Client::Python => {
                let package: PathBuf = package("provider-sdks")?;
                let mut python = Command::new("python3");
                python.args(["-I", "-S"]).arg(script("python/mcp_calls.py"));
                python.arg(package);
                python
            }
        })
    }
}

fn script(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}
