//! What those see who call a tool of their own: why it failed, which models are not told.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::run::{Folder, Ran};
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: fails
    description: Fails.
    parameters: { type: object }
    returns: NumberValue
    run: { command: [sh, -c, 'echo first >&2; echo "no such file: secrets.db" >&2; exit 3'] }
  - name: silent
    description: Fails without a word.
    parameters: { type: object }
    returns: NumberValue
    run: { command: [sh, -c, 'kill -9 $$'] }
  - name: incomplete
    description: Gives less than it promises.
    parameters: { type: object }
    returns: { type: object, properties: { id: {}, price: { type: number } }, required: [id, price] }
    run: { command: [echo, '{"name": "s3cret"}'] }
  - name: trace
    description: Prints a stack trace.
    parameters: { type: object }
    returns: { type: object }
    run: { command: [echo, 'Traceback (most recent call last)'] }
  - name: missing
    description: Is not there.
    parameters: { type: object }
    returns: { type: object }
    run: { command: [no-such-program-anywhere] }
  - name: works
    description: Works.
    parameters: { type: object }
    returns: ListResult
    run: { command: [sh, -c, 'echo working >&2; echo "[]"'] }
"#;

fn folder() -> Folder {
    Folder::new().file("tools.yaml", TOOLS)
}

fn call(words: &[&str]) -> Ran {
    folder().run([&["call"], words, &["--tools", "tools.yaml"]].concat())
}

#[test]
fn a_program_that_fails_is_explained() {
    let ran = call(&["fails"]);
    ran.assert(
        1,
        "The tool failed.",
        "note: the program ended with status 3\n",
    );
    ran.assert(1, "", "note:   first\nnote:   no such file: secrets.db\n");
    assert!(!ran.stdout.contains("secrets"), "{ran:#?}");
    call(&["silent"]).assert(1, "The tool failed.", "ended by signal 9");
    call(&["missing"]).assert(1, "", "there is no program `no-such-program-anywhere`");
}

#[test]
fn a_broken_contract_names_the_keys() {
    let ran = call(&["incomplete"]);
    ran.assert(
        1,
        "value-missing-key; value-missing-key",
        "note: value-missing-key: expected the required key `id`, found none\n",
    );
    ran.assert(1, "", "expected the required key `price`");
    let ran = call(&["trace"]);
    let found = "found the text `Traceback (most recent call last)`";
    ran.assert(1, "text that is no JSON", found);
    assert!(!ran.stdout.contains("Traceback"), "{ran:#?}");
}

#[test]
fn what_works_is_silent_unless_asked() {
    let ran = call(&["works", "--view", "json"]);
    ran.assert(0, r#"{"success":true,"data":[]}"#, "");
    assert_eq!(ran.stderr, "");
    let ran = call(&["works", "--verbose"]);
    ran.assert(0, "", "working");
    ran.assert(0, "", "a call succeeded");
}

/// Its operators have the log; who calls it gets what the server says.
#[test]
fn a_server_tells_its_log_only() {
    let config = "sources:\n  - files: { paths: [tools.yaml] }\n";
    let folder = folder().file("serve.yaml", config);
    let server = Server::start(&folder, &["serve.yaml"]);
    let call = |name| folder.run(["call", name, "--server", server.address(), "--verbose"]);
    let ran = call("fails");
    ran.assert(1, "The tool failed.", "");
    assert!(!ran.stderr.contains("status 3"), "{ran:#?}");
    call("works").assert(0, "", "");
    call("trace").assert(1, "", "");
    let log = folder.read("stderr.log");
    for line in [
        "the program ended with status 3",
        "a call succeeded",
        "found the text `Traceback (most recent call last)`",
    ] {
        assert!(log.contains(line), "no {line:?} in {log}");
    }
}

/// Who runs the server has to learn that a source fails, and where.
#[test]
fn a_source_that_answers_500_is_in_the_log() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 500 Internal Server Error\r\nconnection: close";
            let _ = write!(stream, "{head}\r\ncontent-length: 6\r\n\r\ns3cret");
        }
    });
    let http = format!("{{ http: {{ url: 'http://{address}/orders', query: [key] }} }}");
    let config =
        format!("sources:\n  - files: {{ paths: [ask.yaml], tools: {{ ask: {http} }} }}\n");
    let tool = "toolpact: 1\ntools:\n  - name: ask\n    description: Asks.\n    parameters: { type: object }\n    returns: { type: object }\n";
    let folder = Folder::new()
        .file("ask.yaml", tool)
        .file("serve.yaml", config);
    let server = Server::start(&folder, &["serve.yaml"]);
    let ran = folder.run(["call", "ask", "key=k3y", "--server", server.address()]);
    ran.assert(1, "The server behind this tool failed.", "");
    let log = folder.read("stderr.log");
    assert!(
        log.contains(&format!("{address}/orders answered 500")),
        "{log}"
    );
    assert!(!log.contains("s3cret") && !log.contains("k3y"), "{log}");
}
