//! `tools` and `call` with servers that speak MCP and nothing else.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use crate::run::Folder;
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: greet
    description: Greets someone.
    parameters: { type: object, properties: { name: { type: string } }, required: [name] }
    returns: opaque
    run: { command: [sh, -c, 'echo "Hello, $(cat)"'] }
"#;

/// Our own server over stdio, as any client meets it.
#[test]
fn a_program_that_speaks_mcp() {
    let folder = Folder::new().file("tools.yaml", TOOLS).file(
        "with spaces.yaml",
        "sources:\n  - files: { paths: [tools.yaml] }\n",
    );
    let program = env!("CARGO_BIN_EXE_toolpact");
    let command = format!("'{program}' serve --stdio 'with spaces.yaml'");
    let run = |words: &[&str]| folder.run([words, &["--command", &command]].concat());
    run(&["tools"]).assert(0, "greet", "");
    run(&["tools", "greet"]).assert(0, "with spaces.yaml", "");
    run(&["call", "greet", "name=Ada"]).assert(0, r#"Hello, {"name":"Ada"}"#, "");
    run(&["call", "greet"]).assert(1, "name", "");
    run(&["call", "greets", "name=Ada"]).assert(1, "Did you mean `greet`", "");
}

#[test]
fn a_program_that_does_not() {
    let folder = Folder::new();
    let run = |command| folder.run(["tools", "--command", command]);
    run("true").assert(2, "", "true");
    run("no-such-program-anywhere").assert(2, "", "does not start");
    run("").assert(2, "", "expected a program after --command");
    run("a 'b").assert(2, "", "expected another '");
    let both = [
        "tools",
        "--command",
        "true",
        "--server",
        "http://127.0.0.1:1",
    ];
    folder.run(both).assert(2, "", "cannot be used with");
}

/// The error says what was tried.
#[test]
fn a_server_that_speaks_neither() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let answer =
                "HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\nwhat?";
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    for words in [&["tools"][..], &["call", "greet"]] {
        let ran = Folder::new().run([words, &["--server", &address]].concat());
        ran.assert(
            2,
            "",
            "is no toolpact server: GET /v1/health is answered 404",
        );
        ran.assert(2, "", &format!("and no MCP server at {address}/mcp: "));
        ran.assert(2, "", &format!("and no MCP server at {address}/: "));
    }
}

/// What a server has can be compared with the file it is from, under whatever name.
#[test]
fn digests_of_a_server_are_those_of_its_files() {
    let config = "sources: [{ files: { name: books, paths: [tools.yaml] } }]\n";
    let folder = crate::first_steps::folder().file("toolpact.yaml", config);
    let of_file = folder.run(["digest", "tools.yaml"]);
    of_file.assert(0, "  tools.yaml#echo\n", "");
    let server = Server::start(&folder, &[]);
    let of_server = folder.run(["tools", "--digests", "--server", server.address()]);
    let expected = of_file.stdout.replace("tools.yaml#", "books__");
    of_server.assert(0, &expected, "");
    let of_tools = folder.run(["tools", "--digests", "--tools", "tools.yaml"]);
    of_tools.assert(0, &of_file.stdout.replace("tools.yaml#", ""), "");
}
