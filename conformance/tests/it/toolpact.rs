//! The program. Cargo tells a package's tests where its own programs are, but not others'.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// A command that runs `toolpact`, built from the sources as they are.
pub(crate) fn toolpact() -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    Command::new(PROGRAM.get_or_init(build))
}

/// Asks cargo for what `cargo test-all` asks for, so that then there is nothing to do: anything
/// else might link the program anew while other tests run it.
fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut build = Command::new(cargo);
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
    let mut programs = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_ours =
            message["target"]["name"] == "toolpact" && message["profile"]["test"] == false;
        Some(PathBuf::from(
            message["executable"].as_str().filter(|_| is_ours)?,
        ))
    });
    programs.next().unwrap()
}
