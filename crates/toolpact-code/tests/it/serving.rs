//! Scripts of agents, as a tool of `toolpact serve`: over REST, over MCP and by `toolpact call`.

#[path = "../../../toolpact-cli/tests/it/boundaries/http.rs"]
mod http;
mod scopes;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use self::http::{Response, get, post};
use crate::bench::WORKER;
use crate::command::program;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: get-ticket
    description: A ticket by its number.
    parameters: { type: object, properties: { number: { type: integer } }, required: [number] }
    returns: { type: object, properties: { from: { type: string } }, required: [from] }
    run: { command: [sh, -c, 'echo >> tickets; echo "{\"from\": \"Ada\"}"'] }
  - name: broken
    description: Gives another thing than it promises.
    parameters: { type: object }
    returns: NumberValue
    run: { command: [echo, '{"no": "number"}'] }
  - name: nap
    description: Sleeps.
    parameters: { type: object }
    returns: { type: integer }
    run: { command: [sh, -c, 'echo $$ > nap.pid; exec sleep 60'] }
"#;

const CONFIG: &str =
    "code: { limits: { calls: 3 } }\nsources:\n  - files: { paths: [tools.yaml] }\n";

struct Place(TempDir);

impl Place {
    fn new(config: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.file("toolpact.yaml", config);
        place.file("tools.yaml", TOOLS);
        place
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap_or_default()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(words)
            .current_dir(self.0.path())
            .env("XDG_DATA_HOME", self.0.path())
            .env("TOOLPACT_CODE", WORKER)
            .env_remove("TOOLPACT_SERVER")
            .stdin(Stdio::null());
        command
    }

    fn serve(&self) -> Server {
        let command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        self.serve_with(command)
    }

    fn serve_with(&self, mut command: Command) -> Server {
        let log = fs::File::create(self.0.path().join("log")).unwrap();
        command.stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.as_mut().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.split(' ').find(|word| word.starts_with("http://"));
        Server(child, address.unwrap().trim().to_owned())
    }
}

/// A server that runs. It is killed when this is dropped, so also when a test panics.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn call(&self, body: &Json) -> Response {
        post(&self.1, "/v1/call", &[], body)
    }

    fn run(&self, script: &str) -> Json {
        let answer = self.call(&json!({"name": "run_code", "args": {"script": script}}));
        answer.json()
    }

    fn description(&self) -> String {
        get(&self.1, "/v1/contracts/run_code").json().to_string()
    }
}

#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_mins(1);
    while !is_so() {
        assert!(Instant::now() < patience, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_script_runs_over_rest() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    let script = "print('two')\n[get_ticket(n)['from'] for n in range(2)]";
    let call = json!({"tool": "get-ticket"});
    let expected = json!({"value": ["Ada", "Ada"], "printed": "two\n", "calls": [call, call]});
    assert_eq!(server.run(script), expected);
    let direct = post(
        &server.1,
        "/v1/tools/run_code",
        &[],
        &json!({"script": "1 + 1"}),
    );
    assert_eq!(direct.json()["value"], 2);
    // Large integers and digits arrive as they are.
    let exact = "[9007199254740993, 0.1]";
    assert_eq!(
        server.run(exact)["value"].to_string(),
        "[9007199254740993,0.1]"
    );
}

/// The declarations are those that scripts are checked against.
#[test]
fn the_description_has_the_declarations_of_all_other_tools() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    let description = server.description();
    for expected in [
        "def get_ticket(number: int) -> GetTicketResponse:",
        "def broken() -> float:",
        "def tool_error(",
        "Limits: 5000 ms of its own, 3 calls",
    ] {
        assert!(
            description.contains(expected),
            "no {expected:?} in {description}"
        );
    }
    assert!(!description.contains("def run_code"), "{description}");
}

#[test]
fn errors_are_typed_and_have_their_place() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    for (script, code, reason, line, said) in [
        (
            "x = 1\nget_ticket('1')",
            "VALIDATION_FORMAT",
            "types",
            2,
            "by the contract of `get-ticket`",
        ),
        ("x = (", "VALIDATION_FORMAT", "syntax", 1, "line 1"),
        // A script cannot run scripts.
        ("run_code('1')", "VALIDATION_FORMAT", "types", 1, "run_code"),
        (
            "x = 1\ny = 1 // (x - 1)",
            "VALIDATION_FORMAT",
            "raised",
            2,
            "ZeroDivisionError",
        ),
        (
            "[get_ticket(n) for n in range(9)]",
            "VALIDATION_BUSINESS_RULE",
            "limit-calls",
            1,
            "3 calls",
        ),
        (
            "broken()",
            "VALIDATION_FORMAT",
            "raised",
            1,
            "INTERNAL_CONTRACT",
        ),
    ] {
        let error = server.run(script);
        assert_eq!(error["code"], code, "{script}: {error}");
        assert_eq!(error["details"]["reason"], reason, "{script}: {error}");
        assert_eq!(error["details"]["line"], line, "{script}: {error}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(said), "{script}: {error}");
    }
    let error = server.run("get_ticket('1')");
    let finding = &error["details"]["findings"][0];
    assert_eq!(
        (&finding["line"], &finding["rule"]),
        (&json!(1), &json!("invalid-argument-type"))
    );
    // Three calls were made by the script that made too many, and none by those that were refused.
    assert_eq!(place.read("tickets").lines().count(), 3);
    let error = server.run("print('before')\nbroken()");
    assert_eq!(
        error["details"]["tool_error"]["code"], "INTERNAL_CONTRACT",
        "{error}"
    );
    assert_eq!(error["details"]["printed"], "before\n", "{error}");
    let call = json!([{"tool": "broken", "error": "INTERNAL_CONTRACT"}]);
    assert_eq!(error["details"]["calls"], call, "{error}");
}

/// The timeout of the call ends the script and what it called.
#[test]
fn a_deadline_ends_the_script_and_its_calls() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    let started = Instant::now();
    // The first script starts a worker, which takes longer than this.
    server.run("1");
    let error =
        server.call(&json!({"name": "run_code", "args": {"script": "nap()"}, "timeout_ms": 1500}));
    assert_eq!(error.json()["code"], "INTERNAL_TIMEOUT", "{}", error.body);
    assert!(started.elapsed() < Duration::from_secs(50));
    let pid = place.read("nap.pid").trim().to_owned();
    assert!(!pid.is_empty());
    until("the program is killed", || {
        !fs::exists(format!("/proc/{pid}")).unwrap_or_default()
    });
    assert_eq!(server.run("1")["value"], 1);
}

#[test]
fn a_script_runs_over_mcp() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    let ask = |session: Option<&str>, body: &Json| {
        let mut headers = vec![("accept", "application/json, text/event-stream")];
        headers.extend(session.map(|session| ("mcp-session-id", session)));
        post(&server.1, "/mcp", &headers, body)
    };
    let hello = ask(None, &initialize());
    let session = hello.header("mcp-session-id").map(str::to_owned);
    let session = session.as_deref();
    ask(
        session,
        &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    );
    let list = ask(
        session,
        &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    );
    assert!(
        list.body.contains("def get_ticket(number: int)"),
        "{}",
        list.body
    );
    let answer = ask(session, &tools_call(3, "get_ticket(1)"));
    let messages: Vec<Json> = { answer.body.lines() }
        .map(|line| line.trim_start_matches("data: "))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let progress = messages
        .iter()
        .find(|one| one["method"] == "notifications/progress");
    let progress = progress.unwrap_or_else(|| panic!("{}", answer.body));
    assert_eq!(progress["params"]["message"], "call 1: get-ticket");
    let result = &messages.last().unwrap()["result"];
    assert_eq!(
        result["structuredContent"]["value"],
        json!({"from": "Ada"}),
        "{result}"
    );
    let wrong = ask(session, &tools_call(4, "get_ticket()"));
    assert!(wrong.body.contains(r#""isError":true"#), "{}", wrong.body);
    assert!(wrong.body.contains("line 1, column"), "{}", wrong.body);
}

#[test]
fn a_client_over_standard_input_can_cancel_a_script() {
    let place = Place::new(CONFIG);
    let mut command = place.command(&["serve", "--stdio"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let _server = Server(child, String::new());
    let mut send = |message: Json| writeln!(input, "{message}").unwrap();
    send(initialize());
    send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    send(tools_call(2, "get_ticket(1)['from']"));
    let mut answer = |id: u32| loop {
        let line = output.next().unwrap().unwrap();
        let message: Json = serde_json::from_str(&line).unwrap();
        if message["id"] == id {
            return message;
        }
    };
    assert_eq!(answer(2)["result"]["structuredContent"]["value"], "Ada");
    send(tools_call(3, "nap()"));
    until("the script calls its tool", || {
        !place.read("nap.pid").trim().is_empty()
    });
    send(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}),
    );
    let pid = place.read("nap.pid").trim().to_owned();
    until("the program is killed", || {
        !fs::exists(format!("/proc/{pid}")).unwrap_or_default()
    });
    send(tools_call(4, "'still there'"));
    assert_eq!(
        answer(4)["result"]["structuredContent"]["value"],
        "still there"
    );
}

#[test]
fn the_tool_follows_the_tools() {
    let place = Place::new(CONFIG);
    let server = place.serve();
    let more = TOOLS
        .replace("name: broken", "name: mended")
        .replace("'{\"no\": \"number\"}'", "'5'");
    place.file("tools.yaml", &more);
    until("the description follows", || {
        server.description().contains("def mended() -> float:")
    });
    assert!(!server.description().contains("def broken"));
    assert_eq!(server.run("mended()")["value"], 5.0);
    // The same contract, and another program.
    place.file("tools.yaml", &more.replace("Ada", "Bo"));
    until("scripts call what is served", || {
        server.run("get_ticket(1)['from']")["value"] == "Bo"
    });
}

#[test]
fn long_declarations_are_looked_up() {
    let place = Place::new(
        "code: { name: script, declarations_chars: 100 }\nsources:\n  - files: { paths: [tools.yaml] }\n",
    );
    let server = place.serve();
    let contract = get(&server.1, "/v1/contracts/script").json().to_string();
    assert!(
        contract.contains("`script_declarations`: get_ticket, broken, nap."),
        "{contract}"
    );
    assert!(!contract.contains("def get_ticket"), "{contract}");
    let look_up = |tools: Json| {
        let args = json!({"tools": tools});
        server
            .call(&json!({"name": "script_declarations", "args": args}))
            .body
    };
    let found = look_up(json!(["get-ticket"]));
    assert!(
        found.contains("def get_ticket(number: int) -> GetTicketResponse:"),
        "{found}"
    );
    assert!(!found.contains("def broken"), "{found}");
    let unknown = look_up(json!(["get_tickt"]));
    assert!(unknown.contains("Did you mean `get_ticket`?"), "{unknown}");
    let run = json!({"name": "script", "args": {"script": "script_declarations(['nap'])"}});
    assert_eq!(server.call(&run).json()["details"]["reason"], "types");
}

#[test]
fn without_the_worker_the_other_tools_are_served() {
    let place = Place::new(CONFIG);
    let command = |words: &[&str]| {
        let mut command = place.command(words);
        command.env("TOOLPACT_CODE", place.0.path().join("nowhere"));
        command
    };
    let checked = command(&["serve", "--check"]).output().unwrap();
    let said = String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap();
    assert_eq!(checked.status.code(), Some(1), "{said}");
    for expected in [
        "the tool `run_code`",
        "nowhere",
        "cargo build --release -p toolpact-code",
    ] {
        assert!(said.contains(expected), "no {expected:?} in {said}");
    }
    let server = place.serve_with(command(&["serve", "--listen", "127.0.0.1:0"]));
    let health = get(&server.1, "/v1/health").json();
    assert_eq!(health["status"], "degraded", "{health}");
    let code = &health["sources"][1];
    let expected = json!({"source": "code", "state": "failing", "tools": 0, "left_out": 1,
        "why": "the program that runs scripts is not there"});
    assert_eq!(code, &expected);
    assert_eq!(server.run("1")["code"], "NOT_FOUND_ENDPOINT");
    let ticket = server
        .call(&json!({"name": "get-ticket", "args": {"number": 1}}))
        .json();
    assert_eq!(ticket["from"], "Ada");
    // It comes when the worker does.
    fs::copy(WORKER, place.0.path().join("nowhere")).unwrap();
    until("the tool is served", || server.run("1")["value"] == 1);
    assert_eq!(get(&server.1, "/v1/health").json()["status"], "ok");
}

#[test]
fn a_config_that_is_wrong_is_told_what_was_meant() {
    for (config, expected) in [
        ("cod: {}\n", "did you mean `code`?"),
        ("code: { nam: x }\n", "did you mean `name`?"),
        (
            "code: { limits: { tme_ms: 5 } }\n",
            "did you mean `time_ms`?",
        ),
        (
            "code: { limits: { memory: 0 } }\n",
            "expected at least 1, found 0",
        ),
        (
            "code: { limits: { recursion: 5000 } }\n",
            "expected at most 2000, found 5000",
        ),
        ("code: { name: two words }\n", "1:15: "),
    ] {
        let place = Place::new(config);
        let checked = place.command(&["serve", "--check"]).output().unwrap();
        let said = String::from_utf8(checked.stderr).unwrap();
        assert_eq!(checked.status.code(), Some(1), "{config}: {said}");
        assert!(said.contains(expected), "{config}: {said}");
    }
}

fn initialize() -> Json {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
}

fn tools_call(id: u32, script: &str) -> Json {
    let params = json!({"name": "run_code", "arguments": {"script": script},
        "_meta": {"progressToken": "p"}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}
