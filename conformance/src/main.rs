//! The test command of the project, `cargo test-all`: installs the outside packages the
//! tests need, then runs every test.

mod args;
mod install;
mod runner;
mod step;
mod summary;

use args::Args;
use conformance::{How, PACKAGES, Package, reports};
use install::{Outcome, install};
use std::process::ExitCode;
use step::{Step, say, step};
use summary::summarize;

fn main() -> ExitCode {
    match args::parse(std::env::args().skip(1)) {
        Ok(Args::Help) => say(args::HELP),
        Ok(Args::List) => PACKAGES.iter().for_each(list),
        Ok(Args::Run { offline, runner }) => return run(offline, &runner),
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Runs every step, whether or not an earlier one failed.
fn run(offline: bool, runner_args: &[String]) -> ExitCode {
    let mut left_out = Vec::new();
    reports::forget();
    let steps = [
        install_all(offline, &mut left_out),
        runner::rust_tests(runner_args),
        runner::doctests(),
    ];
    for report in reports::read() {
        say(&format!("\n==> {}", report.trim_end()));
    }
    summarize(&steps, &left_out)
}

fn install_all(offline: bool, left_out: &mut Vec<String>) -> Step {
    step("outside packages", || {
        let mut passed = true;
        for package in PACKAGES {
            let outcome = install(package, offline);
            passed &= !matches!(outcome, Outcome::Failed(_));
            tell(package, outcome, left_out);
        }
        (passed, Vec::new())
    })
}

/// Says how an installation ended, and keeps what the tests will have to do without.
fn tell(package: &Package, outcome: Outcome, left_out: &mut Vec<String>) {
    let Package {
        title,
        from,
        version,
        ..
    } = package;
    match outcome {
        Outcome::AlreadyThere => say(&format!("{title} ({from} {version}): already there")),
        Outcome::Installed => say(&format!("{title} ({from} {version}): installed")),
        Outcome::LeftOut(why) | Outcome::Failed(why) => {
            say(&format!("{title}: {why}"));
            left_out.push(format!("{title} ({why})"));
        }
    }
}

fn list(package: &Package) {
    let Package {
        name,
        title,
        from,
        version,
        sha256,
        how,
        what_for,
    } = package;
    let how = match how {
        How::PipSource { folder } => format!("pip, source archive, folder {folder}"),
        How::PipWheels { .. } => "pip, wheels".to_owned(),
        How::NpmProgram { machine, .. } => format!("npm, {} {} only", machine.arch, machine.os),
        How::NpmLocked { folder, .. } => format!("npm, lock file in node/{folder}"),
    };
    say(&format!("{title} ({name}): {what_for}"));
    say(&format!("  {from} {version} ({how})\n  sha256 {sha256}"));
    say(&format!(
        "  {}",
        if package.is_installed() {
            "installed"
        } else {
            "not installed"
        }
    ));
}
