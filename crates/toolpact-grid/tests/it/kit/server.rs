//! A NATS server, for as long as a test has it.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
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
        let child = spawn(&program, folder.path(), Address::Port("-1"));
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

    /// With these lines in its configuration.
    pub(crate) fn with_settings(lines: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("server.conf");
        let store = folder.path().join("data");
        let store = store.display();
        let text = format!("{lines}\njetstream {{ store_dir: \"{store}\" }}");
        std::fs::write(&config, text).unwrap();
        Self::with_config(&config, folder, &[])
    }

    /// One for all tests of this process, with its address. It ends with the process, at whose end nothing is dropped: a
    /// shell waits for the end of its input, which comes then.
    #[allow(dead_code, reason = "the tests in `suite` have it")]
    pub(crate) fn for_this_process() -> Option<String> {
        let server = Self::start()?;
        let url = server.url().to_owned();
        let mut shell = Command::new("sh");
        shell.args(["-c", "cat; kill -9 $1; rm -rf \"$2\"", "sh"]);
        shell
            .arg(server.child.id().to_string())
            .arg(server.folder());
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null());
        let shell = shell.stderr(Stdio::null()).spawn().unwrap();
        std::mem::forget((server, shell));
        Some(url)
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
        self.child = spawn(
            &program().unwrap(),
            self.folder.path(),
            Address::Port(&port),
        );
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

impl NatsServer {
    /// Until it tells clients of so many servers: who comes before that takes it for one alone.
    fn wait_for_others(&self, servers: usize) {
        let start = Instant::now();
        while self.known_servers() < servers {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "the servers do not find each other"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// As many as it tells who connects to it.
    fn known_servers(&self) -> usize {
        let address = self.url.trim_start_matches("nats://");
        let mut greeting = String::new();
        let heard = TcpStream::connect(address)
            .and_then(|stream| BufReader::new(stream).read_line(&mut greeting));
        let json = greeting.trim_start_matches("INFO ");
        let info: serde_json::Value = match heard.map(|_| serde_json::from_str(json)) {
            Ok(Ok(info)) => info,
            _ => return 0,
        };
        info["connect_urls"].as_array().map_or(0, Vec::len)
    }
}

/// Three servers with JetStream that have the same.
pub(crate) struct Cluster(Vec<NatsServer>);

impl Cluster {
    /// `None` without the program.
    pub(crate) fn start() -> Option<Self> {
        let cluster = Self(Self::servers()?.collect());
        cluster.0.iter().for_each(|server| {
            server.wait();
            server.wait_for_others(3);
        });
        Some(cluster)
    }

    /// With somebody who connects to the first before there are others.
    pub(crate) async fn start_around<T>(connect: impl AsyncFnOnce(&str) -> T) -> Option<(Self, T)> {
        let mut servers = Self::servers()?;
        let first = servers.next()?;
        first.wait();
        let connected = connect(first.url()).await;
        let all = std::iter::once(first).chain(servers).collect();
        Some((Self(all), connected))
    }

    /// Each is started when it is taken.
    fn servers() -> Option<impl Iterator<Item = NatsServer>> {
        let program = program()?;
        let mut ports = free_ports(6);
        let addresses = ports.split_off(3);
        let routes: Vec<String> = ports
            .iter()
            .map(|port| format!("nats://127.0.0.1:{port}"))
            .collect();
        let servers = addresses.into_iter().enumerate();
        Some(servers.map(move |(number, port)| {
            let folder = tempfile::tempdir().unwrap();
            let config = folder.path().join("server.conf");
            let text = format!(
                "server_name: s{number}\nlisten: 127.0.0.1:{port}\n\
                 jetstream {{ store_dir: \"{}\" }}\n\
                 cluster {{ name: c, listen: {:?}, routes: {routes:?} }}\n",
                folder.path().join("data").display(),
                routes[number].trim_start_matches("nats://"),
            );
            std::fs::write(&config, text).unwrap();
            NatsServer {
                child: spawn(&program, folder.path(), Address::Config(&config)),
                url: format!("nats://127.0.0.1:{port}"),
                folder,
            }
        }))
    }

    /// All of them, as a client connects to them.
    pub(crate) fn urls(&self) -> String {
        let urls: Vec<_> = self.0.iter().map(NatsServer::url).collect();
        urls.join(",")
    }

    pub(crate) fn kill(&mut self, number: usize) {
        self.0[number].kill();
    }

    pub(crate) fn restart(&mut self, number: usize) {
        let server = &mut self.0[number];
        let config = server.folder.path().join("server.conf");
        let program = program().unwrap();
        server.child = spawn(&program, server.folder.path(), Address::Config(&config));
        server.wait();
    }
}

/// Ports that nobody listens at now.
fn free_ports(count: usize) -> Vec<u16> {
    let listeners = (0..count).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    // All at once, so that each is another.
    let listeners: Vec<_> = listeners.collect();
    let ports = listeners.iter().map(|one| one.local_addr().unwrap().port());
    ports.collect()
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a server listens.
#[derive(Clone, Copy)]
enum Address<'a> {
    /// At this port, or a free one: `-1`.
    Port(&'a str),
    Config(&'a Path),
}

fn spawn(program: &Path, folder: &Path, address: Address<'_>) -> Child {
    let mut command = Command::new(program);
    match address {
        Address::Port(port) => command
            .args(["--addr", "127.0.0.1", "--port", port])
            .args(["--jetstream", "--store_dir"])
            .arg(folder.join("data")),
        Address::Config(file) => command.arg("--config").arg(file),
    };
    command.arg("--ports_file_dir").arg(folder);
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
    let folders = std::fs::read_dir(target).ok()?.flatten();
    let named = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("nats-"));
    let folders = named.map(|folder| folder.path());
    let there = folders.filter(|folder| folder.join("bin/nats-server").is_file());
    there.max_by_key(|folder| folder.metadata().and_then(|data| data.modified()).ok())
}
