//! A config with callers of all kinds and policies of all kinds, and its server.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value as Json, json};

use super::people::{self, Person};
use crate::boundaries::http::{Response, request};
use crate::run::Folder;
use crate::serve::Server;

/// Every name is in no other, so that it can be looked for in texts.
pub(super) const ALL_TOOLS: [&str; 6] = [
    "search_orders",
    "refund",
    "delete_order",
    "desk__find_people",
    "desk__pay_back",
    "desk__erase_person",
];

/// Calls that are permitted to some, to none, or for some arguments.
pub(super) fn calls() -> [(&'static str, Json); 10] {
    [
        ("search_orders", json!({"text": "public x"})),
        ("search_orders", json!({"text": "private"})),
        ("refund", json!({"amount": 100})),
        ("refund", json!({"amount": 101})),
        ("delete_order", json!({"number": 1})),
        ("desk__find_people", json!({"text": "ada"})),
        ("desk__pay_back", json!({"amount": 5})),
        ("desk__pay_back", json!({"amount": 500})),
        ("desk__erase_person", json!({"number": 1})),
        ("desk__erase_person", json!({"number": 2})),
    ]
}

const POLICIES: &str = r#"
@id("admins")
permit(principal in Group::"admins", action, resource);

@id("only tenants delete")
forbid(principal, action == Action::"delete_order", resource) unless { principal has tenant };

@id("up to 100")
permit(principal in Group::"support", action in [Action::"refund", Action::"desk__pay_back"], resource)
when { context.input.amount <= 100 };

@id("what is public")
permit(principal, action == Action::"search_orders", resource)
when { context.input.text like "public*" };

@id("asked")
@ask("May this be paid?")
permit(principal, action == Action::"desk__pay_back", resource)
when { principal has tenant && principal.tenant == "acme" };

@id("level 3")
permit(principal, action == Action::"desk__erase_person", resource)
when { principal.hasTag("level") && principal.getTag("level") == "3" };

// Fails for the second, which is too large a sum, and so denies.
@id("not the second")
forbid(principal, action == Action::"desk__erase_person", resource)
when { context.input.number + 9223372036854775806 < 0 };

@id("scripts")
permit(principal, action in [Action::"run_code", Action::"run_code_declarations"], resource);
"#;

fn config(audit: &str) -> String {
    format!(
        "
identity:
  tokens: tokens.json
  anonymous: true
  jwt:
    - issuer: {issuer}
      audience: [{audience}]
      algorithms: [EdDSA]
      jwks: {{ file: keys.json }}
      claims: {{ tenant: org }}
audit: {{ directory: {audit} }}
policy:
  files: [policies.cedar]
  allow:
    - {{ groups: [support], tools: [search_*], effects: read_only }}
    - {{ tenants: [acme], sources: [desk], effects: read_only }}
code: {{}}
sources:
  - files: {{ paths: [tools.yaml] }}
  - files: {{ name: desk, paths: [desk.yaml] }}
",
        issuer = people::ISSUER,
        audience = people::AUDIENCE,
    )
}

/// A tool that says that it has run, and returns its arguments.
fn tool(name: &str, parameter: &str, kind: &str, effects: &str) -> String {
    format!(
        "  - name: {name}
    description: One of the tools.
    parameters: {{ type: object, properties: {{ {parameter}: {{ type: {kind} }} }}, required: [{parameter}] }}
    returns: opaque
    effects: {effects}
    run: {{ command: [sh, -c, 'echo >> ran; cat'] }}
"
    )
}

pub(super) struct Place {
    folder: Folder,
    people: Vec<Person>,
}

impl Place {
    /// A place whose server records calls in this directory.
    pub(super) fn new(audit: &str) -> Self {
        worker();
        let (reads, destroys) = ("{ read_only: true }", "{ destructive: true }");
        let tools = |tools: [String; 3]| format!("toolpact: 1\ntools:\n{}", tools.concat());
        let folder = Folder::new()
            .file("toolpact.yaml", config(audit))
            .file("policies.cedar", POLICIES)
            .file(
                "tools.yaml",
                tools([
                    tool("search_orders", "text", "string", reads),
                    tool("refund", "amount", "integer", destroys),
                    tool("delete_order", "number", "integer", destroys),
                ]),
            )
            .file(
                "desk.yaml",
                tools([
                    tool("find_people", "text", "string", reads),
                    tool("pay_back", "amount", "integer", destroys),
                    tool("erase_person", "number", "integer", destroys),
                ]),
            );
        let people = people::all(&folder);
        Self { folder, people }
    }

    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }

    pub(super) fn people(&self) -> &[Person] {
        &self.people
    }

    pub(super) fn serve(&self) -> Asked {
        Asked(Server::start(&self.folder, &["toolpact.yaml"]))
    }

    /// How many calls have reached their tools.
    pub(super) fn ran(&self) -> usize {
        let text = std::fs::read_to_string(self.folder.path("ran"));
        text.map_or(0, |text| text.lines().count())
    }

    /// The calls in the audit: who, which tool, what came of it and why.
    pub(super) fn audit(&self) -> Vec<Json> {
        let shown = self.folder.run(["audit", "--json"]);
        let lines = shown.stdout.lines();
        let lines = lines.map(|line| serde_json::from_str::<Json>(line).unwrap());
        let calls = lines.filter(|line| line["event"].is_null());
        let keys = ["principal", "tool", "outcome", "decision"];
        let part = |line: &Json| keys.map(|key| (key.to_owned(), line[key].clone()));
        let calls = calls
            .map(|line| part(&line).into_iter().collect())
            .collect();
        self.folder.run(["audit", "verify"]).assert(0, "fine", "");
        calls
    }
}

/// A server that people ask.
pub(super) struct Asked(Server);

impl Asked {
    pub(super) fn get(&self, person: &Person, path: &str) -> Response {
        self.ask(person, "GET", path, &[], "")
    }

    pub(super) fn post(&self, person: &Person, path: &str, body: &Json) -> Response {
        self.ask(person, "POST", path, &[], &body.to_string())
    }

    pub(super) fn ask(
        &self,
        person: &Person,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let bearer = person.token.as_ref().map(|token| format!("Bearer {token}"));
        let bearer = bearer.as_deref().map(|bearer| ("authorization", bearer));
        let headers: Vec<_> = bearer.into_iter().chain(headers.iter().copied()).collect();
        request(self.0.address(), method, path, &headers, body)
    }
}

/// The program that runs scripts is where servers and this test find it: beside their own programs, or where
/// `TOOLPACT_CODE` says.
fn worker() {
    if std::env::var_os("TOOLPACT_CODE").is_some() {
        return;
    }
    let name = format!("toolpact-code{}", std::env::consts::EXE_SUFFIX);
    let beside: PathBuf = Path::new(env!("CARGO_BIN_EXE_toolpact")).with_file_name(&name);
    if !beside.is_file() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "-p", "toolpact-code"]);
        assert!(build.status().unwrap().success() && beside.is_file());
    }
    // Tests run at the same time, so it is replaced as a whole.
    let here = std::env::current_exe().unwrap().with_file_name(&name);
    let new = here.with_file_name(format!("{name}.{}", std::process::id()));
    std::fs::hard_link(&beside, &new).unwrap();
    std::fs::rename(&new, &here).unwrap();
    // Renaming one link to another of the same file does nothing.
    let _ = std::fs::remove_file(&new);
}
