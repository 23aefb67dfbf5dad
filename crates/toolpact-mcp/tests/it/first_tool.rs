//! The page "Your first tool in Rust": its crate is written, built, tested and served as it says, from
//! outside of this workspace.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../../../../docs/first-tool.md");

#[test]
fn the_crate_of_the_page_works() {
    let folder = set_up();
    let tested = cargo(&folder, "test").output().unwrap();
    let (stdout, stderr) = (text(&tested.stdout), text(&tested.stderr));
    assert!(tested.status.success(), "{stdout}\n{stderr}");
    assert!(stdout.contains("1 passed"), "{stdout}");

    let mut server = cargo(&folder, "run")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = server.stdin.take().unwrap();
    writeln!(stdin, "{}", request()).unwrap();
    drop(stdin);
    let output = server.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &answer["result"];
    let order = &result["structuredContent"]["data"][0];
    assert_eq!(order["number"], "O-4999", "{answer}");
    assert!(
        result["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("O-4999")
    );
}

/// The crate, beside what the page calls the checkout.
fn set_up() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let workspace = workspace.canonicalize().unwrap();
    let base = target().join("first-tool");
    for (name, content) in files() {
        let path = base.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut content = content.replace("../toolpact/", &format!("{}/", workspace.display()));
        if name == "orders/Cargo.toml" {
            // A workspace of its own, although the folder is inside of this one.
            content.push_str("\n[workspace]\n");
        }
        write_if_new(&path, &content);
    }
    let folder = base.join("orders");
    // The versions that are here already, so that nothing is fetched.
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// The files of the page: blocks with a title.
fn files() -> Vec<(&'static str, String)> {
    let mut files = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if let Some((_, name)) = line.split_once(" title=") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            files.push((name, block.join("\n")));
        }
    }
    assert_eq!(files.len(), 3);
    files
}

/// The request of the page.
fn request() -> &'static str {
    let line = PAGE.lines().find_map(|line| line.strip_prefix("$ echo '"));
    line.unwrap().split_once('\'').unwrap().0
}

/// An unchanged file keeps its time, so that nothing is built again.
fn write_if_new(path: &Path, content: &str) {
    if std::fs::read_to_string(path).is_ok_and(|found| found == content) {
        return;
    }
    std::fs::write(path, content).unwrap();
}

fn cargo(folder: &Path, command: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args([command, "--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target().join("first-tool/target"))
        .env_remove("RUSTFLAGS");
    cargo
}

/// The folder of the build, where the binary of this test is.
fn target() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(3).unwrap().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
