//! A NATS server, for as long as a test has it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A server with JetStream on a free port. It ends with the value.
pub(crate) struct NatsServer {
    child: Child,
    folder: TempDir,
    url: String,
}

impl NatsServer {
    /// `None` without the program; the test then says so and returns early.
    pub(crate) fn start() -> Option<Self> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let child = spawn(&program, folder.path(), "-1");
        let mut server = Self {
            child,
            folder,
            url: String::new(),
        };
        server.url = server.wait();
        Some(server)
    }

    /// With a configuration that names other files of a folder, and values of its variables.
    pub(crate) fn with_config(
        config: &Path,
        folder: TempDir,
        variables: &[(String, String)],
    ) -> Option<Self> {
        let mut command = Command::new(program()?);
        command
            .arg("--config")
            .arg(config)
            .args(["--addr", "127.0.0.1", "--port", "-1"]);
        command.arg("--ports_file_dir").arg(folder.path());
        command
            .current_dir(folder.path())
            .envs(variables.iter().cloned());
        let child = quiet(&mut command);
        let mut server = Self {
            child,
            folder,
            url: String::new(),
        };
        server.url = server.wait();
        Some(server)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Kills it, as a crash would.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, at the same address with the same data.
    pub(crate) fn restart(&mut self) {
        let port = self.url.rsplit(':').next().unwrap().to_owned();
        self.child = spawn(&program().unwrap(), self.folder.path(), &port);
        self.wait();
    }

    /// Waits for the file in which it says where it listens.
    fn wait(&self) -> String {
        let name = format!("nats-server_{}.ports", self.child.id());
        let file = self.folder.path().join(name);
        let start = Instant::now();
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Ok(ports) = serde_json::from_str::<serde_json::Value>(&text) {
                return ports["nats"][0].as_str().unwrap().to_owned();
            }
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "the server does not start"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(program: &Path, folder: &Path, port: &str) -> Child {
    let mut command = Command::new(program);
    command
        .args([
            "--addr",
            "127.0.0.1",
            "--port",
            port,
            "--jetstream",
            "--store_dir",
        ])
        .arg(folder.join("data"))
        .arg("--ports_file_dir")
        .arg(folder);
    quiet(&mut command)
}

fn quiet(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// The program: `NATS_SERVER`, or what `cargo test-all` has installed.
pub(crate) fn program() -> Option<PathBuf> {
    let found = std::env::var_os("NATS_SERVER")
        .map(PathBuf::from)
        .or_else(installed);
    if found.is_none() {
        let message = "left out: NATS server is not installed; run `cargo test-all`";
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "{message}");
        eprintln!("{message}");
    }
    found
}

/// Where `conformance/src/packages.rs` has it: `nats-VERSION-HASH`, the newest.
fn installed() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/conformance");
    let folders = std::fs::read_dir(target).ok()?.flatten();
    let named = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("nats-"));
    let programs = named.map(|folder| folder.path().join("bin/nats-server"));
    let there = programs.filter(|program| program.is_file());
    there.max_by_key(|program| program.metadata().and_then(|data| data.modified()).ok())
}
