//! A shell in a folder, with servers in its background.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The ports of the page, which may be taken where the test runs.
const PORTS: [&str; 2] = ["7878", "8000"];

/// How long a server may take until it has printed what the page shows.
const START: Duration = Duration::from_secs(60);

pub(super) struct Terminal {
    home: PathBuf,
    folder: PathBuf,
    environment: BTreeMap<&'static str, PathBuf>,
    ports: Vec<(&'static str, String)>,
    /// By the program: a second one takes the place of the first.
    running: BTreeMap<String, Child>,
}

impl Terminal {
    pub(super) fn open(home: &Path, programs: &[PathBuf]) -> Self {
        let path = std::env::var_os("PATH").unwrap();
        let path =
            std::env::join_paths(programs.iter().cloned().chain(std::env::split_paths(&path)));
        let environment = [("XDG_DATA_HOME", home.join("data"))];
        let mut terminal = Self {
            home: home.to_owned(),
            folder: home.to_owned(),
            environment: environment.into(),
            ports: PORTS.map(|port| (port, free_port())).into(),
            running: BTreeMap::new(),
        };
        terminal.set("PATH", Path::new(&path.unwrap()));
        let server = terminal.here("http://127.0.0.1:7878");
        terminal.set("TOOLPACT_SERVER", Path::new(&server));
        terminal
    }

    pub(super) fn set(&mut self, name: &'static str, value: &Path) {
        self.environment.insert(name, value.to_owned());
    }

    /// Writes a file, with its path from home.
    pub(super) fn write(&self, name: &str, content: &str) {
        let path = self.home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // A hash in a lock file may look like a port.
        let content = match name.contains("Cargo.lock") {
            true => content.to_owned(),
            false => self.here(content),
        };
        fs::write(path, content).unwrap();
    }

    /// Runs a line and compares what it prints with the page.
    pub(super) fn run(&mut self, line: &str, status: i32, expected: &[&str]) {
        if let Some(folder) = line.strip_prefix("cd ") {
            self.folder = self.folder.join(folder).canonicalize().unwrap();
            return;
        }
        if let Some(line) = line.strip_suffix(" &") {
            self.start(line, expected);
            return;
        }
        let output = self.shell(line).output().unwrap();
        let found = [output.stdout, output.stderr].concat();
        let found = String::from_utf8(found).unwrap();
        assert!(
            output.status.code() == Some(status) && self.is(&found, expected),
            "$ {line}\nexpected: {status}\n{}\nfound: {}\n{found}",
            expected.join("\n"),
            output.status
        );
    }

    /// Starts a server and waits until it has printed what the page shows.
    fn start(&mut self, line: &str, expected: &[&str]) {
        let program = line.split(' ').next().unwrap().to_owned();
        if let Some(mut earlier) = self.running.remove(&program) {
            stop(&mut earlier);
        }
        let log = self.folder.join(format!("{program}.log"));
        let file = File::create(&log).unwrap();
        let mut shell = self.shell(&format!("exec {line}"));
        shell.stdout(file.try_clone().unwrap()).stderr(file);
        self.running.insert(program, shell.spawn().unwrap());
        let begun = Instant::now();
        let mut found = String::new();
        while begun.elapsed() < START && !self.is(&found, expected) {
            std::thread::sleep(Duration::from_millis(50));
            found = fs::read_to_string(&log).unwrap();
        }
        let shown = expected.join("\n");
        assert!(
            self.is(&found, expected),
            "$ {line} &\nexpected:\n{shown}\nfound:\n{found}"
        );
    }

    fn shell(&self, line: &str) -> Command {
        let mut line = self.here(line);
        // The shop has no config that could name the port.
        if line.starts_with("exec toolpact serve") && !self.folder.join("toolpact.yaml").exists() {
            let serve = self.here("toolpact serve --listen 127.0.0.1:7878");
            line = line.replace("toolpact serve", &serve);
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(&self.folder);
        shell.stdin(Stdio::null()).process_group(0);
        // What cargo sets for tests is not there for a user.
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("CARGO_") && name_text != "CARGO_HOME" {
                shell.env_remove(name);
            }
        }
        shell.envs(&self.environment);
        shell.env("NO_COLOR", "1").env("COLUMNS", "100");
        shell
    }

    /// A text of the page with the ports of this run.
    fn here(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (port, free) in &self.ports {
            text = text.replace(port, free);
        }
        text
    }

    /// Whether this is what the page shows, in which `...` stands for any lines and `[..]` for a part of
    /// a line.
    fn is(&self, found: &str, expected: &[&str]) -> bool {
        let found: Vec<&str> = found.trim_end().lines().collect();
        let expected: Vec<String> = expected.iter().map(|line| self.here(line)).collect();
        lines_match(&found, &expected)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.running.values_mut().for_each(stop);
    }
}

fn stop(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}

fn lines_match(found: &[&str], expected: &[String]) -> bool {
    match expected {
        [] => found.is_empty(),
        [first, rest @ ..] if first == "..." => {
            (0..=found.len()).any(|skipped| lines_match(&found[skipped..], rest))
        }
        [first, rest @ ..] => found
            .split_first()
            .is_some_and(|(line, found)| line_matches(line, first) && lines_match(found, rest)),
    }
}

fn line_matches(found: &str, expected: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}
