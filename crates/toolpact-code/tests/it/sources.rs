//! `toolpact run` with tools from everywhere: a config with programs, HTTP calls and MCP servers, a server
//! that runs, a program that is one.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::bench::WORKER;
use crate::command::program;

const DESK: &str = r#"
toolpact: 1
tools:
  - name: get-ticket
    description: A ticket by its number.
    parameters: { type: object, properties: { number: { type: integer } }, required: [number] }
    returns: ObjectResult
    run: { command: [echo, '{"success": true, "data": {"from": "Ada"}, "metadata": {"request_id": "r1"}}'] }
  - name: broken
    description: Gives another thing than it promises.
    parameters: { type: object }
    returns: NumberValue
    run: { command: [echo, '{"no": "number"}'] }
"#;

const PRICES: &str = "
toolpact: 1
tools:
  - name: get_price
    description: The price of a thing.
    parameters: { type: object, properties: { thing: { type: string } }, required: [thing] }
    returns: { type: object, properties: { price: { type: number } }, required: [price] }
";

const FRIENDS: &str = r#"
toolpact: 1
tools:
  - name: friends
    description: The friends of someone.
    parameters: { type: object, properties: { name: { type: string } }, required: [name] }
    returns: ListResult
    run: { command: [echo, '[{"name": "Bo"}, {"name": "Cy"}]'] }
"#;

/// It uses what only contracts know: the parts of an ObjectResult and of a ListResult.
const SCRIPT: &str = r#"ticket = desk__get_ticket(3)
request = desk__get_ticket_result(3)["metadata"]["request_id"]
friends = [one["name"] for one in people__friends(ticket["from"])["data"]]
try:
    desk__broken()
    code = ""
except ToolError as error:
    code = tool_error(error)["code"]
[request, friends, get_price("lamp")["price"], code]
"#;

const VALUE: &str = r#""r1", ["Bo", "Cy"], 4.5, "INTERNAL_CONTRACT""#;

/// A folder with a config of all kinds of sources, and scripts.
struct Place(TempDir);

struct Ran {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let friends = place.0.path().join("friends.yaml");
        let config = format!(
            "sources:\n  - files: {{ name: desk, paths: [desk.yaml] }}\n  - files:\n      paths: [prices.yaml]\n      \
             tools: {{ get_price: {{ http: {{ method: GET, url: \"http://{}/{{thing}}\" }} }} }}\n  - mcp: {{ name: \
             people, command: ['{}', serve, --stdio, '{}'] }}\n",
            prices(),
            program().display(),
            friends.display(),
        );
        place.file("toolpact.yaml", &config);
        place.file("desk.yaml", DESK);
        place.file("prices.yaml", PRICES);
        place.file("friends.yaml", FRIENDS);
        place.file("script.py", SCRIPT);
        fs::create_dir(place.0.path().join("elsewhere")).unwrap();
        place
    }

    fn file(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn command(&self, folder: &str, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(words)
            .current_dir(self.0.path().join(folder))
            .env("XDG_DATA_HOME", self.0.path())
            .env("TOOLPACT_CODE", WORKER)
            .env("TOOLPACT_KEY", "a key for these tests")
            .env_remove("TOOLPACT_SERVER")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, folder: &str, words: &[&str]) -> Ran {
        Ran::of(self.command(folder, words))
    }

    fn serve(&self, words: &[&str]) -> Server {
        let mut command = self.command("", &["serve", "--listen", "127.0.0.1:0"]);
        command.args(words).env("DESK_TOKEN", "s3cret");
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.as_mut().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.split(' ').find(|word| word.starts_with("http://"));
        Server(child, address.unwrap().trim().to_owned())
    }
}

impl Ran {
    fn of(mut command: Command) -> Self {
        let output = command.output().unwrap();
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    fn assert(&self, status: i32, stdout: &str, stderr: &str) {
        let said = format!("{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.status, Some(status), "{said}");
        // On one line, however it is written for people.
        let value: Vec<&str> = self.stdout.split_whitespace().collect();
        assert!(value.join(" ").contains(stdout), "no {stdout:?} in {said}");
        assert!(self.stderr.contains(stderr), "no {stderr:?} in {said}");
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

/// An API over HTTP, and its address.
fn prices() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let answer = format!("{head}content-length: 14\r\n\r\n{{\"price\": 4.5}}");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

#[test]
fn the_config_of_the_working_directory_has_the_tools() {
    let place = Place::new();
    let ran = place.run("", &["run", "script.py"]);
    ran.assert(0, VALUE, "using the config toolpact.yaml\n");
    let ran = place.run("", &["run", "script.py", "--check-only"]);
    ran.assert(0, "ok: the script keeps to the contracts", "");
}

#[test]
fn a_config_that_is_named_has_the_tools() {
    let place = Place::new();
    let words = ["run", "../script.py", "--config", "../toolpact.yaml"];
    let ran = place.run("elsewhere", &words);
    ran.assert(0, VALUE, "");
    assert_eq!(ran.stderr, "");
    // As with `serve`, its folder is enough, or a document with tools.
    place.file("one.py", "get_ticket(3)[\"from\"]");
    let ran = place.run("", &["run", "one.py", "--config", "desk.yaml"]);
    ran.assert(0, "Ada", "");
    let words = ["run", "../script.py", "--config", ".."];
    place.run("elsewhere", &words).assert(0, VALUE, "");
}

#[test]
fn a_server_that_runs_has_the_tools() {
    let place = Place::new();
    let server = place.serve(&[]);
    let words = ["run", "../script.py", "--server", &server.1];
    place.run("elsewhere", &words).assert(0, VALUE, "");
    // Without `http://`, and by the address of its MCP.
    let words = ["run", "../script.py", "--server", &server.1[7..]];
    place.run("elsewhere", &words).assert(0, VALUE, "");
    let mcp = format!("{}/mcp", server.1);
    let words = ["run", "../script.py", "--server", &mcp];
    place.run("elsewhere", &words).assert(0, VALUE, "");
    let mut command = place.command("elsewhere", &["run", "../script.py"]);
    command.env("TOOLPACT_SERVER", &server.1);
    let using = format!("using the server at {}\n", server.1);
    Ran::of(command).assert(0, VALUE, &using);
}

#[test]
fn a_server_with_a_token_has_the_tools() {
    let place = Place::new();
    let server = place.serve(&["--auth-token-env", "DESK_TOKEN"]);
    let words = ["run", "../script.py", "--server", &server.1];
    let ran = place.run("elsewhere", &words);
    ran.assert(2, "", "the server refused (401 Unauthorized)");
    ran.assert(2, "", "--auth-token-env");
    let mut command = place.command("elsewhere", &words);
    command
        .args(["--auth-token-env", "DESK_TOKEN"])
        .env("DESK_TOKEN", "s3cret");
    Ran::of(command).assert(0, VALUE, "");
}

#[test]
fn a_program_that_is_an_mcp_server_has_the_tools() {
    let place = Place::new();
    let program = program();
    let command = format!("'{}' serve --stdio ../friends.yaml", program.display());
    place.file(
        "one.py",
        "[one[\"name\"] for one in friends(\"Ada\")[\"data\"]]",
    );
    let words = ["run", "../one.py", "--command", &command];
    place
        .run("elsewhere", &words)
        .assert(0, r#"["Bo", "Cy"]"#, "");
}

/// The run goes on with the tools of the same config, in another process.
#[test]
fn a_snapshot_goes_on_with_a_config() {
    let place = Place::new();
    let words = [
        "run",
        "script.py",
        "--snapshot",
        "run.bin",
        "--stop-at-call",
        "3",
    ];
    place.run("", &words).assert(0, "", "wrote run.bin");
    place
        .run("", &["run", "--resume", "run.bin"])
        .assert(0, VALUE, "");
}

#[test]
fn what_is_not_there_is_said() {
    let place = Place::new();
    place.file("slip.py", "desk__get_tickt(3)");
    let ran = place.run("", &["run", "slip.py"]);
    ran.assert(1, "", "did you mean `desk__get_ticket`?");
    let words = ["run", "../script.py", "--server", "127.0.0.1:1"];
    place
        .run("elsewhere", &words)
        .assert(2, "", "no server is there; `toolpact serve` starts one");
    let mut command = place.command("elsewhere", &["run", "../script.py"]);
    command.env("TOOLPACT_SERVER", "127.0.0.1:1");
    Ran::of(command).assert(
        2,
        "",
        "there is no toolpact.yaml here, so the server at 127.0.0.1:1 was asked",
    );
    let words = ["run", "../script.py", "--config", "nowhere.yaml"];
    place.run("elsewhere", &words).assert(
        2,
        "",
        "nowhere.yaml: expected a config that can be read",
    );
    place.file("empty.yaml", "sources: []\n");
    let words = ["run", "script.py", "--config", "empty.yaml"];
    place
        .run("", &words)
        .assert(1, "", "there are no tools in the config empty.yaml");
    place.file("wrong.yaml", "sorces: []\nlisten: 5\n");
    let words = ["run", "script.py", "--config", "wrong.yaml"];
    place
        .run("", &words)
        .assert(2, "", "did you mean `sources`?");
    for flags in [
        ["--tools", "desk.yaml"],
        ["--server", "a:1"],
        ["--command", "true"],
    ] {
        let words = [
            &["run", "script.py", "--config", "toolpact.yaml"][..],
            &flags,
        ]
        .concat();
        place.run("", &words).assert(2, "", "cannot be used with");
    }
}

/// A source that does not start is told, and does not keep the script from the others.
#[test]
fn a_source_that_fails_leaves_the_others() {
    let place = Place::new();
    place.file(
        "toolpact.yaml",
        "sources:\n  - files: { paths: [desk.yaml] }\n  - mcp: { name: gone, command: [no-such-program-anywhere] }\n",
    );
    place.file("one.py", "get_ticket(3)[\"from\"]");
    let ran = place.run("", &["run", "one.py"]);
    ran.assert(1, "Ada", "error: the source mcp:gone does not start: ");
}
