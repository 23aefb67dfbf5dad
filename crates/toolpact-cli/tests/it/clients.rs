//! MCP clients that start the program themselves.

use std::fs;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::run::{Folder, repository, run, run_with_stdin};

const INITIALIZE: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
"#;

/// Nobody can write there, not even root.
const READ_ONLY: &str = if cfg!(target_os = "linux") {
    "/proc"
} else {
    "/"
};

#[test]
fn a_client_is_served_from_a_folder_that_cannot_be_written() {
    let folder = Folder::new();
    let mut command = folder.command(["serve", "--stdio"]);
    command.current_dir(READ_ONLY);
    let ran = run_with_stdin(command, INITIALIZE.as_bytes());
    ran.assert(0, r#""serverInfo""#, "the shop has its data here");
    assert!(folder.path("toolpact/shop").is_dir());
}

#[test]
fn the_entry_of_a_client_is_printed_with_absolute_paths() {
    let folder = Folder::new();
    folder.run(["init"]).assert(0, "now: toolpact serve\n", "");
    let config = fs::canonicalize(folder.path("toolpact.yaml")).unwrap();
    for (client, servers) in [
        ("claude-desktop", "mcpServers"),
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
        ("zed", "context_servers"),
    ] {
        let ran = folder.run(["init", "--client", client]);
        ran.assert(0, "", "--write puts it there");
        let printed: Json = serde_json::from_str(&ran.stdout).unwrap();
        let entry = &printed[servers]["toolpact"];
        assert_eq!(
            entry["args"],
            json!(["serve", "--stdio", config]),
            "{client}"
        );
        // What was printed works where nothing can be written, and without an environment.
        let mut command = Command::new(entry["command"].as_str().unwrap());
        let words = entry["args"].as_array().unwrap().iter();
        command.args(words.map(|word| word.as_str().unwrap()));
        command.current_dir(READ_ONLY).env_clear();
        let ran = run_with_stdin(command, INITIALIZE.as_bytes());
        ran.assert(0, r#""serverInfo""#, "the source is ready");
    }
    Folder::new().run(["init", "--client", "cursor"]).assert(
        0,
        "--stdio",
        "there is no toolpact.yaml in .: the shop is served",
    );
}

#[test]
fn the_entry_of_a_client_is_merged_and_nothing_is_lost() {
    let settings = "// Zed settings\n{\n  // mine\n  \"vim_mode\": true,\n}\n";
    let folder = Folder::new()
        .file("toolpact.yaml", "sources: []\n")
        .file("home/.config/zed/settings.json", settings)
        .file("home/.cursor/mcp.json", "{ broken");
    let write = |client: &str, name: &str| {
        let mut command = folder.command(["init", "--client", client, "--write", "--name", name]);
        command.env("HOME", folder.path("home"));
        command.env_remove("XDG_CONFIG_HOME");
        run(command)
    };
    write("zed", "mine").assert(0, "wrote `mine` into ", "");
    write("zed", "mine").assert(0, "where it was already", "");
    let zed = folder.read("home/.config/zed/settings.json");
    let begin = "// Zed settings\n{\n  \"context_servers\": {\n    \"mine\": {";
    assert!(zed.starts_with(begin), "{zed}");
    assert!(
        zed.ends_with("  },\n  // mine\n  \"vim_mode\": true,\n}\n"),
        "{zed}"
    );
    let cursor = write("cursor", "mine");
    cursor.assert(1, "\"mcpServers\"", "was not changed: expected JSON in it");
    assert_eq!(folder.read("home/.cursor/mcp.json"), "{ broken");
    write("vscode", "a").assert(0, "wrote `a` into .vscode/mcp.json", "");
    write("vscode", "b").assert(0, "wrote `b` into .vscode/mcp.json", "");
    let code: Json = serde_json::from_str(&folder.read(".vscode/mcp.json")).unwrap();
    assert_eq!(code["servers"]["a"], code["servers"]["b"]);
}

/// What the page shows is what the program prints.
#[test]
fn the_page_about_clients_has_the_entries() {
    let page = fs::read_to_string(repository().join("docs/clients.md")).unwrap();
    let folder = Folder::new().file("toolpact.yaml", "sources: []\n");
    let config = fs::canonicalize(folder.path("toolpact.yaml")).unwrap();
    let mut clients = 0;
    for shown in page.split("```json ").skip(1) {
        let (names, rest) = shown.split_once('\n').unwrap();
        let (entry, _) = rest.split_once("```").unwrap();
        let entry = entry
            .replace("/usr/local/bin/toolpact", env!("CARGO_BIN_EXE_toolpact"))
            .replace("/home/ada/my-tools/toolpact.yaml", config.to_str().unwrap());
        let entry: Json = serde_json::from_str(&entry).unwrap();
        for name in names.split(' ') {
            clients += 1;
            let ran = folder.run(["init", "--client", name]);
            let printed: Json = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(printed, entry, "{name}");
        }
    }
    assert_eq!(clients, 5);
}
