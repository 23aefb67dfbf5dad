//! `toolpact approvals`: people decide about calls that a server holds.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::run::{Folder, Ran};
use crate::serve::Server;

const TOOLS: &str = "
toolpact: 1
tools:
  - name: refund
    description: Pays back.
    parameters: { type: object, properties: { amount: { type: integer }, note: { type: string } } }
    returns: opaque
    run: { command: [cat] }
";

const CONFIG: &str = "
identity: { tokens: tokens.json }
audit: { directory: audit }
policy:
  approval: { held: { approvers: { groups: [leads] }, redact: [note] } }
  allow: [{ ask: May this be paid? }]
sources:
  - files: { paths: [tools.yaml] }
";

struct House {
    folder: Folder,
    server: Server,
    tokens: Vec<(&'static str, String)>,
}

impl House {
    fn open() -> Self {
        let folder = Folder::new().file("tools.yaml", TOOLS);
        let folder = folder.file("toolpact.yaml", CONFIG);
        let tokens = [("ada", "staff"), ("bob", "leads")].map(|(name, group)| {
            let ran = folder.run(["token", "add", name, "--group", group]);
            assert_eq!(ran.status, 0, "{ran:#?}");
            (name, ran.stdout.trim().to_owned())
        });
        Self {
            server: Server::start(&folder, &["toolpact.yaml"]),
            folder,
            tokens: tokens.into(),
        }
    }

    fn command(&self, who: &str, words: &[&str]) -> std::process::Command {
        let of_server = [
            "--server",
            self.server.address(),
            "--auth-token-env",
            "TOKEN",
        ];
        let mut command = self.folder.command(words.iter().copied().chain(of_server));
        let token = self.tokens.iter().find(|(name, _)| *name == who);
        command.env("TOKEN", token.map_or("", |(_, token)| token));
        command
    }

    fn run(&self, who: &str, words: &[&str]) -> Ran {
        crate::run::run(self.command(who, words))
    }

    /// Makes a call that is held.
    fn refund(&self, who: &str) -> (Child, String) {
        let words = [
            "call",
            "refund",
            "amount:=5",
            "note=secret",
            "--view",
            "json",
        ];
        let mut command = self.command(who, &words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        (child, self.held())
    }

    /// The call that is held, as soon as there is one.
    fn held(&self) -> String {
        let began = Instant::now();
        loop {
            let ran = self.run("bob", &["approvals", "list", "--json"]);
            if let Ok(held) = serde_json::from_str::<Json>(ran.stdout.trim()) {
                let shown = json!({"amount": 5, "note": "[redacted]"});
                assert_eq!(held["arguments"], shown);
                return held["id"].as_str().unwrap().to_owned();
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{ran:#?}");
        }
    }
}

#[test]
fn a_call_is_listed_and_approved() {
    let house = House::open();
    let (calling, id) = house.refund("ada");
    let ran = house.run("bob", &["approvals", "list"]);
    let head = format!("{id}  refund\n  question   May this be paid?\n  who        ada");
    ran.assert(0, &head, "");
    ran.assert(
        0,
        "\n  arguments  {\"amount\":5,\"note\":\"[redacted]\"}\n",
        "",
    );
    ran.assert(0, "\n  since      20", "");
    ran.assert(0, "\n  until      20", "");
    let reason = ["approvals", "approve", &*id, "--reason", "It is due."];
    house
        .run("bob", &reason)
        .assert(0, "approved: refund\n", "");
    let called = calling.wait_with_output().unwrap();
    assert_eq!(called.status.code(), Some(0), "{called:?}");
    let result: Json = serde_json::from_slice(&called.stdout).unwrap();
    // The program had all of its arguments.
    assert_eq!(result, r#"{"amount":5,"note":"secret"}"#);
    house.run("bob", &["approvals", "approve", &*id]).assert(
        1,
        "",
        &format!(
            "no call `{id}` is held: it was decided, it took too long, or its caller is gone\n"
        ),
    );
    let gone = house.run("bob", &["approvals", "deny", &*id, "--json"]);
    gone.assert(
        1,
        &format!("{{\"id\":\"{id}\",\"outcome\":\"unknown\"}}\n"),
        "",
    );
    let ran = house.run("bob", &["approvals", "list"]);
    ran.assert(0, "", "no call waits for you to decide\n");
    let audit = house.folder.run(["audit"]);
    audit.assert(0, "approval by bob, 20", "");
    audit.assert(0, "Z: It is due.", "");
}

#[test]
fn a_call_is_denied() {
    let house = House::open();
    let (calling, id) = house.refund("ada");
    // Who has no right sees nothing.
    let ran = house.run("ada", &["approvals", "list"]);
    ran.assert(
        2,
        "",
        "the server refused (403 Forbidden): You may not decide about calls.",
    );
    let ran = house.run("ada", &["approvals", "approve", &*id]);
    ran.assert(2, "", "the server refused (403 Forbidden)");
    let words = [
        "approvals",
        "deny",
        &*id,
        "--reason",
        "Not today.",
        "--json",
    ];
    let ran = house.run("bob", &words);
    let denied: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        denied,
        json!({"id": id, "tool": "refund", "outcome": "denied"})
    );
    let called = calling.wait_with_output().unwrap();
    assert_eq!(called.status.code(), Some(1), "{called:?}");
    let said = String::from_utf8(called.stdout).unwrap();
    assert!(said.contains("it was denied: Not today."), "{said}");
}

#[test]
fn calls_are_watched() {
    let house = House::open();
    let words = ["approvals", "list", "--watch", "--json"];
    let mut command = house.command("bob", &words);
    let mut watching = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut calls = Vec::new();
    for _ in 0..2 {
        let (calling, id) = house.refund("ada");
        let line: Json = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["id"], *id);
        house
            .run("bob", &["approvals", "deny", &*id])
            .assert(0, "denied: refund\n", "");
        calls.push(calling);
    }
    watching.kill().unwrap();
    watching.wait().unwrap();
    for call in calls {
        assert_eq!(call.wait_with_output().unwrap().status.code(), Some(1));
    }
}

/// Nobody can reach a server on standard input and output to decide.
#[test]
fn over_stdio_nobody_can_decide() {
    let folder = Folder::new().file("tools.yaml", TOOLS);
    let folder = folder.file("toolpact.yaml", CONFIG);
    assert_eq!(folder.run(["token", "add", "bob"]).status, 0);
    let mut command = folder.command(["serve", "toolpact.yaml", "--stdio"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.stderr(Stdio::null()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let info = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    let call = json!({"name": "refund", "arguments": {"amount": 1}});
    for (id, method, params) in [(1, "initialize", params), (2, "tools/call", call)] {
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{message}").unwrap();
    }
    let began = Instant::now();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut answers = lines.map(|line| serde_json::from_str::<Json>(&line.unwrap()).unwrap());
    let answer = answers.find(|answer| answer["id"] == 2).unwrap();
    let said = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        said.contains("there is nobody who could give it"),
        "{answer}"
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    drop(input);
    server.wait().unwrap();
}
