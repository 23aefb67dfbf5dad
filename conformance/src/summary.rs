//! The summary at the end, and the exit code.

use crate::step::{Step, say};
use conformance::in_ci;
use std::process::ExitCode;

/// Says how the steps ended and what was left out. The runners' own counts come last,
/// where people and machines look for them.
pub(crate) fn summarize(steps: &[Step], left_out: &[String]) -> ExitCode {
    say("\n==> summary");
    for step in steps {
        let verdict = if step.passed { "ok" } else { "FAILED" };
        say(&format!(
            "{verdict:<8}{:<18}{:>6.1} s",
            step.name,
            step.took.as_secs_f64()
        ));
    }
    if left_out.is_empty() {
        say("left out: nothing");
    }
    for what in left_out {
        say(&format!("left out: {what}"));
    }
    let incomplete = in_ci() && !left_out.is_empty();
    if incomplete {
        say("FAILED: with CI=true nothing may be left out");
    }
    for line in steps.iter().flat_map(|step| &step.counts) {
        say(line);
    }
    let passed = !incomplete && steps.iter().all(|step| step.passed);
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
