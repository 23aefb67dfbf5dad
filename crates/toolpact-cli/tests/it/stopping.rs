//! Programs that are asked to stop while tools run: nobody is left behind, and everybody is answered.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::run::Folder;

/// A tool that says who it is and takes its time.
const TOOLS: &str = "
toolpact: 1
tools:
  - name: nap
    description: Sleeps for longer than any test.
    parameters: { type: object, properties: {} }
    returns: StringValue
    run: { command: [sh, -c, 'echo $$ > new; mv new pid; exec sleep 120'] }
";

const CONFIG: &str = "sources: [{ files: { paths: [tools.yaml] } }]\n";

/// A program whose standard input and output are ours. It is killed when this is dropped.
struct Running(Child);

impl Running {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(File::create(folder.path("stderr.log")).unwrap());
        Self(command.spawn().unwrap())
    }

    /// A server and where it listens.
    fn serve(folder: &Folder, arguments: &[&str]) -> (Self, String) {
        let serve = ["serve", "config.yaml", "--listen", "127.0.0.1:0"];
        let mut server = Self::start(folder, &[&serve, arguments].concat());
        let address = server.line();
        let address = address.trim_end().rsplit("http://").next().unwrap();
        (server, address.to_owned())
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let stdout = self.0.stdout.as_mut().unwrap();
        BufReader::with_capacity(1, stdout)
            .read_line(&mut line)
            .unwrap();
        line
    }

    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// How it ended, and that it took no longer.
    #[track_caller]
    fn ends_within(&mut self, time: Duration) -> Option<i32> {
        let patience = Instant::now() + time;
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < patience, "it still runs");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const LONG: Duration = Duration::from_secs(15);

fn folder() -> Folder {
    let folder = Folder::new().file("tools.yaml", TOOLS);
    folder.file("config.yaml", CONFIG)
}

#[track_caller]
fn until(what: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(30);
    while !what() {
        assert!(Instant::now() < patience, "it does not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The number of the tool's program, once it runs.
#[track_caller]
fn napping(folder: &Folder) -> String {
    until(|| folder.path("pid").exists());
    folder.read("pid").trim().to_owned()
}

/// Who has ended may wait for another to notice.
fn is_there(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z')
}

/// Asks for a call, and does not wait for the answer.
fn ask(address: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!("POST /v1/call HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}");
    write!(stream, "{head}\r\nconnection: close\r\n\r\n{body}").unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

const NAP: &str = r#"{"name": "nap"}"#;

#[test]
fn a_server_leaves_no_programs_behind_and_answers_what_it_cuts() {
    for signal in ["TERM", "INT"] {
        let folder = folder();
        let (mut server, address) = Running::serve(&folder, &["--limit", "drain_ms=300"]);
        let asked = ask(&address, NAP);
        let pid = napping(&folder);
        server.signal(signal);
        assert_eq!(server.ends_within(LONG), Some(0));
        until(|| !is_there(&pid));
        let answer = answer(asked);
        assert!(answer.contains("CANCELLED"), "{answer}");
        let log = folder.read("stderr.log");
        assert!(
            log.contains("calls are waited for calls=1 most_ms=300"),
            "{log}"
        );
        assert!(log.contains("a second Ctrl-C or SIGTERM"), "{log}");
        assert!(log.contains("calls were cut"), "{log}");
    }
}

#[test]
fn a_second_signal_ends_it_at_once_and_nobody_waits_for_a_server_that_ends() {
    let folder = folder();
    let (mut server, address) = Running::serve(&folder, &["--limit", "drain_ms=60000"]);
    let asked = ask(&address, NAP);
    let pid = napping(&folder);
    server.signal("INT");
    until(|| folder.read("stderr.log").contains("calls are waited for"));
    until(|| TcpStream::connect(&address).is_err());
    assert!(is_there(&pid));
    server.signal("INT");
    assert_eq!(server.ends_within(Duration::from_secs(5)), Some(0));
    until(|| !is_there(&pid));
    assert!(answer(asked).contains("CANCELLED"));
}

#[test]
fn a_call_that_timed_out_leaves_nobody_behind() {
    let folder = folder();
    let (mut server, address) = Running::serve(&folder, &[]);
    let asked = ask(&address, r#"{"name": "nap", "timeout_ms": 700}"#);
    let pid = napping(&folder);
    assert!(answer(asked).contains("TIMEOUT"));
    server.signal("TERM");
    assert_eq!(server.ends_within(LONG), Some(0));
    until(|| !is_there(&pid));
}

#[test]
fn a_call_here_that_is_interrupted_leaves_nobody_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = folder();
        let mut call = Running::start(&folder, &["call", "nap", "--tools", "tools.yaml"]);
        let pid = napping(&folder);
        call.signal(signal);
        assert_eq!(call.ends_within(Duration::from_secs(5)), Some(status));
        until(|| !is_there(&pid));
    }
}

/// A client on standard input that has asked for a nap.
fn client(folder: &Folder) -> Running {
    let arguments = ["serve", "config.yaml", "--stdio", "--limit", "drain_ms=300"];
    let mut server = Running::start(folder, &arguments);
    let about = r#"{"name": "test", "version": "1"}"#;
    let messages = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-11-25", "capabilities": {{}}, "clientInfo": {about}}}}}
{{"jsonrpc": "2.0", "method": "notifications/initialized"}}
{{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {{"name": "nap", "arguments": {{}}}}}}
"#
    );
    let stdin = server.0.stdin.as_mut().unwrap();
    stdin.write_all(messages.as_bytes()).unwrap();
    server
}

#[test]
fn a_client_on_standard_input_is_answered_and_nobody_is_left_behind() {
    for signal in [Some("TERM"), None] {
        let folder = folder();
        let mut server = client(&folder);
        let pid = napping(&folder);
        match signal {
            Some(signal) => server.signal(signal),
            None => drop(server.0.stdin.take()),
        }
        assert_eq!(server.ends_within(LONG), Some(0));
        until(|| !is_there(&pid));
        let mut said = String::new();
        let mut stdout = server.0.stdout.take().unwrap();
        stdout.read_to_string(&mut said).unwrap();
        assert!(
            said.contains(r#""id":2"#) && said.contains("CANCELLED"),
            "{said}"
        );
    }
}

#[test]
fn a_server_whose_address_is_taken_leaves_no_traces() {
    let folder = folder();
    let (_server, address) = Running::serve(&folder, &[]);
    let second = folder.run(["serve", "--listen", &address, "--data", "second"]);
    second.assert(2, "", "cannot listen on");
    assert!(!folder.path("second").exists());
}

#[test]
fn a_source_that_does_not_start_is_told_at_once() {
    let folder = folder().file(
        "config.yaml",
        "sources: [{ files: { paths: [none.yaml] } }]\n",
    );
    let mut server = Running::start(
        &folder,
        &["serve", "config.yaml", "--listen", "127.0.0.1:0"],
    );
    let said = server.line();
    assert!(said.starts_with("0 tools on http://127.0.0.1:"), "{said}");
    assert!(
        said.ends_with(" (1 source does not start: files)\n"),
        "{said}"
    );
}

#[test]
fn data_that_is_a_file_is_told() {
    let folder = folder();
    let ran = folder.run(["serve", "--listen", "127.0.0.1:0", "--data", "tools.yaml"]);
    ran.assert(
        2,
        "",
        "expected tools.yaml to be a folder for data, found a file",
    );
}
