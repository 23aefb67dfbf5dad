//! Declarations of the tools of servers, and clients that real Python runs.

use std::process::Command;

use crate::run::{Folder, Ran, cleaned, run};
use crate::serve::Server;

/// A tool for each way to unwrap a result, and one for each kind of argument.
const TOOLS: &str = r##"
toolpact: 1
tools:
  - name: get-ticket
    description: A ticket.
    parameters:
      type: object
      properties: { number: { type: integer }, from: { type: string }, note: { type: string } }
      required: [number]
    returns: { type: object }
    run: { command: [cat] }
  - name: measure
    description: A number.
    parameters: { type: object, properties: {} }
    returns: NumberValue
    run: { command: [echo, '{"success": true, "value": 4.5, "unit": "kg"}'] }
  - name: bare
    description: A bare number.
    parameters: { type: object, properties: {} }
    returns: NumberValue
    run: { command: [echo, '5'] }
  - name: rows
    description: A list.
    parameters: { type: object, properties: {} }
    returns: ListResult
    run: { command: [echo, '[{"id": 1}]'] }
  - name: forget
    description: Nothing.
    parameters: { type: object, properties: {} }
    returns: VoidResult
    run: { command: ['true'] }
  - name: gone
    description: Fails.
    parameters: { type: object, properties: {} }
    returns: StringValue
    run: { command: [echo, '{"success": false, "error": {"code": "NOT_FOUND_RESOURCE", "message": "Gone.", "details": {"id": 7}}}'] }
  - name: tree
    description: A type that names itself.
    parameters: { type: object, properties: {} }
    returns:
      $ref: "#/$defs/Node"
      $defs: { Node: { type: object, properties: { "the children": { type: array, items: { $ref: "#/$defs/Node" } } } } }
    run: { command: [echo, '{"the children": [{}]}'] }
"##;

fn folder() -> Folder {
    Folder::new()
        .file(
            "toolpact.yaml",
            "sources: [{ files: { name: desk, paths: [tools.yaml] } }]\n",
        )
        .file("tools.yaml", TOOLS)
}

fn python(folder: &Folder, server: &str, program: &str) -> Option<Ran> {
    let mut python = cleaned(Command::new("python3"));
    python.args(["-W", "error", "-c", program]);
    python
        .current_dir(folder.path("."))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python.env("TOOLPACT_SERVER", server);
    if python.output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "there is no python3");
        return None;
    }
    Some(run(python))
}

#[test]
fn the_tools_of_a_server_are_declared() {
    let folder = folder();
    let declared = "def desk__get_ticket(number: int, from_: str | None = None";
    let ran = folder.run(["stubs", "--lang", "py"]);
    ran.assert(0, declared, "using the config toolpact.yaml\n");
    let server = Server::start(&folder, &[]);
    let of_server = folder.run(["stubs", "--lang", "py", "--server", server.address()]);
    assert_eq!(of_server.stdout, ran.stdout);
    let program = env!("CARGO_BIN_EXE_toolpact");
    let command = format!("'{program}' serve --stdio toolpact.yaml");
    let ran = folder.run(["stubs", "--lang", "ts", "--command", &command]);
    ran.assert(0, "export declare function desk__get_ticket(", "");
    let words = ["stubs", "--lang", "py", "--tool", "desk__get_ticket"];
    folder
        .run(words)
        .assert(2, "", "did you mean `desk__get-ticket`?");
    let words = ["stubs", "--lang", "py", "tools.yaml", "--server", "a:1"];
    folder.run(words).assert(2, "", "cannot be used with");
    let words = ["stubs", "--lang", "py", "--server", "127.0.0.1:1"];
    folder
        .run(words)
        .assert(2, "", "`toolpact serve` starts one");
    let words = ["stubs", "--lang", "ts", "--client"];
    folder
        .run(words)
        .assert(2, "", "expected --lang python with --client");
}

/// `from tools import get_ticket` outside of the sandbox.
#[test]
fn a_client_calls_the_tools_of_a_server() {
    let folder = folder();
    let server = Server::start(&folder, &[]);
    let client = folder.run([
        "stubs",
        "--lang",
        "python",
        "--client",
        "--server",
        server.address(),
    ]);
    client.assert(0, &format!("_SERVER = \"{}\"", server.address()), "");
    let folder = folder.file("tools.py", &client.stdout);
    let program = r#"
import asyncio, json
from tools import *
from tools import desk__get_ticket as get_ticket
async def several():
    return await asyncio.gather(tool_task(get_ticket, 1), tool_task(get_ticket, number=2, from_="Bo"))
try:
    desk__gone()
except ToolError as error:
    failure = tool_error(error)
    assert isinstance(error, RuntimeError) and str(error) == "NOT_FOUND_RESOURCE: Gone.", error
try:
    get_ticket("three")
except ToolError as error:
    refused = error.code
print(json.dumps([
    get_ticket(3, "Ada"), get_ticket(3, note=None), desk__measure(), desk__measure_result()["unit"],
    desk__bare(), desk__bare_result()["value"], desk__rows(), desk__forget(), desk__forget_result()["success"],
    desk__tree(), failure, refused, asyncio.run(several()),
]))
"#;
    let Some(ran) = python(&folder, "", program) else {
        return;
    };
    let expected = r#"[{"number": 3, "from": "Ada"}, {"number": 3}, 4.5, "kg", 5, 5, {"data": [{"id": 1}]}, null, true, {"the children": [{}]}, {"code": "NOT_FOUND_RESOURCE", "message": "Gone.", "details": {"id": 7}, "retryable": false}, "VALIDATION_FORMAT", [{"number": 1}, {"number": 2, "from": "Bo"}]]"#;
    ran.assert(0, expected, "");
    let nobody = python(&folder, "127.0.0.1:1", "import tools; tools.desk__bare()");
    nobody
        .unwrap()
        .assert(1, "", "`toolpact serve` starts a server");
}

#[test]
fn a_client_shows_its_token() {
    let folder = folder();
    let token = folder.path("token");
    let environment = [("DESK_TOKEN", token.clone())];
    let server = Server::start_with(&folder, &["--auth-token-env", "DESK_TOKEN"], &environment);
    let client = folder.run(["stubs", "--lang", "python", "--client"]);
    let folder = folder.file("tools.py", &client.stdout);
    let call = "import os, tools\nprint(tools.desk__bare())";
    let Some(ran) = python(&folder, server.address(), call) else {
        return;
    };
    ran.assert(1, "", "ToolError: ");
    let with = format!("import os\nos.environ['TOOLPACT_TOKEN'] = {token:?}\n{call}");
    python(&folder, server.address(), &with)
        .unwrap()
        .assert(0, "5\n", "");
}
