//! The Inspector's command line, which looks for schemas that some clients do not understand.

use super::{Fixture, module, node, said};
use crate::toolpact::program;
use std::path::Path;
use std::process::Command;

const INSPECTOR: &str = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

#[test]
fn finds_nothing_over_stdio() {
    let Some(package) = conformance::suite("mcp-conformance").or_leave_out() else {
        return;
    };
    for era in ["legacy", "modern"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = inspector(&package, folder.path(), era);
        command.arg(program("fixture")).arg("--stdio");
        strict(command, era);
    }
}

#[test]
fn finds_nothing_over_http() {
    let Some(package) = conformance::suite("mcp-conformance").or_leave_out() else {
        return;
    };
    let fixture = Fixture::start();
    for era in ["legacy", "modern"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = inspector(&package, folder.path(), era);
        command.args(["--server-url", &fixture.url]);
        strict(command, era);
    }
}

fn inspector(package: &Path, home: &Path, era: &str) -> Command {
    let mut command = node(package);
    command
        .arg(module(package, INSPECTOR))
        .args(["--cli", "--protocol-era", era])
        .env("HOME", home)
        .current_dir(home);
    command
}

fn strict(mut command: Command, era: &str) {
    command.args(["--method", "tools/list", "--strict", "--format", "json"]);
    let (passed, report) = said(command);
    assert!(passed, "{era}: {report}");
    assert!(
        report.contains(r#""name":"keeps_object""#),
        "{era}: {report}"
    );
    // It prints warnings and ends well.
    for word in ["Error:", "Warning:", "unknown format"] {
        assert!(!report.contains(word), "{era}: {report}");
    }
}
