//! Our programs. Cargo tells a package's tests where its own programs are, but not others'.

use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// A command that runs `toolpact`, built from the sources as they are.
pub(crate) fn toolpact() -> Command {
    Command::new(program("toolpact"))
}

/// Where a program or an example of the workspace is, built from the sources as they are.
pub(crate) fn program(name: &str) -> &'static PathBuf {
    static PROGRAMS: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    &PROGRAMS.get_or_init(build)[name]
}

/// Asks cargo for what `cargo test-all` asks for, so that then there is nothing to do: anything
/// else might link the program anew while other tests run it.
fn build() -> HashMap<String, PathBuf> {
    let mut build = conformance::cargo();
    build.current_dir(env!("CARGO_MANIFEST_DIR"));
    build.args(["test", "--workspace", "--no-run"]);
    let output = build
        .args(["--message-format", "json-render-diagnostics"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    // One JSON object a line; that of a program says where it is, and tests are programs too.
    let messages = String::from_utf8(output.stdout).unwrap();
    let programs = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let name = message["target"]["name"].as_str()?;
        let program = message["executable"].as_str()?;
        let is_test = message["profile"]["test"] != false;
        (!is_test).then(|| (name.to_owned(), PathBuf::from(program)))
    });
    programs.collect()
}
