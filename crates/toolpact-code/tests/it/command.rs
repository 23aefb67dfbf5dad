//! The command, and the page about it, as transcripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::bench::WORKER;

/// The program `toolpact`, which cargo builds beside the worker.
pub(crate) fn program() -> PathBuf {
    let program =
        Path::new(WORKER).with_file_name(format!("toolpact{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        // With `--workspace` it is there by now.
        let build = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "toolpact-cli"])
            .status();
        assert!(
            build.unwrap().success() && program.is_file(),
            "cargo build -p toolpact-cli"
        );
    }
    program
}

fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("toolpact", program().as_path())
        .default_bin_path(program())
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "0")
        .env("COLUMNS", "100")
        .env("TOOLPACT_CODE", WORKER)
        .env("TOOLPACT_KEY", "a key for these tests");
    cases
}

#[test]
fn transcripts() {
    cases().case("tests/cmd/*.trycmd");
}

#[test]
fn the_page_about_scripts_is_a_transcript() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("code.md");
    let examples = folder.path().join("code.in/examples");
    fs::create_dir_all(&examples).unwrap();
    for example in fs::read_dir(repository.join("examples")).unwrap() {
        let example = example.unwrap();
        // An example that is a crate has a page of its own.
        if example.file_type().unwrap().is_file() {
            fs::copy(example.path(), examples.join(example.file_name())).unwrap();
        }
    }
    fs::copy(repository.join("docs/code.md"), &copy).unwrap();
    let page = fs::read_to_string(&copy).unwrap();
    let config = page.split("```yaml\n").nth(1).unwrap();
    let config = config.split("```").next().unwrap();
    fs::write(folder.path().join("code.in/toolpact.yaml"), config).unwrap();
    cases().case(copy);
}

/// A run that is asked to stop from outside keeps what it has.
#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_and_another_process_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let tools = "toolpact: 1\ntools:\n  - name: nap\n    description: Sleeps.\n    parameters: { type: object }\n    returns: { type: integer }\n    run: { command: [sh, -c, 'echo >> naps; sleep 2; echo 1'] }\n";
    write("tools.yaml", tools);
    write("naps.py", "print('begin')\nsum(nap() for i in range(3))\n");
    let toolpact = |args: &[&str]| {
        let mut command = Command::new(program());
        command
            .args(args)
            .args(["--tools", "tools.yaml"])
            .current_dir(folder.path())
            .env("TOOLPACT_CODE", WORKER)
            .env("TOOLPACT_KEY", "a key for these tests")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        command
    };
    let running = toolpact(&["run", "naps.py", "--snapshot", "run.bin"])
        .spawn()
        .unwrap();
    // While the first tool runs.
    while !folder.path().join("naps").exists() {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let pid = running.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let stopped = running.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&stopped.stderr).into_owned();
    assert_eq!(stopped.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("stopped; wrote run.bin"), "{stderr}");
    let resumed = toolpact(&["run", "--resume", "run.bin"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), "begin\n3\n");
    // None was taken twice.
    assert_eq!(
        fs::read_to_string(folder.path().join("naps"))
            .unwrap()
            .lines()
            .count(),
        3
    );
}

/// A shell may have anything open when it starts the program.
#[cfg(target_os = "linux")]
#[test]
fn programs_of_tools_have_nothing_of_the_host_open() {
    let folder = tempfile::tempdir().unwrap();
    let tools = folder.path().join("tools.yaml");
    let contract = "name: open_files\ndescription: What it has open.\nparameters: { type: object }\nreturns: { type: string }\nrun: { command: [ls, /proc/self/fd] }\n";
    fs::write(&tools, contract).unwrap();
    let called = Command::new("sh")
        .args(["-c", "exec \"$@\" 9</etc/passwd 7</", "sh"])
        .arg(program())
        .args(["call", "open_files", "--tools"])
        .arg(&tools)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&called.stdout);
    let open: Vec<&str> = said.lines().collect();
    // The last is the folder that is listed.
    assert_eq!(open, ["0", "1", "2", "3"], "{called:?}");
}
