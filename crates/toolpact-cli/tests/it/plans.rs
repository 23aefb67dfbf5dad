//! `toolpact plan`, with tools from everywhere.

use serde_json::Value as Json;

use crate::run::{Folder, Ran};
use crate::serve::Server;

const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: find
    description: Finds orders.
    parameters: { type: object, properties: { text: { type: string } } }
    returns: ListResult
    run: { command: [echo, '[{"id": "o1"}]'] }
  - name: get
    description: One order.
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    returns: { type: object, properties: { id: { type: string } }, required: [id] }
    run: { command: [cat] }
  - name: fails
    description: Fails.
    parameters: { type: object }
    returns: NumberValue
    run: { command: ['false'] }
"#;

const PLAN: &str = r#"[
  {"id": "found", "tool": "shop__find"},
  {"id": "order", "tool": "shop__get", "args": {"id": "{{found.data[0].id}}"}}
]"#;

fn folder() -> Folder {
    Folder::new()
        .file(
            "toolpact.yaml",
            "sources: [{ files: { name: shop, paths: [tools.yaml] } }]\n",
        )
        .file("tools.yaml", TOOLS)
        .file("plan.json", PLAN)
        .file("elsewhere/plan.json", PLAN)
}

fn elsewhere(folder: &Folder, words: &[&str]) -> Ran {
    let mut command = folder.command([&["plan", "plan.json"], words].concat());
    command.current_dir(folder.path("elsewhere"));
    crate::run::run(command)
}

fn json(ran: &Ran) -> Json {
    let json = serde_json::from_str(&ran.stdout);
    assert!(json.is_ok(), "{ran:#?}");
    json.unwrap()
}

const DONE: &str = "Steps done: 2 of 2.\n- found (shop__find): done: ";

#[test]
fn a_plan_runs_with_tools_from_everywhere() {
    let folder = folder();
    let ran = folder.run(["plan", "plan.json"]);
    ran.assert(0, DONE, "using the config toolpact.yaml\n");
    ran.assert(0, r#"- order (shop__get): done: {"id":"o1"}"#, "");
    elsewhere(&folder, &["--config", "../toolpact.yaml"]).assert(0, DONE, "");
    let server = Server::start(&folder, &[]);
    elsewhere(&folder, &["--server", server.address()]).assert(0, DONE, "");
    let program = env!("CARGO_BIN_EXE_toolpact");
    let command = format!("'{program}' serve --stdio ../toolpact.yaml");
    elsewhere(&folder, &["--command", &command]).assert(0, DONE, "");
    let plan = PLAN.replace("shop__", "");
    let words = ["plan", "-", "--tools", "tools.yaml"];
    folder
        .run_with(&plan, words)
        .assert(0, "Steps done: 2 of 2.", "");
    elsewhere(&folder, &["--server", "127.0.0.1:1"]).assert(2, "", "`toolpact serve` starts one");
}

#[test]
fn a_plan_is_json_for_programs() {
    let folder = folder();
    let done = json(&folder.run(["plan", "plan.json", "--json"]));
    assert_eq!(done["done"], true);
    assert_eq!(done["steps"][1]["value"]["id"], "o1");
    let checked = json(&folder.run(["plan", "plan.json", "--json", "--check"]));
    assert_eq!(checked.to_string(), r#"{"valid":true,"problems":[]}"#);
}

#[test]
fn a_plan_that_is_wrong_runs_nothing() {
    let plan = PLAN
        .replace("[0].id}}", "[0].id.x}}")
        .replace("shop__find", "shop__fnd");
    let folder = folder().file("plan.json", format!("The plan:\n```json\n{plan}\n```\n"));
    let ran = folder.run(["plan", "plan.json"]);
    ran.assert(1, "", "error[plan-unknown-tool] in step `found` at /tool: ");
    ran.assert(1, "", "did you mean `shop__find`?");
    assert_eq!(ran.stdout, "");
    let ran = folder.run(["plan", "plan.json", "--json"]);
    let told = json(&ran);
    assert_eq!((ran.status, &told["done"]), (1, &Json::Bool(false)));
    assert_eq!(
        told["problems"][0]["suggestion"],
        "did you mean `shop__find`?"
    );
    let ran = folder.run(["plan", "plan.json", "--json", "--check"]);
    assert_eq!((ran.status, &json(&ran)["valid"]), (1, &Json::Bool(false)));
    let folder = folder.file("plan.json", "no plan at all");
    folder
        .run(["plan", "plan.json"])
        .assert(1, "", "error[plan-json]: expected one plan in JSON");
    folder
        .run(["plan", "nowhere.json"])
        .assert(2, "", "cannot read nowhere.json");
}

#[test]
fn a_step_that_fails_is_told() {
    let plan = r#"[{"id": "a", "tool": "shop__fails"}, {"id": "b", "tool": "shop__get", "args": {"id": "{{a.value}}"}}]"#;
    let folder = folder().file("plan.json", plan);
    let ran = folder.run(["plan", "plan.json"]);
    ran.assert(1, "Steps done: 0 of 2. Failed: 1. Not run: 1.", "");
}
