//! Installs one outside package.

use conformance::documents::DOCUMENTS;
use conformance::{How, Machine, Package};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How the installation of a package ended.
pub(crate) enum Outcome {
    AlreadyThere,
    Installed,
    /// It was not tried, and why.
    LeftOut(String),
    /// It was tried and failed, and why.
    Failed(String),
}

/// Installs the package unless it is there already.
pub(crate) fn install(package: &Package, offline: bool) -> Outcome {
    if package.is_installed() {
        return Outcome::AlreadyThere;
    }
    if offline {
        return Outcome::LeftOut("not installed, and --offline".to_owned());
    }
    match package.how {
        How::PipSource { folder } => match python_with_pip(8) {
            Ok(python) => into_place(package, |dir| pip_source(python, package, folder, dir)),
            Err(why) => Outcome::LeftOut(why),
        },
        How::PipWheels {
            requirements,
            python,
            ref machine,
        } => match machine
            .as_ref()
            .map_or(Ok(()), runs_on)
            .and_then(|()| python_with_pip(python))
        {
            Ok(python) => into_place(package, |dir| {
                pip_wheels(python, package, requirements, dir)
            }),
            Err(why) => Outcome::LeftOut(why),
        },
        How::NpmProgram {
            program,
            ref machine,
        } => match runs_on(machine).and_then(|()| node_with_npm()) {
            Ok(()) => into_place(package, |dir| npm_program(package, program, dir)),
            Err(why) => Outcome::LeftOut(why),
        },
        How::NpmLocked {
            folder,
            ref machine,
        } => match machine
            .as_ref()
            .map_or(Ok(()), runs_on)
            .and_then(|()| node_with_npm())
            .and_then(|()| recent_node())
        {
            Ok(()) => into_place(package, |dir| npm_locked(package, folder, dir, &[])),
            Err(why) => Outcome::LeftOut(why),
        },
        How::NpmFiles { folder } => match node_with_npm() {
            Ok(()) => into_place(package, |dir| {
                npm_locked(package, folder, dir, &documents_of(package))
            }),
            Err(why) => Outcome::LeftOut(why),
        },
    }
}

fn documents_of(package: &Package) -> Vec<&'static str> {
    let documents = DOCUMENTS.iter();
    let own = documents.filter(|document| document.suite == package.name);
    own.map(|document| document.path).collect()
}

/// Fills a temporary folder and renames it into place, so that a download which stops
/// halfway never looks like a package.
fn into_place(package: &Package, fill: impl Fn(&Path) -> Result<(), String>) -> Outcome {
    let dir = package.dir();
    let part = part_of(&dir);
    let result = make_empty(&part)
        .and_then(|()| fill(&part))
        .and_then(|()| rename(&part, &dir));
    match result {
        Ok(()) => Outcome::Installed,
        Err(why) => {
            // What is left of a failed attempt is no use to anyone; the error matters more
            // than a folder that cannot be removed.
            let _ = fs::remove_dir_all(&part);
            Outcome::Failed(why)
        }
    }
}

/// A folder beside `dir` that no other run of this program uses.
fn part_of(dir: &Path) -> PathBuf {
    let mut name = OsString::from(dir);
    name.push(format!(".part-{}", std::process::id()));
    name.into()
}

fn make_empty(dir: &Path) -> Result<(), String> {
    // There only if an earlier run with the same process id was killed.
    let _ = fs::remove_dir_all(dir);
    fs::create_dir_all(dir).map_err(|e| format!("cannot make {}: {e}", dir.display()))
}

fn rename(part: &Path, dir: &Path) -> Result<(), String> {
    match fs::rename(part, dir) {
        // Another run got there first with the same content.
        Err(_) if dir.is_dir() => fs::remove_dir_all(part).map_err(|e| e.to_string()),
        result => result.map_err(|e| format!("cannot make {}: {e}", dir.display())),
    }
}

/// The machine's Python 3, or what is missing.
fn python_with_pip(minor: u8) -> Result<&'static str, String> {
    let is_recent = format!("import sys; sys.exit(sys.version_info < (3, {minor}))");
    let found = ["python3", "python"]
        .into_iter()
        .find(|p| succeeds(p, &["-c", &is_recent]));
    let python = found.ok_or_else(|| format!("python3 is not there, or older than 3.{minor}"))?;
    if succeeds(python, &["-m", "pip", "--version"]) {
        Ok(python)
    } else {
        Err(format!("{python} has no pip"))
    }
}

fn runs_on(machine: &Machine) -> Result<(), String> {
    if machine.is_this() {
        return Ok(());
    }
    let Machine { arch, os } = machine;
    Err(format!("it runs on {arch} {os} only"))
}

/// Whether the machine has what it takes, or what is missing.
fn node_with_npm() -> Result<(), String> {
    for program in ["node", "npm", "tar"] {
        if !succeeds(program, &["--version"]) {
            return Err(format!("{program} is not there"));
        }
    }
    Ok(())
}

/// Whether Node is one that runs what is published today.
fn recent_node() -> Result<(), String> {
    let is_recent = "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)";
    if succeeds("node", &["-e", is_recent]) {
        Ok(())
    } else {
        Err("node is older than 20".to_owned())
    }
}

fn succeeds(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// pip does the downloading, so that the index, the proxy and the certificates that the
/// user's machine is set up for are the ones in use.
fn pip_source(python: &str, package: &Package, folder: &str, into: &Path) -> Result<(), String> {
    run_script(python, "python/pip_source.py", package, folder, into)
}

fn pip_wheels(python: &str, package: &Package, list: &str, into: &Path) -> Result<(), String> {
    run_script(python, "python/pip_wheels.py", package, list, into)
}

/// npm does the downloading, for the same reason.
fn npm_program(package: &Package, program: &str, into: &Path) -> Result<(), String> {
    run_script("node", "node/npm_package.js", package, program, into)
}

fn npm_locked(package: &Package, folder: &str, into: &Path, keep: &[&str]) -> Result<(), String> {
    let mut command = script("node", "node/npm_locked.js", package, folder, into);
    run(command.args(keep), package)
}

fn run_script(
    language: &str,
    name: &str,
    package: &Package,
    detail: &str,
    into: &Path,
) -> Result<(), String> {
    run(&mut script(language, name, package, detail, into), package)
}

/// All scripts take the package's pins, one thing more, and where to put it.
fn script(language: &str, name: &str, package: &Package, detail: &str, into: &Path) -> Command {
    let mut command = Command::new(language);
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
        .args([package.from, package.version, package.sha256, detail])
        .arg(into);
    command
}

fn run(command: &mut Command, package: &Package) -> Result<(), String> {
    let status = command.status();
    let status =
        status.map_err(|e| format!("cannot start {}: {e}", command.get_program().display()))?;
    if status.success() {
        return Ok(());
    }
    let Package { from, version, .. } = package;
    Err(format!(
        "{from} {version} could not be installed, see above; --offline does without"
    ))
}
