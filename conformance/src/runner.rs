//! The test runners: cargo-nextest where it is, `cargo test` elsewhere and for doctests.

use crate::step::{Step, command_step};
use conformance::cargo;
use std::process::{Command, Stdio};

/// Every test of the workspace but the doctests.
pub(crate) fn rust_tests(extra: &[String]) -> Step {
    let mut command = test_runner(&["--workspace"]);
    command.args(extra);
    command_step("Rust tests", command)
}

/// The tests of what has policies, which are no part of the program unless it is built with them.
pub(crate) fn policy_tests(extra: &[String]) -> Step {
    let packages = ["toolpact-policy", "toolpact-serve", "toolpact-cli"];
    let mut command = test_runner(&packages.map(|package| ["-p", package]).concat());
    command.args(["--features", "toolpact-cli/policy"]);
    if has_nextest() {
        // The filter of the user may be about other packages.
        command.arg("--no-tests=pass");
    }
    command.args(extra);
    command_step("with policies", command)
}

/// The doctests, which cargo-nextest does not run.
pub(crate) fn doctests() -> Step {
    let mut command = cargo();
    command.args(["test", "--doc", "--workspace", "--no-fail-fast"]);
    command_step("doctests", command)
}

fn test_runner(packages: &[&str]) -> Command {
    let mut command = match has_nextest() {
        true => nextest(),
        false => cargo_test(),
    };
    command.args(packages);
    command
}

fn nextest() -> Command {
    let mut command = cargo();
    command.args(["nextest", "run"]);
    // Set here rather than by an option, so that the user's own --profile goes first.
    if std::env::var_os("NEXTEST_PROFILE").is_none() {
        command.env("NEXTEST_PROFILE", "ci");
    }
    command
}

fn cargo_test() -> Command {
    let mut command = cargo();
    command.args(["test", "--no-fail-fast"]);
    // All targets but the benches, and in this form without the doctests.
    command.args(["--lib", "--bins", "--tests", "--examples"]);
    command
}

fn has_nextest() -> bool {
    let mut command = cargo();
    command
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
