//! The test runners: cargo-nextest where it is, `cargo test` elsewhere and for doctests.

use crate::step::{Step, command_step};
use conformance::cargo;
use std::process::{Command, Stdio};

/// Every test of the workspace but the doctests.
pub(crate) fn rust_tests(extra: &[String]) -> Step {
    let mut command = if has_nextest() {
        nextest()
    } else {
        cargo_test()
    };
    command.args(extra);
    command_step("Rust tests", command)
}

/// The doctests, which cargo-nextest does not run.
pub(crate) fn doctests() -> Step {
    let mut command = cargo();
    command.args(["test", "--doc", "--workspace", "--no-fail-fast"]);
    command_step("doctests", command)
}

fn nextest() -> Command {
    let mut command = cargo();
    command.args(["nextest", "run", "--workspace"]);
    // Set here rather than by an option, so that the user's own --profile goes first.
    if std::env::var_os("NEXTEST_PROFILE").is_none() {
        command.env("NEXTEST_PROFILE", "ci");
    }
    command
}

fn cargo_test() -> Command {
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]);
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
