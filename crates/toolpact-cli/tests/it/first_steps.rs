//! What people type first, before they have read anything.

use std::fs;

use serde_json::json;

use crate::run::Folder;
use crate::serve::Server;

pub(crate) const TOOLS: &str = "
toolpact: 1
tools:
  - name: echo
    description: Says what it was told.
    parameters: { type: object, properties: { text: { type: string } } }
    returns: { type: object }
    run: { command: [cat] }
";

const CONFIG: &str = "sources: [{ files: { paths: [tools.yaml] } }]\n";

pub(crate) fn folder() -> Folder {
    Folder::new()
        .file("toolpact.yaml", CONFIG)
        .file("tools.yaml", TOOLS)
}

#[test]
fn the_config_of_the_working_directory_is_served() {
    let folder = folder();
    folder
        .run(["serve", "--check"])
        .assert(0, "fine: 1 source (the config toolpact.yaml)\n", "");
    let server = Server::start(&folder, &[]);
    assert!(server.said().starts_with("1 tool on "), "{}", server.said());
    let log = folder.read("stderr.log");
    assert!(log.contains("serving the config toolpact.yaml"), "{log}");
    assert!(!folder.path("toolpact").exists(), "no data is kept");
}

#[test]
fn a_broken_config_of_the_working_directory_is_an_error() {
    let folder = Folder::new().file("toolpact.yaml", "sorces: [garbage\n");
    for words in [&["serve", "--check"][..], &["serve"]] {
        folder.run(words).assert(1, "", "error: toolpact.yaml:");
    }
    let folder = Folder::new().file("toolpact.yml", "sorces: []\n");
    folder.run(["serve"]).assert(
        1,
        "",
        "toolpact.yml:1:1: at /sorces: expected no keys but those of the schema, found `sorces`; did you mean `sources`?",
    );
    let folder = folder_with_two_configs();
    folder.run(["serve", "--check"]).assert(
        1,
        "",
        "found `toolpact.yaml` and `toolpact.json`; name the one",
    );
}

fn folder_with_two_configs() -> Folder {
    folder().file("toolpact.json", r#"{"sources": []}"#)
}

#[test]
fn without_a_config_the_shop_is_served_and_that_is_said() {
    Folder::new().run(["serve", "--check"]).assert(
        0,
        "fine: 1 source (the shop, since there is no toolpact.yaml here)",
        "",
    );
}

#[test]
fn folders_and_documents_with_tools_are_served() {
    let folder = Folder::new()
        .file("with/toolpact.yaml", CONFIG)
        .file("with/tools.yaml", TOOLS)
        .file("without/deep/tools.yaml", TOOLS)
        .file("without/package.json", r#"{"name": "a", "type": "module"}"#)
        .file("nothing/readme.txt", "");
    for (word, said) in [
        ("with", "the config with/toolpact.yaml"),
        ("without", "the tools of without, 1 document"),
        (
            "with/tools.yaml",
            "the tools of with/tools.yaml, 1 document; not the config with/toolpact.yaml",
        ),
    ] {
        let fine = format!("fine: 1 source ({said})\n");
        folder.run(["serve", "--check", word]).assert(0, &fine, "");
        let server = Server::start(&folder, &[word]);
        let answer = server.client().call("echo", &json!({"text": "hi"}));
        assert_eq!(answer, json!({"text": "hi"}));
    }
    folder.run(["serve", "nothing"]).assert(
        2,
        "",
        "found neither; `toolpact init nothing` writes a first config",
    );
}

/// A document that is served without a config is followed as well.
#[test]
fn changes_of_a_document_are_followed() {
    let folder = folder();
    let server = Server::start(&folder, &["tools.yaml"]);
    fs::write(folder.path("tools.yaml"), TOOLS.replace("echo", "again")).unwrap();
    let client = server.client();
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !client.try_call("again", &json!({})).unwrap().0 {
        assert!(std::time::Instant::now() < patience);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn programs_that_are_not_there_are_told() {
    let config = "sources:
  - files: { paths: [tools.yaml], tools: { echo: { command: [datee] } } }
  - mcp: { name: other, command: [./nosuchprogram] }
";
    let folder = folder().file("toolpact.yaml", config);
    let checked = folder.run(["serve", "--check"]);
    checked.assert(
        1,
        "",
        "error: the tool `echo`: expected the program `datee` in a folder of `PATH`, found none\n",
    );
    checked.assert(
        1,
        "",
        "error: the source `other`: expected a program at `./nosuchprogram`",
    );
    let contract = TOOLS.replace("[cat]", "[nosuchprogram]");
    let folder = Folder::new().file("tools.yaml", contract);
    folder.run(["serve", "--check", "tools.yaml"]).assert(
        1,
        "",
        "expected the program `nosuchprogram`",
    );
}

/// Contracts for tools that another server lacks: the others are served.
#[test]
fn contracts_of_missing_tools_are_told_and_the_rest_is_served() {
    let program = env!("CARGO_BIN_EXE_toolpact");
    let config = format!(
        "sources: [{{ mcp: {{ command: [{program}, serve, tools.yaml, --stdio], contracts: [more.yaml] }} }}]\n"
    );
    let more = TOOLS.replace("name: echo", "name: ecoh");
    let folder = folder()
        .file("toolpact.yaml", config)
        .file("more.yaml", more);
    let missing =
        "there is a contract for `ecoh`, but the server has no such tool; did you mean `echo`?";
    folder
        .run(["serve", "--check"])
        .assert(1, "", &format!("error: {missing}\n"));
    let server = Server::start(&folder, &[]);
    let said = server.said();
    assert!(said.starts_with("1 tool on "), "{said}");
    assert!(
        said.contains(" (1 tool left out: the log says why)\n"),
        "{said}"
    );
    let log = folder.read("stderr.log");
    assert!(log.contains(missing), "{log}");
    server.client().call("echo", &json!({"text": "hi"}));
}

/// A tool that is left out has a place, and is told once.
#[test]
fn tools_that_are_left_out_have_a_place() {
    let folder = folder()
        .file(
            "toolpact.yaml",
            "sources: [{ files: { paths: [tools.yaml], tools: { boom: { command: [date] } } } }]\n",
        )
        .file(
            "tools.yaml",
            format!(
                "{TOOLS}  - name: boom\n    description: 5\n    parameters: {{ type: object }}\n"
            ),
        );
    let checked = folder.run(["serve", "--check"]);
    checked.assert(
        1,
        "",
        "error: tools.yaml:10:18: the tool `boom` is left out: ",
    );
    assert_eq!(checked.stderr.lines().count(), 1, "{checked:?}");
}

/// A command that cannot be run is another thing than none.
#[test]
fn a_command_that_cannot_be_run_says_why() {
    let tools = TOOLS.replace("[cat]", "[echo, '{txt}']");
    let folder = Folder::new().file("tools.yaml", tools);
    folder
        .run(["call", "--tools", "tools.yaml", "echo", "text=hi"])
        .assert(
            1,
            "`{txt}` in its command is no parameter; did you mean `{text}`?",
            "",
        );
}

#[test]
fn a_document_that_is_no_tool_is_named() {
    let folder = Folder::new().file("tools.json", r#"{"x": 1}"#);
    folder
        .run(["tools", "--tools", "tools.json", "--from", "mcp"])
        .assert(1, "", "left out: tools.json\n");
}

#[test]
fn a_sample_can_be_written_as_it_is() {
    let folder = Folder::new();
    folder
        .run(["returns", "suggest", "--sample", r#"[{"id": 1}]"#])
        .assert(0, "which is lifted into ListResult\n", "");
    folder
        .run(["returns", "suggest", "--sample", r#"[{"id": 1]"#])
        .assert(2, "", "error: expected the sample as JSON: 1:10: ");
    folder
        .run(["returns", "suggest", "--sample", "nowhere.json"])
        .assert(2, "", "error: cannot read nowhere.json: ");
}
