//! What is ours in a directory of all sorts of files, and what is left alone.

use crate::run::Folder;

const PACKAGE: &str =
    r#"{"name": "app", "version": "1.0.0", "description": "An app.", "type": "module"}"#;

/// A plain JSON Schema, in lower case.
const SCHEMA: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;

#[test]
fn files_of_others_are_passed_over_and_counted() {
    let folder = Folder::new()
        .file("package.json", PACKAGE)
        .file("results.json", r#"{"name": "build", "status": "done"}"#)
        .file(
            "tools.json",
            r#"[{"name": "t", "inputSchema": {"type": "object"}}]"#,
        );
    let ran = folder.run(["check", "."]);
    ran.assert(
        0,
        "1 document checked, 2 files passed over: no problems\n",
        "",
    );
}

#[test]
fn where_nothing_is_checked_nothing_is_well() {
    let folder = Folder::new()
        .file("a/package.json", PACKAGE)
        .file("b/notes.txt", "");
    folder
        .run(["check", "a"])
        .assert(1, "nothing to check, 1 file passed over\n", "");
    folder
        .run(["check", "b"])
        .assert(1, "nothing to check\n", "");
    let ran = folder.run(["digest", "a"]);
    ran.assert(1, "", "error: there are no documents in what was given\n");
}

#[test]
fn a_plain_json_schema_is_never_rewritten() {
    let list = format!("[{SCHEMA}, {SCHEMA}]");
    let folder = Folder::new()
        .file("schema.json", SCHEMA)
        .file("list.json", &list);
    for files in ["schema.json", "list.json", "."] {
        let ran = folder.run(["check", "--fix", files]);
        assert_eq!(ran.status, 0, "{ran:#?}");
        assert!(!ran.stdout.contains("applied"), "{ran:#?}");
    }
    assert_eq!(folder.read("schema.json"), SCHEMA);
    assert_eq!(folder.read("list.json"), list);
    // Unless somebody says that it is one of ADM.
    let ran = folder.run(["check", "--fix", "--from", "schema", "schema.json"]);
    ran.assert(0, "1 document checked: no problems, 2 fixes applied\n", "");
}

#[test]
fn a_list_of_a_provider_is_never_rewritten() {
    let openai = r#"[{"type": "function", "function": {"name": "t", "description": "D.", "strict": true,
        "parameters": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": false}}}]"#;
    let folder = Folder::new().file("tools.json", openai);
    folder
        .run(["check", "--fix", "tools.json"])
        .assert(0, "1 document checked: no problems\n", "");
    assert_eq!(folder.read("tools.json"), openai);
}

/// What is fixed in a document of ADM is not fixed in what merely looks like one.
#[test]
fn a_guess_is_not_fixed() {
    let guess = r#"{"name": "ping", "status": "success", "content": 1}"#;
    let folder = Folder::new().file("result.json", guess);
    let ran = folder.run(["check", "--fix", "result.json"]);
    assert_eq!(ran.status, 1, "{ran:#?}");
    assert_eq!(folder.read("result.json"), guess);
    // No format offers a fix that is not applied.
    let ran = folder.run(["check", "--format", "sarif", "result.json"]);
    assert!(!ran.stdout.contains("\"fixes\""), "{ran:#?}");
    let ran = folder.run(["check", "--fix", "--from", "result", "result.json"]);
    ran.assert(0, "1 fix applied", "");
}

#[test]
fn mistakes_in_lists_of_providers_are_reported() {
    let folder = Folder::new().file(
        "server/tools.json",
        r#"{"tools": [{"name": "t", "inputSchema": {"type": "objekt"}}]}"#,
    );
    let ran = folder.run(["check", "server"]);
    ran.assert(1, "at /tools/0/inputSchema/type", "");
    ran.assert(1, "error[json-schema-invalid]", "");
}

#[test]
fn tools_that_their_provider_runs() {
    let folder = Folder::new()
        .file("tools.json", r#"[{"type": "web_search"}, {"type": "function", "name": "t", "parameters": {"type": "object", "properties": {}}}]"#)
        .file("calls.jsonl", r#"{"type": "function_call", "name": "t", "arguments": "{}"}"#);
    folder
        .run(["check", "tools.json"])
        .assert(0, "no problems", "");
    let ran = folder.run([
        "validate",
        "--tools",
        "tools.json",
        "--calls",
        "calls.jsonl",
    ]);
    ran.assert(0, "calls.jsonl: 1 call, all valid\n", "");
    let ran = folder.run(["convert", "tools.json", "--to", "mcp"]);
    ran.assert(
        1,
        "\"name\": \"t\"",
        "left out: web_search (tools.json): its provider runs it, so it has no contract\n",
    );
    let ran = folder.run(["serve", "--check", "tools.json"]);
    ran.assert(
        1,
        "",
        "tools.json: the tool `web_search` is left out: its provider runs it, so it has no contract\n",
    );
}
