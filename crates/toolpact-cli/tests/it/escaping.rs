//! Text of strangers, in the log and on a terminal: it is shown, and tells neither what to do.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::boundaries::http::post;
use crate::run::{Folder, Ran, cleaned};
use crate::serve::Server;

/// A line of a log that nobody logged, a colour in the two ways there are, and text that runs backwards.
const EVIL: &str = r"bad\n2026-01-01T00:00:00Z  INFO all is well\r\u001b[31mred \u009b32mgreen \u202etxt \u2028end";

/// What it must not become.
const COMMANDS: [char; 6] = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{2028}', '\r', '\u{7}'];

/// An MCP server whose calls all fail, in these words.
const SERVER: &str = r#"
import sys, json
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        about = {"name": "evil", "version": "1"}
        version = message["params"]["protocolVersion"]
        answer["result"] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    elif message["method"] == "tools/list":
        tool = {"name": "evil", "description": "EVIL", "inputSchema": {"type": "object"}}
        answer["result"] = {"tools": [tool]}
    else:
        answer["error"] = {"code": -32000, "message": "EVIL"}
    print(json.dumps(answer), flush=True)
"#;

/// A config whose only source is that server.
fn folder() -> Folder {
    let config = "sources: [{ mcp: { name: evil, command: [python3, evil.py] } }]\n";
    Folder::new()
        .file("toolpact.yaml", config)
        .file("evil.py", SERVER.replace("EVIL", EVIL))
}

#[track_caller]
fn has_no_commands(text: &str) {
    for command in COMMANDS {
        assert!(!text.contains(command), "{command:?} in {text:?}");
    }
}

#[track_caller]
fn obeys_nobody(text: &str) {
    has_no_commands(text);
    let forged = text.lines().any(|line| line.ends_with("INFO all is well"));
    assert!(!forged, "{text}");
}

#[test]
fn an_upstream_cannot_forge_lines_of_the_log() {
    let folder = folder();
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let answer = post(
        server.address(),
        "/v1/call",
        &[],
        &json!({"name": "evil__evil"}),
    );
    assert!(answer.body.contains("all is well"), "{}", answer.body);
    let log = folder.read("stderr.log");
    obeys_nobody(&log);
    assert!(
        log.contains(r"\u{1b}[31mred \u{9b}32mgreen \u{202e}txt \u{2028}end"),
        "{log}"
    );
}

/// The program on a terminal of its own.
fn on_a_terminal(folder: &Folder, words: &str) -> Ran {
    let line = format!("{} {words}", env!("CARGO_BIN_EXE_toolpact"));
    let mut command = cleaned(Command::new("script"));
    command
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null());
    command.current_dir(folder.path("."));
    let mut ran = Ran::of(command.output().unwrap());
    // What a terminal makes of the end of a line.
    ran.stdout = ran.stdout.replace("\r\n", "\n");
    ran
}

/// Whatever a tool says of itself, and whatever it answers.
#[test]
fn a_terminal_is_told_nothing_by_strangers() {
    let tools = format!(
        r#"{{"toolpact": 1, "tools": [{{
            "name": "evil", "description": "Is {EVIL}", "returns": "StringValue",
            "parameters": {{"type": "object", "properties": {{"{EVIL}": {{"type": "string", "description": "{EVIL}"}}}}}},
            "run": {{"command": ["sh", "answer.sh"]}}}}]}}"#
    );
    let answer = format!("printf '%s' '{{\"value\": \"{EVIL}\"}}'\n");
    let folder = folder()
        .file("tools.json", tools)
        .file("answer.sh", answer)
        .file(
            "calls.jsonl",
            format!(r#"{{"name": "evil", "args": {{"x{EVIL}": 1}}}}"#),
        );
    for words in [
        "tools --tools tools.json",
        "tools evil --tools tools.json",
        "tools evil --json --tools tools.json",
        "call evil --tools tools.json",
        "call evil --view adm --tools tools.json",
        "call evil__evil --config toolpact.yaml",
        "validate --tools tools.json --calls calls.jsonl",
        "digest --canonical tools.json",
        "docs tools.json",
        "check tools.json",
    ] {
        let ran = on_a_terminal(&folder, &format!("--color never {words}"));
        assert!(!ran.stdout.is_empty(), "{words}: {ran:?}");
        assert!(!ran.stdout.contains("try '"), "{words}: {ran:?}");
        obeys_nobody(&ran.stdout);
    }
    // In a docstring, a description may have several lines.
    let ran = on_a_terminal(&folder, "--color never stubs --lang python tools.json");
    assert!(ran.stdout.contains("def evil("), "{ran:?}");
    has_no_commands(&ran.stdout);
}

/// What programs read is what the tool said.
#[test]
fn json_stays_exact() {
    let folder = folder().file(
        "tools.json",
        format!(
            r#"{{"toolpact": 1, "tools": [{{"name": "evil", "description": "{EVIL}",
            "parameters": {{"type": "object"}}, "returns": "StringValue"}}]}}"#
        ),
    );
    let ran = folder.run(["tools", "evil", "--json", "--tools", "tools.json"]);
    let said: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let meant: serde_json::Value = serde_json::from_str(&format!("\"{EVIL}\"")).unwrap();
    assert_eq!(said["description"], meant, "{ran:?}");
}
