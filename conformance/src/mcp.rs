//! MCP servers as tests need them: started and stopped by a guard, and asked over standard input
//! and output.
//!
//! Answers are given as the text the server sent, so that a test can judge exactly that.

mod process;
mod public;

pub use public::{PUBLIC, PublicServer};

use process::Process;
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use std::process::Command;

/// The servers of the package `mcp-servers`.
pub const SERVERS: [&str; 3] = ["everything", "filesystem", "memory"];

/// The version of the protocol that is spoken.
const PROTOCOL: &str = "2025-11-25";

/// A server that runs. It is killed when this is dropped, so also when a test panics.
#[derive(Debug)]
pub struct Server {
    process: Process,
    requests: u64,
}

impl Server {
    /// Starts one of [`SERVERS`] out of the folder of the installed package, and initialises it.
    /// What the server keeps, it keeps in `sandbox`.
    pub fn start(package: &Path, name: &str, sandbox: &Path) -> io::Result<Self> {
        // One server has a tool only for clients that have roots.
        Self::start_with(&json!({"roots": {}}), package, name, sandbox)
    }

    /// The same for a client with these capabilities.
    pub fn start_with(
        capabilities: &Value,
        package: &Path,
        name: &str,
        sandbox: &Path,
    ) -> io::Result<Self> {
        let folder = format!("node_modules/@modelcontextprotocol/server-{name}");
        let mut command = Command::new("node");
        command
            .arg(package.join(folder).join("dist/index.js"))
            .env("MEMORY_FILE_PATH", sandbox.join("memory.jsonl"))
            .current_dir(sandbox);
        if name == "filesystem" {
            command.arg(sandbox);
        }
        Self::start_command(command, capabilities)
    }

    fn start_command(command: Command, capabilities: &Value) -> io::Result<Self> {
        let mut server = Self {
            process: Process::start(command)?,
            requests: 0,
        };
        server.initialize(capabilities)?;
        Ok(server)
    }

    /// Asks for something, and returns the answer: a JSON-RPC message with a `result`.
    pub fn request(&mut self, method: &str, params: &Value) -> io::Result<String> {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.process.read_line()?;
            let message: Value = serde_json::from_str(&line)?;
            // Notifications and requests of the server's own come in between.
            if message["id"] != id || message.get("method").is_some() {
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(io::Error::other(format!("{method}: {error}"))),
                None => Ok(line),
            };
        }
    }

    /// The answers to `tools/list`, a page each. The tools are at `/result/tools`.
    pub fn list_tools(&mut self) -> io::Result<Vec<String>> {
        let mut pages = Vec::new();
        let mut params = json!({});
        loop {
            let page = self.request("tools/list", &params)?;
            let answer: Value = serde_json::from_str(&page)?;
            pages.push(page);
            match &answer["result"]["nextCursor"] {
                Value::Null => return Ok(pages),
                cursor => params = json!({"cursor": cursor}),
            }
        }
    }

    fn initialize(&mut self, capabilities: &Value) -> io::Result<()> {
        let params = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": capabilities,
            "clientInfo": {"name": "toolpact-conformance", "version": env!("CARGO_PKG_VERSION")},
        });
        self.request("initialize", &params)?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        self.process.write_line(&message.to_string())
    }
}
