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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{iter, thread};
use step::{Step, say, step};
use summary::summarize;

/// Packages that are installed at the same time.
const INSTALLERS: usize = 4;

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
        runner::policy_tests(runner_args),
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
        for (package, outcome) in at_once(|package| install(package, offline)) {
            passed &= !matches!(outcome, Outcome::Failed(_));
            tell(package, outcome, left_out);
        }
        (passed, Vec::new())
    })
}

/// Does it for all packages, some at the same time: pip and npm mostly wait for the registries.
fn at_once(
    install: impl Fn(&'static Package) -> Outcome + Sync,
) -> Vec<(&'static Package, Outcome)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let packages = iter::repeat_with(|| PACKAGES.get(next.fetch_add(1, Ordering::Relaxed)));
        let packages = packages.map_while(|package| package);
        packages
            .map(|package| (package, install(package)))
            .collect()
    };
    let mut all: Vec<(&Package, Outcome)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..INSTALLERS).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().filter_map(|worker| worker.join().ok());
        done.flat_map(|some: Vec<_>| some).collect()
    });
    all.sort_by_key(|(package, _)| PACKAGES.iter().position(|one| one.name == package.name));
    all
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
        How::NpmLocked { folder, .. } | How::NpmFiles { folder } => {
            format!("npm, lock file in node/{folder}")
        }
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
