//! A NATS server, for as long as a test has it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longer than a server takes to start on a busy machine.
const LONG: Duration = Duration::from_secs(20);

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
        let url = address(folder.path());
        Some(Self { child, folder, url })
    }

    /// With users and what they may do, as a config of the server has them.
    pub(crate) fn with_users(users: &str) -> Option<Self> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("server.conf");
        fs::write(&config, format!("authorization {{ users = [{users}] }}")).unwrap();
        let mut words = arguments(folder.path(), "-1");
        words.extend(["--config".into(), config.into()]);
        let mut server = Command::new(program);
        let server = server
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = server.spawn().unwrap();
        let url = address(folder.path());
        Some(Self { child, folder, url })
    }

    #[allow(dead_code, reason = "the tests in `suite` have it")]
    /// One for all tests of this process, with its address. It ends with the process.
    pub(crate) fn for_this_process() -> Option<String> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        // Nothing is dropped at the end of a process: the shell waits for the end of its input, which comes then.
        let script = "trap '' INT; \"$@\" & cat > /dev/null; kill $!; wait; rm -r \"$FOLDER\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, "sh"]).arg(program);
        shell.args(arguments(folder.path(), "-1"));
        let child = shell
            .env("FOLDER", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let url = address(folder.path());
        std::mem::forget((child, folder));
        Some(url)
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
        address(self.folder.path());
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
    Command::new(program)
        .args(arguments(folder, port))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn arguments(folder: &Path, port: &str) -> Vec<OsString> {
    let words = ["--addr", "127.0.0.1", "--port", port, "--jetstream"];
    let mut words: Vec<OsString> = words.map(OsString::from).into();
    words.extend(["--store_dir".into(), folder.join("data").into()]);
    words.extend(["--ports_file_dir".into(), folder.into()]);
    words
}

/// Waits for the file in which a server says where it listens, and takes it away: the next one will write another.
fn address(folder: &Path) -> String {
    let start = Instant::now();
    loop {
        for file in fs::read_dir(folder).unwrap().flatten() {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            if let Ok(ports) = serde_json::from_str::<serde_json::Value>(&text) {
                fs::remove_file(file.path()).unwrap();
                return ports["nats"][0].as_str().unwrap().to_owned();
            }
        }
        assert!(start.elapsed() < LONG, "the server does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The program: `NATS_SERVER`, or what `cargo test-all` has installed.
fn program() -> Option<PathBuf> {
    let found = std::env::var_os("NATS_SERVER")
        .map(PathBuf::from)
        .or_else(|| Some(installed()?.join("bin/nats-server")));
    if found.is_none() {
        let message = "left out: NATS server is not installed; run `cargo test-all`";
        let in_ci = std::env::var_os("CI").is_some_and(|value| value == "true");
        assert!(!in_ci, "{message}");
        eprintln!("{message}");
    }
    found
}

/// Where `conformance/src/packages.rs` has it: `nats-VERSION-HASH`, the newest.
pub(crate) fn installed() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/conformance");
    let folders = fs::read_dir(target).ok()?.flatten();
    let named = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("nats-"));
    let folders = named.map(|folder| folder.path());
    let there = folders.filter(|folder| folder.join("bin/nats-server").is_file());
    there.max_by_key(|folder| folder.metadata().and_then(|data| data.modified()).ok())
}
