//! The official suite, in the release that is stable and in the one for 2026-07-28.

use super::{Fixture, module, node, said};
use conformance::reports;
use std::collections::HashSet;
use std::path::Path;

const STABLE: &str = "@modelcontextprotocol/conformance/dist/index.js";
const NEXT: &str = "conformance-2026/dist/index.js";

const FAILURES_2025: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/mcp/expected-failures-2025.yaml"
);
const FAILURES_2026: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/mcp/expected-failures-2026.yaml"
);

#[test]
fn version_2025_06_18() {
    let options = ["--spec-version", "2025-06-18"];
    run("2025-06-18", STABLE, &options, FAILURES_2025, 14);
}

#[test]
fn version_2025_11_25() {
    let options = ["--spec-version", "2025-11-25"];
    run("2025-11-25", STABLE, &options, FAILURES_2025, 18);
}

/// What its own example server does not pass yet.
#[test]
fn version_2025_11_25_pending() {
    let options = ["--suite", "pending", "--spec-version", "2025-11-25"];
    run("2025-11-25, pending", STABLE, &options, FAILURES_2025, 1);
}

/// A scenario about sessions that only the newer release has.
#[test]
fn sessions_of_2025_11_25() {
    let options = [
        "--scenario",
        "server-session-lifecycle",
        "--spec-version",
        "2025-11-25",
    ];
    let Some(report) = judged(NEXT, &options, FAILURES_2025) else {
        return;
    };
    assert!(report.contains("0 failed, 0 warnings"), "{report}");
}

#[test]
fn version_2026_07_28() {
    let options = ["--requirements", "2026-07-28"];
    run("2026-07-28", NEXT, &options, FAILURES_2026, 27);
}

/// A line without a reason is a failure nobody has looked at.
#[test]
fn every_expected_failure_has_a_reason() {
    for file in [FAILURES_2025, FAILURES_2026] {
        let text = std::fs::read_to_string(file).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("  - "));
        let reasons = lines.map(|line| line.split_once(" # ").map(|(_, reason)| reason.trim()));
        assert!(reasons.clone().count() > 0, "{file}");
        for (number, reason) in reasons.enumerate() {
            assert!(
                reason.is_some_and(|r| !r.is_empty()),
                "{file}: entry {number}"
            );
        }
    }
}

/// Runs a part of the suite, which must pass but for what is expected, and report so many
/// scenarios without a failure.
fn run(version: &str, suite: &str, options: &[&str], failures: &str, least: usize) {
    let Some(report) = judged(suite, options, failures) else {
        return;
    };
    let (passed, failed) = count(&report);
    assert!(
        passed >= least,
        "{passed} scenarios passed, not {least}:\n{report}"
    );
    let text = format!(
        "MCP conformance suite, {version}: {passed} scenarios pass, {failed} fail for a reason\n"
    );
    reports::write(&format!("mcp-suite-{}", version.replace(", ", "-")), &text);
}

/// How many scenarios passed, and how many did not. One that has warnings is expected to fail, and
/// one that looked at nothing has not passed.
fn count(report: &str) -> (usize, usize) {
    let lines = report.lines();
    let expected: HashSet<&str> = lines.filter_map(|line| line.strip_prefix("  ~ ")).collect();
    let scenarios = report.lines().filter_map(|line| {
        let line = line
            .strip_prefix("✓ ")
            .or_else(|| line.strip_prefix("✗ "))?;
        let (name, counts) = line.split_once(": ")?;
        let well = counts.ends_with(" 0 failed") && !counts.starts_with("0 passed");
        Some(well && !expected.contains(name))
    });
    let (passed, failed): (Vec<bool>, Vec<bool>) = scenarios.partition(|passed| *passed);
    (passed.len(), failed.len())
}

/// What the suite says, if it is satisfied.
fn judged(suite: &str, options: &[&str], failures: &str) -> Option<String> {
    let package = conformance::suite("mcp-conformance").or_leave_out()?;
    let fixture = Fixture::start();
    let (passed, report) = ask(&package, suite, &fixture.url, options, failures);
    assert!(passed, "{report}");
    Some(report)
}

fn ask(package: &Path, suite: &str, url: &str, options: &[&str], failures: &str) -> (bool, String) {
    // It may leave files where it runs.
    let folder = tempfile::tempdir().unwrap();
    let mut command = node(package);
    command
        .arg(module(package, suite))
        .args(["server", "--url", url, "--expected-failures", failures])
        .args(options)
        .env("NO_COLOR", "1")
        .current_dir(folder.path());
    said(command)
}

/// A server that does not do what the suite asks is refused: the verdict means something.
#[test]
fn a_server_that_is_none_fails() {
    let Some(package) = conformance::suite("mcp-conformance").or_leave_out() else {
        return;
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let options = ["--scenario", "tools-list"];
    let (passed, report) = ask(&package, STABLE, &url, &options, FAILURES_2025);
    assert!(!passed, "{report}");
}
