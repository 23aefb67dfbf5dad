//! What a client says in each version of the protocol.

use std::fmt;

use serde_json::{Value as Json, json};

use crate::tool::ARGUMENTS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A session for each connection.
    Sessions,
    /// The same, and calls ask for progress, of which there is none.
    Progress,
    /// No sessions.
    Alone,
}

/// A request as bytes, whose number can be changed.
pub(crate) struct Request {
    bytes: Vec<u8>,
    number: usize,
}

/// As many digits as numbers of requests have.
const FIRST: u32 = 1_000_000;

impl Mode {
    pub(crate) const ALL: [Mode; 3] = [Mode::Sessions, Mode::Alone, Mode::Progress];

    pub(crate) fn call(self, session: Option<&str>, credentials: &str) -> Request {
        let arguments: Json = serde_json::from_str(ARGUMENTS).unwrap_or_default();
        let mut params = json!({"name": "echo", "arguments": arguments});
        if self == Mode::Alone {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": self.version(),
                "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        if self == Mode::Progress {
            params["_meta"] = json!({"progressToken": 1});
        }
        let mut headers = format!("{credentials}mcp-protocol-version: {}\r\n", self.version());
        match (self, session) {
            (Mode::Alone, _) => headers += "mcp-method: tools/call\r\nmcp-name: echo\r\n",
            (Mode::Sessions | Mode::Progress, session) => {
                headers += &format!("mcp-session-id: {}\r\n", session.unwrap_or_default());
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": FIRST, "method": "tools/call", "params": params});
        Request::new(&headers, &body)
    }

    fn version(self) -> &'static str {
        match self {
            Mode::Sessions | Mode::Progress => "2025-11-25",
            Mode::Alone => "2026-07-28",
        }
    }

    pub(crate) fn initialize(self, credentials: &str) -> Request {
        let about = json!({"name": "bench", "version": "1"});
        let params =
            json!({"protocolVersion": self.version(), "capabilities": {}, "clientInfo": about});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        Request::new(credentials, &body)
    }

    pub(crate) fn initialized(self, session: &str, credentials: &str) -> Request {
        let headers = format!(
            "{credentials}mcp-protocol-version: {}\r\nmcp-session-id: {session}\r\n",
            self.version()
        );
        let body = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        Request::new(&headers, &body)
    }
}

impl Request {
    fn new(headers: &str, body: &Json) -> Self {
        let body = body.to_string();
        let bytes = format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let number = bytes.find(&FIRST.to_string()).unwrap_or_default();
        let bytes = bytes.into_bytes();
        Self { bytes, number }
    }

    /// The request with this number, below nine millions.
    pub(crate) fn numbered(&mut self, number: u32) -> &[u8] {
        let digits = (FIRST + number).to_string();
        self.bytes[self.number..self.number + digits.len()].copy_from_slice(digits.as_bytes());
        &self.bytes
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self {
            Mode::Sessions => "a session for each connection",
            Mode::Progress => "the same, and calls ask for progress",
            Mode::Alone => "no sessions",
        };
        write!(f, "MCP {}: {how}", self.version())
    }
}
