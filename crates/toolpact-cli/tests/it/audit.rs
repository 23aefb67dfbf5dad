//! What a server records, and how it is read: `audit` of the config, `toolpact audit`, `toolpact audit verify`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use crate::run::{Folder, Ran, cleaned, command, repository, run};
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: greet
    description: Greets someone.
    parameters: { type: object, properties: { name: { type: string }, pin: { type: string } } }
    returns: opaque
    run: { command: [sh, -c, 'echo "Hello!"'] }
  - name: fails
    description: Fails.
    parameters: { type: object }
    returns: NumberValue
    run: { command: [sh, -c, 'echo "no such file" >&2; exit 3'] }
"#;

const CONFIG: &str = "
audit: { directory: records, arguments: redacted, redact: [pin], results: whole }
sources:
  - files: { paths: [tools.yaml] }
";

fn folder(config: &str) -> Folder {
    let folder = Folder::new().file("tools.yaml", TOOLS);
    folder.file("toolpact.yaml", config)
}

fn call(server: &Server, tool: &str, args: &Json) -> (bool, Json) {
    server.client().try_call(tool, args).unwrap()
}

fn lines(ran: &Ran) -> Vec<Json> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn calls_of_a_server_are_shown_and_verified() {
    let folder = folder(CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    call(&server, "greet", &json!({"name": "Ada", "pin": "4711"}));
    call(&server, "fails", &json!({}));
    call(&server, "greet", &json!({"name": 1}));
    call(&server, "greets", &json!({}));
    let all = folder.run(["audit"]);
    all.assert(0, "SUCCESS", "");
    all.assert(0, r#"args {"name":"Ada","pin":"[redacted]"}"#, "");
    all.assert(0, "result \"Hello!\"", "");
    all.assert(0, "cause the program ended with status 3", "");
    all.assert(0, "broken value-type", "");
    all.assert(0, "NOT_FOUND_ENDPOINT anonymous    greets", "");
    assert!(!all.stdout.contains("4711"), "{all:#?}");
    assert!(!all.stdout.contains('\u{1b}'), "{all:#?}");
    let shown = |words: &[&str]| lines(&folder.run([&["audit", "--json"], words].concat()));
    let outcomes = |words: &[&str]| -> Vec<String> {
        let calls = shown(words)
            .into_iter()
            .filter(|line| line["event"].is_null());
        calls
            .map(|call| call["outcome"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = [
        "SUCCESS",
        "INTERNAL_ERROR",
        "VALIDATION_FORMAT",
        "NOT_FOUND_ENDPOINT",
    ];
    assert_eq!(outcomes(&[]), all);
    assert_eq!(outcomes(&["records"]), all);
    assert_eq!(outcomes(&["--failed"]), all[1..]);
    assert_eq!(outcomes(&["--tool", "greet"]), [all[0], all[2]]);
    assert_eq!(outcomes(&["--tool", "greet*", "--failed"]), all[2..]);
    assert_eq!(outcomes(&["--principal", "anonymous"]), all);
    assert_eq!(outcomes(&["--principal", "ada"]), [""; 0]);
    assert_eq!(outcomes(&["--since", "1h"]), all);
    assert_eq!(outcomes(&["--since", "2999-01-01"]), [""; 0]);
    assert_eq!(outcomes(&["-n", "1"]), all[3..]);
    folder
        .run(["audit", "verify"])
        .assert(0, "fine: 4 calls in 6 lines of 1 file; line 6 is ", "");
    drop(server);
    folder
        .run(["audit", "verify", "records"])
        .assert(0, "fine: 4 calls", "");
}

#[test]
fn what_was_changed_is_named() {
    let folder = folder(CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    call(&server, "greet", &json!({"name": "Ada"}));
    call(&server, "greet", &json!({"name": "Bob"}));
    drop(server);
    let name = std::fs::read_dir(folder.path("records")).unwrap();
    let name = name.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = name
        .into_iter()
        .find(|name| name.starts_with("audit-"))
        .unwrap();
    let path = folder.path("records").join(&name);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("Ada", "Eve")).unwrap();
    let expected = format!("error: {name}:3: the line was changed, or the one before it\n");
    folder.run(["audit", "verify"]).assert(1, "", &expected);
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("Ada")).collect();
    std::fs::write(&path, kept.join("\n") + "\n").unwrap();
    let expected = format!("error: {name}:3: expected line 3 of the audit, found 4: 1 missing\n");
    folder.run(["audit", "verify"]).assert(1, "", &expected);
}

#[test]
fn where_no_audit_is_that_is_said() {
    let folder = folder("sources: []\n");
    folder
        .run(["audit"])
        .assert(2, "", "the config toolpact.yaml has no `audit`");
    folder
        .run(["audit", "verify", "nowhere"])
        .assert(2, "", "there is nothing at nowhere");
    folder
        .run(["audit", "--since", "soon"])
        .assert(2, "", "expected a time such as");
    let folder = self::folder(CONFIG);
    folder
        .run(["audit", "verify"])
        .assert(2, "", "cannot read the directory");
}

#[test]
fn a_config_with_mistakes_is_told_so() {
    let check =
        |audit: &str| folder(&format!("audit: {audit}\nsources: []\n")).run(["serve", "--check"]);
    check("{ directory: a }").assert(0, "fine", "");
    check("{}").assert(1, "", "expected the required key `directory`");
    check("{ directory: a, argument: whole }").assert(1, "", "did you mean `arguments`?");
    check("{ directory: a, arguments: some }").assert(1, "", "toolpact.yaml:1:35: ");
    check("{ directory: a, when_full: panic }").assert(1, "", "toolpact.yaml:1:35: ");
    check("{ directory: a, rotate: { bytes: 0 } }").assert(1, "", "toolpact.yaml:1:41: ");
    check("{ directory: a, redact: [pin] }").assert(
        1,
        "",
        "toolpact.yaml:1:32: at /audit/redact: expected fields to redact with `arguments: redacted`",
    );
    check("{ directory: a, redact: [pin], tools: { greet: { results: redacted } } }")
        .assert(0, "fine", "");
    check("{ directory: a, tools: { greet: { redact: [pin] } } }").assert(
        1,
        "",
        "expected fields to redact",
    );
}

#[test]
fn two_servers_do_not_write_to_one_audit() {
    let folder = folder(CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let second = folder.run(["serve", "toolpact.yaml", "--listen", "127.0.0.1:0"]);
    second.assert(2, "", "another server writes its audit to ");
    drop(server);
}

#[test]
fn new_calls_are_followed() {
    let folder = folder(CONFIG);
    let server = Server::start(&folder, &["toolpact.yaml"]);
    let mut follow = folder.command(["audit", "-f", "--tool", "greet"]);
    let mut follow = follow.stdout(Stdio::piped()).spawn().unwrap();
    let mut shown = BufReader::new(follow.stdout.take().unwrap()).lines();
    for name in ["Ada", "Bob"] {
        call(&server, "greet", &json!({"name": name}));
        let line = shown.next().unwrap().unwrap();
        assert!(line.contains(name), "{line}");
    }
    follow.kill().unwrap();
    follow.wait().unwrap();
}

/// Whichever way they come in.
#[test]
fn batches_plans_and_mcp_are_recorded() {
    let config = format!("{CONFIG}  - shop: {{}}\n");
    let folder = folder(&config);
    let server = Server::start(&folder, &["toolpact.yaml", "--data", "data"]);
    server.wait_for_shop();
    let post = |path: &str, body: &Json| {
        let url = format!("{}{path}", server.address());
        let mut curl = cleaned(Command::new("curl"));
        curl.args([
            "-s",
            "-H",
            "Content-Type: application/json",
            "-d",
            &body.to_string(),
            &url,
        ]);
        run(curl)
    };
    post(
        "/v1/batch",
        &json!({"calls": [{"name": "greet", "id": "b1"}, {"name": "nope", "id": "b2"}]}),
    );
    post(
        "/v1/plan",
        &json!({"steps": [{"id": "s1", "tool": "greet", "args": {}}]}),
    );
    post("/v1/tools/greet", &json!({}));
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "greet", "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}},
    });
    let url = format!("{}/mcp", server.address());
    let mut curl = cleaned(Command::new("curl"));
    curl.args([
        "-s",
        "-H",
        "Content-Type: application/json",
        "-H",
        "Accept: application/json, text/event-stream",
    ]);
    curl.args([
        "-H",
        "MCP-Protocol-Version: 2026-07-28",
        "-H",
        "Mcp-Method: tools/call",
        "-H",
        "Mcp-Name: greet",
    ]);
    curl.args(["-d", &message.to_string(), &url]);
    let answer = run(curl);
    assert!(answer.stdout.contains("Hello!"), "{answer:?}");
    let calls = lines(&folder.run(["audit", "--json", "--tool", "greet"]));
    assert_eq!(calls.len(), 4, "{calls:#?}");
    assert_eq!(calls[0]["call_id"], "b1");
    assert_eq!(calls[3]["call_id"], "7");
    let unknown = lines(&folder.run(["audit", "--json", "--tool", "nope"]));
    assert_eq!(unknown[0]["call_id"], "b2");
    folder.run(["audit", "verify"]).assert(0, "fine", "");
}

/// A file that may not grow is a disk that is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_choice() {
    for (choice, refuses) in [("refuse", true), ("continue", false)] {
        let config = CONFIG.replace("directory", &format!("when_full: {choice}, directory"));
        let folder = folder(&config);
        let program = command().get_program().to_owned();
        let mut shell = cleaned(Command::new("sh"));
        // Files of at most 8 blocks of 512 bytes; the signal would end the server.
        shell.args([
            "-c",
            "trap '' XFSZ; ulimit -S -f 8; exec \"$0\" serve toolpact.yaml --listen 127.0.0.1:0",
        ]);
        shell.arg(program).current_dir(folder.path(""));
        let server = Server::run(&folder, shell);
        let name = "x".repeat(200);
        let answers: Vec<_> = (0..12)
            .map(|_| call(&server, "greet", &json!({"name": name})))
            .collect();
        let refused = answers.iter().filter(|(worked, _)| !worked);
        let refused: Vec<&Json> = refused.map(|(_, answer)| answer).collect();
        assert_eq!(!refused.is_empty(), refuses, "{answers:?}");
        if refuses {
            assert!(
                refused
                    .iter()
                    .all(|error| error["code"] == "INTERNAL_AUDIT"),
                "{refused:?}"
            );
            assert_eq!(refused[0]["details"]["call_made"], true);
            assert_eq!(refused[1]["details"]["call_made"], false);
        }
        let mut curl = cleaned(Command::new("curl"));
        curl.args(["-s", &format!("{}/v1/metrics", server.address())]);
        run(curl).assert(0, "toolpact_audit_failing 1", "");
        assert!(
            folder
                .read("stderr.log")
                .contains("the audit cannot be written")
        );
        // There is room again.
        let mut prlimit = Command::new("prlimit");
        prlimit.args(["--fsize=unlimited:", "--pid", &server.id().to_string()]);
        assert!(prlimit.status().unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(1200));
        assert!(call(&server, "greet", &json!({"name": "late"})).0);
        let all = folder.run(["audit", "--json"]);
        let recorded = lines(&all);
        let calls = recorded.iter().filter(|line| line["event"].is_null());
        let lost = recorded.iter().filter_map(|line| line["calls"].as_u64());
        let (calls, lost) = (calls.count(), lost.sum::<u64>());
        assert_eq!(calls as u64 + lost, 13, "{all:#?}");
        folder.run(["audit", "verify"]).assert(0, "fine", "");
    }
}

/// The short form of `scripts/audit-kills`.
#[cfg(target_os = "linux")]
#[test]
fn what_was_answered_is_recorded_whatever_happens() {
    let mut kills = cleaned(Command::new("python3"));
    kills.arg(repository().join("scripts/audit-kills"));
    kills.args(["--kills", "3", "--answers", "20"]);
    kills.args(["--program", env!("CARGO_BIN_EXE_toolpact")]);
    let ran = run(kills);
    ran.assert(0, "3 kills", "");
    // It says something only if there were answers to lose.
    let told = ran
        .stdout
        .lines()
        .find(|line| line.starts_with("before each kill, at least"));
    let words = told.unwrap().split(' ');
    let answered: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
    let is_enough = answered.len() == 2 && answered.iter().all(|calls| *calls >= 20);
    assert!(is_enough, "{}", ran.stdout);
}
