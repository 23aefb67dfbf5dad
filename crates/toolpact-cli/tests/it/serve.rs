//! A server that is started, asked and stopped.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::run::{Folder, Ran};

/// A server that runs, and its address.
struct Server(Child, String);

impl Server {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut command = folder.command(["serve", "--listen", "127.0.0.1:0"]);
        command.args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut first)
            .unwrap();
        let address = first.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(address.starts_with("http://"), "{first}");
        Self(child, address)
    }

    /// Stops it as an operator would.
    fn stop(mut self) -> i32 {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        self.0.wait().unwrap().code().unwrap()
    }
}

#[test]
fn a_first_config_is_served() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "wrote ./toolpact.yaml", "");
    folder.run(["init"]).assert(2, "", "is there already");
    let checked = folder.run(["serve", "--check", "toolpact.yaml"]);
    checked.assert(0, "fine: 1 source", "");
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let ask = |words: &[&str]| -> Ran { folder.run([words, &["--server", &server.1]].concat()) };
    ask(&["tools"]).assert(0, "current_time  StringValue  Tells the time, in UTC.", "");
    ask(&["call", "current_time", "--view", "json"]).assert(0, "20", "");
    ask(&["call", "current_time", "zone=UTC"]).assert(1, "zone", "");
    ask(&["call", "nothing"]).assert(1, "nothing", "");
    assert_eq!(server.stop(), 0);
    folder
        .run(["tools", "--server", "http://127.0.0.1:1"])
        .assert(2, "", "`toolpact serve` starts one");
}

#[test]
fn mistakes_are_told_in_place() {
    let folder = Folder::new().file("wrong.yaml", "sauces: []\n").file(
        "gone.yaml",
        "sources: [{ files: { paths: [nothing.yaml] } }]\n",
    );
    folder
        .run(["serve", "--check", "wrong.yaml"])
        .assert(1, "", "wrong.yaml:1:1:");
    folder
        .run(["serve", "--check", "gone.yaml"])
        .assert(1, "", "nothing.yaml");
}

#[test]
fn tools_of_files_are_called_here() {
    let tools = r#"{"toolpact": 1, "tools": [{"name": "echo", "description": "Says it again.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
        "returns": {"type": "object"}, "run": {"command": ["cat"]}}]}"#;
    let folder = Folder::new().file("tools.json", tools);
    folder
        .run(["tools", "--tools", "tools.json"])
        .assert(0, "echo  Custom   Says it again.", "");
    folder
        .run(["call", "echo", "text=5", "--tools", "tools.json"])
        .assert(0, r#"text: "5""#, "");
    folder
        .run(["call", "echo", "text:=5", "--tools", "tools.json"])
        .assert(1, "text", "");
    folder
        .run([
            "call",
            "echo",
            "--json",
            r#"{"text": "a"}"#,
            "--view",
            "adm",
            "--tools",
            "tools.json",
        ])
        .assert(0, r#""status":"SUCCESS""#, "");
}

#[test]
fn one_client_is_served_on_standard_input_and_output() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "", "");
    let about = r#"{"name": "test", "version": "1"}"#;
    let messages = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-11-25", "capabilities": {{}}, "clientInfo": {about}}}}}
{{"jsonrpc": "2.0", "method": "notifications/initialized"}}
{{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}}
"#
    );
    let command = folder.command(["serve", "toolpact.yaml", "--stdio"]);
    let ran = crate::run::run_with_stdin(command, messages.as_bytes());
    ran.assert(0, r#""name":"current_time""#, "the source is ready");
    for line in ran.stdout.lines() {
        assert!(line.starts_with('{'), "{line}");
    }
}
