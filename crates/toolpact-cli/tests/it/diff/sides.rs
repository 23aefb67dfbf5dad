//! Where a side of a diff may come from.

use std::process::Command;

use crate::run::{Folder, cleaned};
use crate::serve::Server;

/// A document with a tool that says one of these words.
fn orders(words: &str) -> String {
    format!(
        "toolpact: 1\ntools:\n  - name: find_orders\n    description: Finds orders.\n    parameters:\n      type: \
         object\n      properties: {{ status: {{ enum: [{words}] }} }}\n    returns: NumberValue\n    run: {{ command: \
         [echo, '3'] }}\n"
    )
}

const BREAKS: &str = "`status`: does not list `\"cancelled\"` any more";
const SAME: &str = "1 tool: 1 the same\n";

fn git(folder: &Folder, arguments: &[&str]) {
    let mut command = cleaned(Command::new("git"));
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
    ] {
        command.env(name, value);
    }
    command.current_dir(folder.path("."));
    command.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Makes a folder a repository with one commit.
pub(crate) fn commit_all(folder: &Folder) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "first"]);
}

/// A repository whose last commit allows `cancelled`, and whose working directory does not.
fn in_git() -> Folder {
    let folder = Folder::new()
        .file("tools/orders.yaml", orders("open, paid, cancelled"))
        .file("tools/other.json", r#"{"name": "no tool"}"#)
        .file("tools/README.md", "Not a document.");
    commit_all(&folder);
    git(&folder, &["tag", "v1"]);
    folder.file("tools/orders.yaml", orders("open, paid"))
}

#[test]
fn a_file_or_folder_as_git_has_it() {
    let folder = in_git();
    for (old, new) in [
        ("git:HEAD:tools/orders.yaml", "tools/orders.yaml"),
        ("git:v1:./tools/orders.yaml", "tools"),
        ("git:HEAD:tools", "tools"),
        ("git:HEAD:.", "."),
    ] {
        let ran = folder.run(["diff", "--fail-on", "breaking", old, new]);
        ran.assert(1, BREAKS, "");
        assert_eq!(ran.stderr, "", "{old}");
    }
    folder
        .run(["diff", "git:HEAD:tools", "git:v1:tools/orders.yaml"])
        .assert(0, SAME, "");
    // Relative to the working directory, as any path.
    let mut command = folder.command(["diff", "git:HEAD:orders.yaml", "orders.yaml"]);
    command.current_dir(folder.path("tools"));
    crate::run::run(command).assert(0, BREAKS, "");
    // A tool that is gone was in a file of the working directory.
    let other = orders("open").replace("find_orders", "void_invoice");
    let other = other
        .replace("Finds orders.", "Makes it void.")
        .replace("status", "invoice");
    std::fs::remove_file(folder.path("tools/orders.yaml")).unwrap();
    let folder = folder.file("tools/invoices.yaml", other);
    let ran = folder.run(["diff", "--format", "github", "git:HEAD:tools", "tools"]);
    ran.assert(
        0,
        "::error file=tools/orders.yaml,line=3,col=11,title=find_orders",
        "",
    );
    ran.assert(
        0,
        "::notice file=tools/invoices.yaml,line=3,col=11,title=void_invoice",
        "",
    );
}

#[test]
fn what_git_does_not_have() {
    let folder = in_git();
    for (side, why) in [
        (
            "git:HEAD:nowhere.yaml",
            "there is nothing at nowhere.yaml in HEAD",
        ),
        ("git:v9:tools", "v9"),
        ("git:HEAD", "expected git:REV:PATH, found git:HEAD"),
        (
            "git:--output=stolen:tools",
            "expected a revision after git:, found --output=stolen",
        ),
    ] {
        let ran = folder.run(["diff", side, "tools"]);
        ran.assert(2, "", why);
        assert_eq!(ran.stdout, "", "{side}");
    }
    assert!(!folder.path("stolen").exists());
    let elsewhere = Folder::new().file("tools.yaml", orders("open"));
    elsewhere
        .run(["diff", "git:HEAD:tools.yaml", "tools.yaml"])
        .assert(2, "", "git");
}

/// A lock, the config that it is of, a program, and a server.
#[test]
fn sides_that_run() {
    let config = "sources: [{ files: { paths: [orders.yaml] } }]\n";
    let folder = Folder::new()
        .file("toolpact.yaml", config)
        .file("orders.yaml", orders("open, paid, cancelled"));
    folder.run(["lock"]).assert(0, "locked: 1 tool", "");
    let server = Server::start(&folder, &["--no-lock"]);
    let program = env!("CARGO_BIN_EXE_toolpact");
    let command = format!("command:'{program}' serve --stdio --no-lock");
    let sides = [
        "toolpact.lock",
        "config:toolpact.yaml",
        server.address(),
        &command,
    ];
    let diff = |old: &str, new: &str| folder.run(["diff", "--fail-on", "breaking", old, new]);
    for side in sides {
        diff("orders.yaml", side).assert(0, SAME, "");
        diff(side, "orders.yaml").assert(0, SAME, "");
    }
    drop(server);
    std::fs::write(folder.path("orders.yaml"), orders("open, paid")).unwrap();
    let server = Server::start(&folder, &["--no-lock"]);
    // What differs from the lock is what one wants to see, so that a config is read without it.
    for side in [
        "config:toolpact.yaml",
        server.address(),
        &command,
        "orders.yaml",
    ] {
        diff("toolpact.lock", side).assert(1, BREAKS, "");
        diff(side, "toolpact.lock").assert(0, "1 tool: 1 compatible; next version: minor", "");
    }
    // Tools that are in no file have no place in one.
    let github = [
        "diff",
        "--format",
        "github",
        "toolpact.lock",
        "config:toolpact.yaml",
    ];
    folder
        .run(github)
        .assert(0, "::error title=find_orders", "");
    let sarif = [
        "diff",
        "--format",
        "sarif",
        "toolpact.lock",
        server.address(),
    ];
    let ran = folder.run(sarif);
    ran.assert(0, "find_orders/parameters/properties/status/enum", "");
    assert!(!ran.stdout.contains("physicalLocation"), "{ran:#?}");
}

#[test]
fn sides_that_cannot_be_read() {
    let folder = Folder::new()
        .file("orders.yaml", orders("open"))
        .file("broken.json", "{\"name\"")
        .file(
            "half.yaml",
            orders("open") + "  - name: 'not a name'\n    returns: opaque\n",
        );
    for (side, why) in [
        ("nowhere.yaml", "there is no file or folder nowhere.yaml"),
        ("http://127.0.0.1:1", "refused the connection"),
        ("command:false", "`false`"),
        ("command:no-such-program-anywhere", "does not start"),
        ("config:nowhere.yaml", "expected a config that can be read"),
    ] {
        for words in [["diff", side, "orders.yaml"], ["diff", "orders.yaml", side]] {
            let ran = folder.run(words);
            ran.assert(2, "", why);
            assert_eq!(ran.stdout, "", "{side}");
        }
    }
    // What can be compared is.
    folder
        .run(["diff", "orders.yaml", "half.yaml"])
        .assert(1, SAME, "not a name");
    folder
        .run(["diff", "broken.json", "orders.yaml"])
        .assert(1, "the tool is new", "json-syntax");
}
