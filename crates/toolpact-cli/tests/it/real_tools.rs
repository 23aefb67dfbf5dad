//! Tools that others wrote, on the command line.

use crate::run::Folder;

const SUM: &str = r#"{"tools": [{"name": "math.sum", "description": "Adds.", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}}]}"#;

fn folder() -> Folder {
    Folder::new().file("tools.json", SUM)
}

/// The contract of the tool, run by a program.
fn contract() -> String {
    let ran = folder().run(["convert", "tools.json", "--to", "contract"]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{ran:#?}");
    let run = r#""name": "math_sum_7f0cf2", "run": {"command": ["cat"]}, "#;
    ran.stdout.replacen(r#""name": "math_sum_7f0cf2","#, run, 1)
}

#[test]
fn a_name_survives_the_way_there_and_back() {
    let folder = Folder::new().file("contract.json", contract());
    let ran = folder.run(["convert", "contract.json", "--to", "mcp"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(ran.stdout.contains(r#""name": "math.sum""#), "{ran:#?}");
    let ran = folder.run([
        "convert",
        "contract.json",
        "--to",
        "openai",
        "--strict-loss=all",
    ]);
    assert_eq!(ran.status, 1, "{ran:#?}");
    let told = "the name `math.sum`; it is called `math_sum_7f0cf2`";
    assert!(ran.stderr.contains(told), "{ran:#?}");
}

#[test]
fn calls_may_use_it() {
    let folder = Folder::new()
        .file("contract.json", contract())
        .file("calls.jsonl", r#"{"name": "math.sum", "args": {"a": 1}}"#);
    let ran = folder.run([
        "validate",
        "--tools",
        "contract.json",
        "--calls",
        "calls.jsonl",
    ]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    let ran = folder.run(["call", "math.sum", "a=1", "--tools", "contract.json"]);
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert_eq!(ran.stdout, "a: 1\n", "{ran:#?}");
}

#[test]
fn the_name_of_a_source_is_put_in_front_of_it() {
    let config = "sources:\n  - files: { name: calc, paths: [contract.json] }\n";
    let folder = Folder::new()
        .file("contract.json", contract())
        .file("toolpact.yaml", config);
    for name in ["calc__math.sum", "calc__math_sum_7f0cf2"] {
        let ran = folder.run(["call", name, "a=1", "--config", "toolpact.yaml"]);
        assert_eq!((ran.status, &*ran.stdout), (0, "a: 1\n"), "{ran:#?}");
    }
}

#[test]
fn a_strict_target_does_not_fail_because_of_what_every_tool_has() {
    let folder = folder();
    let of = |word: &str| folder.run(["convert", "tools.json", "--to", "openai-strict", word]);
    let ran = of("--strict-loss");
    assert_eq!(ran.status, 0, "{ran:#?}");
    assert!(
        ran.stderr.contains("none of which callers notice"),
        "{ran:#?}"
    );
    assert_eq!(of("--strict-loss=all").status, 1);
}

#[test]
fn losses_for_programs_are_json_alone() {
    let folder = folder().file(
        "more.json",
        r#"[{"type": "function", "name": "bad", "parameters": {"type": "objekt"}}]"#,
    );
    let ran = folder.run([
        "convert",
        "tools.json",
        "more.json",
        "--to",
        "mcp",
        "--loss-format",
        "json",
    ]);
    assert_eq!(ran.status, 1, "{ran:#?}");
    let report: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(report["left_out"][0]["tool"], "bad", "{report}");
}
