//! Lines of a client of MCP, whatever they are: the server does not panic, says nothing but messages,
//! and answers the request that comes after them once.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use serde_json::Value as Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Runtime;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::{Context, Definition, Registry, ToolError};
use toolpact_mcp::Server;

const LAST: &[u8] = b"\n{\"jsonrpc\":\"2.0\",\"id\":\"the last\",\"method\":\"ping\"}\n";

fuzz_target!(|data: &[u8]| {
    static SERVER: OnceLock<(Runtime, Server)> = OnceLock::new();
    let (runtime, server) = SERVER.get_or_init(start);
    let said = runtime.block_on(talk(server, data));
    let lines = data.split(|byte| *byte == b'\n').count();
    let (mut answers, mut last) = (0, 0);
    for line in said.split(|byte| *byte == b'\n') {
        if line.is_empty() {
            continue;
        }
        let message: Json = serde_json::from_slice(line).expect("a message");
        assert_eq!(message["jsonrpc"], "2.0");
        answers += usize::from(message.get("method").is_none());
        last += usize::from(message["id"] == "the last");
    }
    assert!(answers <= lines + 1, "{answers} answers to {lines} lines");
    assert!(last >= 1, "the last request has no answer");
});

fn start() -> (Runtime, Server) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().expect("a runtime");
    let contract = Contract::from_json(
        r#"{"name": "echo", "description": "Says it.", "parameters": {"type": "object"}, "returns": "opaque"}"#,
    );
    let echo = Definition::new(
        contract.expect("a contract"),
        async |args: Value, _: Context| Ok::<_, ToolError>(Value::from(args.text())),
    );
    let registry = Registry::new();
    registry.add(echo).expect("a tool");
    (runtime, Server::new(registry).expect("a server"))
}

/// Everything that the server says to a client that sends this and leaves.
async fn talk(server: &Server, lines: &[u8]) -> Vec<u8> {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(far);
    let (mut answers, mut requests) = tokio::io::split(near);
    let send = async {
        requests.write_all(lines).await.expect("it reads");
        requests.write_all(LAST).await.expect("it reads");
        requests.shutdown().await.expect("it reads");
    };
    let mut said = Vec::new();
    let serve = async { server.serve(input, output).await.expect("it serves") };
    let ((), (), read) = tokio::join!(send, serve, answers.read_to_end(&mut said));
    read.expect("it writes");
    said
}
