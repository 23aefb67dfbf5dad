//! A client of the official Python SDK that has no token: it asks our server where to get one, gets it from an
//! authorisation server, and gets a better one when a tool needs more.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolpact_serve::{Config, Service};

const PATIENCE: Duration = Duration::from_secs(120);

const TOOLS: &str = "
toolpact: 1
tools:
  - name: read_orders
    description: Reads orders.
    parameters: { type: object, properties: {} }
    returns: opaque
    run: { command: [echo, two orders] }
  - name: create_order
    description: Creates an order.
    parameters: { type: object, properties: {} }
    returns: opaque
    run: { command: [echo, a third order] }
";

/// The authorisation server. Killed when it is dropped, so also when the test panics.
struct Issuer(Child, BufReader<ChildStdout>);

impl Issuer {
    fn start(package: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("node/oauth_server.mjs");
        let mut node = Command::new("node");
        node.arg(script).arg(package);
        let mut node = node.stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(node.stdout.take().unwrap());
        Self(node, output)
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.1.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

impl Drop for Issuer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that trusts this issuer, and its address.
async fn serve(folder: &Path, issuer: &str, stop: &CancellationToken) -> String {
    std::fs::write(folder.join("tools.yaml"), TOOLS).unwrap();
    let listener = Service::bind(&Config::default().with_port(0))
        .await
        .unwrap();
    let resource = format!("http://{}/mcp", listener.local_addr().unwrap());
    let path = folder.join("toolpact.yaml");
    let config = format!(
        "identity:
  jwt: [{{ issuer: '{issuer}', jwks: {{ url: '{issuer}/jwks' }} }}]
  oauth:
    resource: '{resource}'
    scopes: {{ '*_order*': [orders:read], create_order: [orders:write] }}
sources: [{{ files: {{ paths: [tools.yaml] }} }}]
"
    );
    std::fs::write(&path, config).unwrap();
    let config = Config::from_file(&path).unwrap();
    let service = Service::start(config, None, stop.clone()).await.unwrap();
    tokio::spawn(async move { service.listen(listener).await.unwrap() });
    resource
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_finds_its_way_to_a_token() {
    let (Some(sdk), Some(server)) = (
        conformance::suite("provider-sdks").or_leave_out(),
        conformance::suite("oauth-server").or_leave_out(),
    ) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut issuer = Issuer::start(&server);
    let stop = CancellationToken::new();
    let resource = serve(folder.path(), &issuer.line(), &stop).await;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/oauth_calls.py");
    let mut python = tokio::process::Command::new("python3");
    let python = python.arg("-I").arg(script).arg(sdk).arg(&resource);
    let python = python
        .args(["read_orders", "create_order"])
        .kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, python.output())
        .await
        .unwrap()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = String::from_utf8_lossy(&output.stdout);
    let said: Vec<&str> = said.lines().filter(|line| !line.is_empty()).collect();
    let expected = ["2025-11-25", "2026-07-28"].map(|version| {
        [
            format!("{version} read_orders two orders"),
            format!("{version} create_order a third order"),
        ]
    });
    assert_eq!(said, expected.concat(), "{errors}");
    // For each version: one that could read, and one after 403 that could also write.
    for number in [1, 2, 3, 4] {
        let scopes = match number % 2 {
            1 => "orders:read",
            _ => "orders:read orders:write",
        };
        assert_eq!(
            issuer.line(),
            format!("token {number} for {resource}: {scopes}")
        );
    }
    stop.cancel();
}
