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
fn until(mut what: impl FnMut() -> bool) {
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
    try_to_ask(address, body).unwrap()
}

fn try_to_ask(address: &str, body: &str) -> std::io::Result<TcpStream> {
    let mut stream = connect(address)?;
    let length = body.len();
    let head = format!("POST /v1/call HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}");
    // In one piece: a server that refuses it may close before it has all of several.
    let request = format!("{head}\r\nconnection: close\r\n\r\n{body}");
    stream.write_all(request.as_bytes())?;
    Ok(stream)
}

/// A server that accepts no connections is not waited for: the kernel tries for minutes.
fn connect(address: &str) -> std::io::Result<TcpStream> {
    let address = address.parse().map_err(std::io::Error::other)?;
    TcpStream::connect_timeout(&address, Duration::from_secs(2))
}

/// Whether the server answers within two seconds.
fn is_healthy(address: &str) -> bool {
    let Ok(mut stream) = connect(address) else {
        return false;
    };
    stream
        .set_read_timeout(Some(Duration::from_secs(2)))
        .unwrap();
    let request = format!("GET /v1/health HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).is_ok() && stream.read(&mut [0]).is_ok_and(|read| read > 0)
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

/// A client that has asked for more than a pipe and the server itself take, and reads nothing.
fn unread_client(folder: &Folder) -> Running {
    let arguments = ["serve", "config.yaml", "--stdio", "--limit", "drain_ms=300"];
    let mut server = Running::start(folder, &arguments);
    let mut stdin = server.0.stdin.take().unwrap();
    let about = r#"{"name": "test", "version": "1"}"#;
    let begin = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-11-25", "capabilities": {{}}, "clientInfo": {about}}}}}"#
    );
    writeln!(stdin, "{begin}").unwrap();
    assert!(server.line().contains("serverInfo"));
    let list = r#"{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}"#;
    writeln!(stdin, "{list}").unwrap();
    let answer = server.line().len();
    // What the pipe and the server take, and some more, which stay in the other pipe.
    for _ in 0..((64 << 10) + (1 << 20)) / answer + 600 {
        writeln!(stdin, "{list}").unwrap();
    }
    server.0.stdin = Some(stdin);
    std::thread::sleep(Duration::from_millis(500));
    server
}

#[test]
fn a_client_that_does_not_read_does_not_keep_a_server_from_ending() {
    for signal in ["TERM", "INT", "HUP", "QUIT"] {
        let folder = folder();
        let mut server = unread_client(&folder);
        server.signal(signal);
        assert_eq!(server.ends_within(LONG), Some(0), "{signal}");
    }
}

#[test]
fn a_client_that_does_not_read_and_is_gone_is_not_waited_for() {
    let folder = folder();
    let mut server = unread_client(&folder);
    drop(server.0.stdin.take());
    assert_eq!(server.ends_within(LONG), Some(0));
}

#[test]
fn a_server_whose_output_is_closed_ends_although_its_input_is_open() {
    let folder = folder();
    let mut server = client(&folder);
    let pid = napping(&folder);
    assert!(server.line().contains("serverInfo"));
    drop(server.0.stdout.take());
    assert_eq!(server.ends_within(LONG), Some(0));
    until(|| !is_there(&pid));
}

/// A terminal that nobody reads, which blocks whoever writes to it.
const TERMINAL: &str = r#"
import json, os, pty, signal, subprocess, sys, time
ours, theirs = pty.openpty()
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=theirs)
about = {"name": "test", "version": "1"}
params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
messages = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}]
messages += [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}] * 1000
server.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
server.stdin.flush()
time.sleep(1)
server.send_signal(signal.SIGTERM)
try:
    print(server.wait(15))
except subprocess.TimeoutExpired:
    print("it still runs")
    server.kill()
"#;

#[test]
fn a_terminal_that_blocks_does_not_keep_a_server_from_ending() {
    let folder = folder();
    let mut python = Command::new("python3");
    python.args(["-c", TERMINAL, env!("CARGO_BIN_EXE_toolpact")]);
    python.args(["serve", "config.yaml", "--stdio", "--limit", "drain_ms=300"]);
    let ran = python.current_dir(folder.path(".")).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "0\n");
}

/// Neither the log nor the answers are read: no thread of the server gets anywhere.
#[test]
fn a_log_that_is_not_read_does_not_keep_a_server_from_ending() {
    let folder = folder().file("tools.yaml", TOOLS.replace("exec sleep 120", "exit 1"));
    let serve = [
        "serve",
        "config.yaml",
        "--verbose",
        "--listen",
        "127.0.0.1:0",
        "--limit",
        "drain_ms=300",
    ];
    let mut command = folder.command(serve);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = Running(command.spawn().unwrap());
    let address = server.line();
    let address = address
        .trim_end()
        .rsplit("http://")
        .next()
        .unwrap()
        .to_owned();
    // Each is logged, until the pipe is full. Then nobody accepts connections.
    let mut asked: Vec<TcpStream> = Vec::new();
    until(|| {
        asked.extend((0..100).map_while(|_| try_to_ask(&address, NAP).ok()));
        !is_healthy(&address)
    });
    server.signal("TERM");
    let ended = server.ends_within(2 * LONG);
    assert!(matches!(ended, Some(0 | 143)), "{ended:?}");
    drop(asked);
}

/// The tool's program, and one that has left its group for a session of its own.
const ESCAPING: &str =
    "setsid sh -c \"echo \\$\\$ > new2; mv new2 pid2; exec sleep 120\" & exec sleep 120";

fn escaping_folder() -> Folder {
    folder().file("tools.yaml", TOOLS.replace("exec sleep 120", ESCAPING))
}

#[track_caller]
fn both_napping(folder: &Folder) -> [String; 2] {
    let pid = napping(folder);
    until(|| folder.path("pid2").exists());
    [pid, folder.read("pid2").trim().to_owned()]
}

#[test]
fn a_server_that_is_hung_up_on_or_killed_leaves_nobody_behind() {
    for signal in ["HUP", "QUIT", "KILL", "TERM"] {
        let folder = escaping_folder();
        let (mut server, address) = Running::serve(&folder, &["--limit", "drain_ms=300"]);
        let _asked = ask(&address, NAP);
        let pids = both_napping(&folder);
        server.signal(signal);
        let ended = server.ends_within(LONG);
        assert_eq!(ended.is_some(), signal != "KILL", "{signal}: {ended:?}");
        for pid in pids {
            until(|| !is_there(&pid));
        }
    }
}

/// Whoever leaves the group of its program ends with a call that is cut.
#[test]
fn a_call_that_timed_out_ends_those_that_left_its_group() {
    let folder = escaping_folder();
    let (_server, address) = Running::serve(&folder, &[]);
    let asked = ask(&address, r#"{"name": "nap", "timeout_ms": 1500}"#);
    let pids = both_napping(&folder);
    assert!(answer(asked).contains("TIMEOUT"));
    for pid in pids {
        until(|| !is_there(&pid));
    }
}

/// Who is started with `nohup` goes on.
#[test]
fn a_server_that_ignores_hang_ups_goes_on() {
    let folder = folder();
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_toolpact"));
    command.args(["serve", "config.yaml", "--listen", "127.0.0.1:0"]);
    command.current_dir(folder.path(".")).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = Running(command.spawn().unwrap());
    assert!(server.line().contains("http://"));
    server.signal("HUP");
    std::thread::sleep(Duration::from_secs(1));
    assert!(server.0.try_wait().unwrap().is_none());
    server.signal("TERM");
    assert_eq!(server.ends_within(LONG), Some(0));
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
