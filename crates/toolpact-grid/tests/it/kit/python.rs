//! Programs in Python, with the client for NATS that is installed beside the server.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use super::NatsServer;
use super::server::installed;

/// A runtime that is written in Python. It is killed with the value.
pub(crate) struct PythonRuntime(pub(crate) Child);

impl PythonRuntime {
    /// The example, with the tools of these tests, which write their effects to this file.
    pub(crate) fn start(server: &NatsServer, effects: &Path) -> Option<Self> {
        let mut command = python(&file("../../examples/grid/runtime.py"))?;
        command.arg(file("tests/it/kit/tools.py")).arg(server.url());
        command.env(super::EFFECTS, effects);
        Some(Self(command.spawn().unwrap()))
    }
}

impl Drop for PythonRuntime {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What all services answer to a verb of the Services API: `PING`, `INFO` or `STATS`.
pub(crate) fn discover(server: &NatsServer, verb: &str) -> Option<Vec<serde_json::Value>> {
    let mut command = python(&file("tests/it/kit/discover.py"))?;
    command.args([server.url(), verb]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// `None` without the client; the test then says so and returns early.
fn python(script: &Path) -> Option<Command> {
    let Some(package) = installed() else {
        let message = "left out: nats-py is not installed; run `cargo test-all`";
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "{message}");
        eprintln!("{message}");
        return None;
    };
    let mut command = Command::new("python3");
    command.arg(script).env("PYTHONPATH", package);
    Some(command)
}

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
