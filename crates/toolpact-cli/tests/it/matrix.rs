//! Every command that takes tools, with every kind of document that it may get. The documents are in
//! `tests/it/matrix`; each but the last two has one tool, `get_weather`.

use std::path::PathBuf;

use crate::run::{Folder, Ran};

/// The documents, and what a command that asks for tools says of those that have none.
const DOCUMENTS: [(&str, Kind); 15] = [
    ("contract.yaml", Kind::Runnable),
    ("adm-tool.json", Kind::Tools),
    ("adl-1.0.json", Kind::Agent),
    ("adl-1.5.json", Kind::Agent),
    ("openai-chat.json", Kind::Tools),
    ("openai-responses.json", Kind::Tools),
    ("anthropic.json", Kind::Tools),
    ("gemini-camel.json", Kind::Tools),
    ("gemini-snake.json", Kind::Tools),
    ("mcp-tools-list.json", Kind::Tools),
    ("mcp-bare-list.json", Kind::Tools),
    ("mcp-answer.json", Kind::Tools),
    ("openapi.yaml", Kind::Routed),
    ("json-schema.json", Kind::None("a JSON Schema")),
    ("return-type.json", Kind::None("a return type object")),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Its contract says how it is run.
    Runnable,
    Tools,
    /// Tools of an ADL agent.
    Agent,
    /// Its operations say how they are called over HTTP.
    Routed,
    /// No tools, but this.
    None(&'static str),
}

/// One call in the words of each provider.
const CALLS: &str = r#"{"name": "get_weather", "args": {"city": "Oslo", "days": 3}}
{"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\", \"days\": 3}"}}
{"type": "function_call", "call_id": "1", "name": "get_weather", "arguments": "{\"city\": \"Oslo\", \"days\": 3}"}
{"type": "tool_use", "id": "1", "name": "get_weather", "input": {"city": "Oslo", "days": 3}}
{"functionCall": {"name": "get_weather", "args": {"city": "Oslo", "days": 3}}}
{"function_call": {"name": "get_weather", "args": {"city": "Oslo", "days": 3}}}
{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}}}
{"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}}
{"type": "tool_use", "id": "1", "name": "get_weather", "input": {"city": 5, "days": 3}}
"#;

fn each(check: impl Fn(&Folder, &str, Kind)) {
    for (name, kind) in DOCUMENTS {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/it/matrix")
            .join(name);
        let text = std::fs::read_to_string(path).unwrap();
        let folder = Folder::new()
            .file(name, text)
            .file("calls.jsonl", CALLS)
            .file(
                "config.yaml",
                format!("sources:\n  - files: {{ paths: [{name}] }}\n"),
            )
            .file("script.py", "get_weather('Oslo')\n");
        check(&folder, name, kind);
    }
}

/// What every cell keeps to.
fn run<const N: usize>(folder: &Folder, arguments: [&str; N]) -> Ran {
    let ran = folder.run(arguments);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        !said.contains("with none of their fields"),
        "{arguments:?}: {said}"
    );
    assert!(!said.contains("--as"), "{arguments:?}: {said}");
    ran
}

/// A command that asks for tools, with a document that has none.
fn assert_no_tools(ran: &Ran, found: &str) {
    let said = format!("expected tools, found {found}");
    assert_eq!(ran.status, 1, "{ran:#?}");
    assert!(
        ran.stdout.contains(&said) || ran.stderr.contains(&said),
        "{ran:#?}"
    );
}

#[test]
fn check() {
    each(|folder, name, _| {
        let ran = run(folder, ["check", name]);
        let warns = name.starts_with("adl-1.0") || name.starts_with("adm");
        let said = match warns {
            true => "1 document checked: ",
            false => "1 document checked: no problems\n",
        };
        ran.assert(0, said, "");
        // A directory with the same file.
        run(folder, ["check", "."]).assert(0, "1 document checked, ", "");
    });
}

/// What is right is not changed.
#[test]
fn check_fix() {
    each(|folder, name, _| {
        let before = folder.read(name);
        run(folder, ["check", "--fix", "."]);
        assert_eq!(folder.read(name), before, "{name}");
    });
}

#[test]
fn check_targets() {
    each(|folder, name, kind| {
        let ran = run(folder, ["check", "--targets", "mcp", name]);
        match kind {
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(0, "mcp: 1 tool, no calls change meaning\n", ""),
        }
    });
}

#[test]
fn validate() {
    each(|folder, name, kind| {
        let ran = run(
            folder,
            ["validate", "--tools", name, "--calls", "calls.jsonl"],
        );
        match kind {
            Kind::None(found) => {
                assert_no_tools(&ran, found);
                ran.assert(1, "nothing validated: the tools are not valid\n", "");
            }
            _ => {
                ran.assert(1, "calls.jsonl: 9 calls, 1 invalid\n", "");
                ran.assert(
                    1,
                    "calls.jsonl:9:74: error[value-type] at /input/city: ",
                    "",
                );
            }
        }
    });
}

#[test]
fn digest() {
    each(|folder, name, kind| {
        let ran = run(folder, ["digest", name]);
        // A document of ADM or ADL has one digest as a whole, as before.
        let whole = matches!(kind, Kind::Agent | Kind::None(_)) || name.starts_with("adm");
        let of = match whole {
            true => format!("  {name}\n"),
            false => format!("  {name}#get_weather\n"),
        };
        ran.assert(0, &of, "");
        assert_eq!(ran.stdout.find("  "), Some(64), "{ran:#?}");
    });
}

#[test]
fn docs() {
    each(|folder, name, kind| {
        let ran = run(folder, ["docs", name]);
        match kind {
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(0, "get_weather", ""),
        }
    });
}

#[test]
fn stubs() {
    each(|folder, name, kind| {
        let ran = run(folder, ["stubs", "--lang", "python", name]);
        match kind {
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(0, "def get_weather(city: str", ""),
        }
    });
}

#[test]
fn convert() {
    each(|folder, name, kind| {
        let ran = run(folder, ["convert", name, "--to", "anthropic"]);
        match kind {
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(0, "\"name\": \"get_weather\"", ""),
        }
    });
}

#[test]
fn tools() {
    each(|folder, name, kind| {
        let ran = run(folder, ["tools", "--tools", name]);
        match kind {
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(0, "\nget_weather ", ""),
        }
    });
}

#[cfg(unix)]
#[test]
fn call() {
    each(|folder, name, kind| {
        let arguments = [
            "call",
            "get_weather",
            "city=Oslo",
            "days=3",
            "--tools",
            name,
        ];
        let ran = run(folder, arguments);
        match kind {
            Kind::Runnable => ran.assert(0, "-3", ""),
            Kind::None(found) => assert_no_tools(&ran, found),
            _ => ran.assert(
                1,
                "The contract of `get_weather` does not say how it is run, so it can only be checked against.",
                "",
            ),
        }
    });
}

/// Running a script needs the worker, which is a program of its own and may not be built. The tools
/// are loaded before it is looked for.
#[test]
fn run_script() {
    let no_command =
        "warning: no contract says how its tool is run (`run`), so every call will fail";
    each(|folder, name, kind| {
        let mut command = folder.command(["run", "script.py", "--tools", name]);
        command.env("TOOLPACT_CODE", "/nowhere");
        let ran = crate::run::run(command);
        match kind {
            Kind::None(found) => return assert_no_tools(&ran, found),
            Kind::Runnable => assert!(!ran.stderr.contains("warning"), "{ran:#?}"),
            Kind::Tools | Kind::Agent | Kind::Routed => ran.assert(2, "", no_command),
        }
        ran.assert(2, "", "error[no-worker]");
    });
}

#[test]
fn serve() {
    each(|folder, name, kind| {
        let ran = run(folder, ["serve", "--check", "config.yaml"]);
        match kind {
            Kind::Runnable | Kind::Routed => {
                ran.assert(0, "fine: 1 source (the config config.yaml)\n", "");
            }
            Kind::None(found) => assert_no_tools(&ran, found),
            Kind::Tools | Kind::Agent => ran.assert(
                1,
                "",
                &format!(
                    "{name}: the tool `get_weather` is left out: nothing says how it is executed"
                ),
            ),
        }
    });
}

#[test]
fn migrate() {
    each(|folder, name, kind| {
        let ran = run(folder, ["migrate", name]);
        match (kind, name) {
            (Kind::Agent, "adl-1.0.json") => ran.assert(0, "get_weather returns EntityResult", ""),
            (Kind::Agent, _) => ran.assert(0, &format!("{name}: nothing to migrate\n"), ""),
            _ => ran.assert(
                0,
                &format!("{name}: nothing to migrate: expected an ADL agent, found "),
                "",
            ),
        }
    });
}

/// The file is what `--from` says, in every command that takes tools.
#[test]
fn from() {
    each(|folder, name, kind| {
        if kind == Kind::Agent || kind == Kind::Routed || !name.starts_with("mcp") {
            return;
        }
        for arguments in [
            ["check", "--from", "mcp", name],
            ["digest", "--from", "mcp", name],
            ["docs", "--from", "mcp", name],
            ["check", "--as", "mcp", name],
        ] {
            assert_eq!(folder.run(arguments).status, 0, "{arguments:?}");
        }
        let wrong = folder.run(["convert", "--from", "anthropic", "--to", "mcp", name]);
        assert_eq!(wrong.status, 1, "{wrong:#?}");
    });
}
