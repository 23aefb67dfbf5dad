//! The worker as a process: confined, used again, replaced.

use std::fs;
use std::path::Path;
use std::time::Duration;

use toolpact::code::{RunOptions, Sandbox};
use toolpact::error::ErrorKind;

use crate::bench::{Bench, WORKER, options};

/// A worker that writes its process down, and a sandbox of it.
#[cfg(target_os = "linux")]
struct Known {
    folder: tempfile::TempDir,
    bench: Bench,
}

#[cfg(target_os = "linux")]
impl Known {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("worker");
        let pids = folder.path().join("pids");
        let text = format!(
            "#!/bin/sh\necho $$ >> '{}'\nexec '{WORKER}'\n",
            pids.display()
        );
        write_program(&program, &text);
        let mut bench = Bench::new();
        bench.sandbox = Sandbox::at(program);
        Self { folder, bench }
    }

    fn pids(&self) -> Vec<u32> {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        pids.lines().map(|pid| pid.parse().unwrap()).collect()
    }
}

#[cfg(target_os = "linux")]
#[test]
fn it_is_used_again_unless_something_went_wrong() {
    let known = Known::new();
    for script in ["1", "1 / 0", "x: int = 'a'", "x = (", "fail()", "add(1, 2)"] {
        let _ = known.bench.ran(script);
    }
    assert_eq!(known.pids().len(), 1);
    let _ = known.bench.ran("def f():\n    f()\nf()");
    known.bench.value("1");
    assert_eq!(known.pids().len(), 2);
    // The first is gone.
    let gone = fs::read_to_string(format!("/proc/{}/status", known.pids()[0]));
    assert!(gone.is_err() || gone.unwrap().contains("zombie"));
}

/// What the operating system lets it do.
#[cfg(target_os = "linux")]
#[test]
fn it_is_confined() {
    let known = Known::new();
    known.bench.value("1");
    let pid = known.pids()[0];
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap();
    let line = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        line[name.len()..]
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for name in ["Max file size", "Max core file size", "Max open files"] {
        assert_eq!(line(name)[..2], ["0", "0"], "{name}");
    }
    assert_ne!(line("Max address space")[1], "unlimited");
    assert_eq!(
        fs::read_link(format!("/proc/{pid}/cwd")).unwrap(),
        Path::new("/")
    );
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
    assert!(!environment.windows(5).any(|bytes| bytes == b"HOME="));
    // Every thread has a filter for calls of the system.
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let statuses: Vec<String> = threads
        .map(|thread| fs::read_to_string(thread.unwrap().path().join("status")).unwrap())
        .collect();
    assert!(statuses.len() >= 2);
    for status in statuses {
        assert!(status.contains("Seccomp:\t2"), "{status}");
    }
}

/// The program that tries what the worker may not.
#[cfg(target_os = "linux")]
fn attempts() -> std::path::PathBuf {
    let program = Path::new(WORKER)
        .parent()
        .unwrap()
        .join("examples/attempts");
    assert!(program.is_file(), "cargo builds examples for tests");
    program
}

/// Whatever native code tries, in whichever thread.
#[cfg(target_os = "linux")]
#[test]
fn every_thread_is_refused_what_an_interpreter_does_not_need() {
    let tried = std::process::Command::new(attempts()).output().unwrap();
    let said = String::from_utf8(tried.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "filter: Ok(())");
    assert_eq!(
        lines.len(),
        1 + 3 * 14,
        "{said}{}",
        String::from_utf8_lossy(&tried.stderr)
    );
    for line in &lines[1..] {
        assert!(line.ends_with(": 1"), "not EPERM: {line}");
    }
}

/// A worker that cannot confine itself runs nothing, unless it is told to.
#[cfg(target_os = "linux")]
#[test]
fn without_a_filter_no_script_runs_unless_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("worker");
    let text = format!(
        "#!/bin/sh\nexec '{}' '{WORKER}' \"$@\"\n",
        attempts().display()
    );
    write_program(&program, &text);
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::at(&program);
    let error = bench.error("1 + 1");
    assert_eq!(error.kind(), ErrorKind::NoWorker, "{error}");
    let said = error.to_string();
    assert!(
        said.contains("cannot keep the system from scripts"),
        "{said}"
    );
    assert!(said.contains("--allow-unconfined"), "{said}");
    bench.sandbox = Sandbox::at(&program).allow_unconfined(true);
    assert_eq!(bench.value("1 + 1"), "2");
}

/// What the host has open is not open in the worker.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_host_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (program, pids) = (folder.path().join("worker"), folder.path().join("pids"));
    let text = format!(
        "#!/bin/sh\necho $$ >> '{}'\nexec '{WORKER}' \"$@\" 9</etc/passwd 7</\n",
        pids.display()
    );
    write_program(&program, &text);
    let mut bench = Bench::new();
    bench.sandbox = Sandbox::at(&program);
    assert_eq!(bench.value("1 + 1"), "2");
    let pid = fs::read_to_string(pids).unwrap();
    let open = fs::read_dir(format!("/proc/{}/fd", pid.trim())).unwrap();
    let mut open: Vec<_> = open.map(|entry| entry.unwrap().file_name()).collect();
    open.sort();
    assert_eq!(open, ["0", "1", "2"]);
}

#[cfg(target_os = "linux")]
fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A worker that is killed from outside is told apart from a script that fails.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_lost() {
    let known = Known::new();
    known.bench.value("1");
    let pid = known.pids()[0].to_string();
    let killer = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let _ = std::process::Command::new("kill")
            .args(["-9", &pid])
            .status();
    };
    let Bench {
        runtime,
        sandbox,
        tools,
    } = &known.bench;
    let options = options();
    let run = sandbox.run("wait(4000)\nwait(4000)", tools, &options);
    let (ran, ()) = runtime.block_on(async { tokio::join!(run, killer) });
    let error = ran.end.unwrap_err();
    assert_eq!(error.code(), "worker-lost", "{error}");
    assert!(!error.is_script_fault());
    assert_eq!(known.bench.value("1 + 1"), "2");
}

/// One that ends while nobody uses it is not missed.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_gone_is_replaced() {
    let known = Known::new();
    known.bench.value("1");
    let pid = known.pids()[0].to_string();
    let kill = std::process::Command::new("kill")
        .args(["-9", &pid])
        .status();
    assert!(kill.unwrap().success());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(known.bench.value("1 + 1"), "2");
}

/// Nor one that was started by a runtime that is gone.
#[test]
fn another_runtime_can_use_the_sandbox() {
    let mut bench = Bench::new();
    bench.value("1");
    bench.runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(bench.value("add(1, 1)"), "2");
}

#[test]
fn without_a_worker_it_says_what_to_build() {
    let bench = Bench::new();
    let options = RunOptions::default();
    let nowhere = Sandbox::at("/nowhere/toolpact-code");
    let error = bench
        .runtime
        .block_on(nowhere.check("1", &bench.tools, &options))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoWorker, "{error}");
    // Something that is no worker.
    let other = Sandbox::at("/bin/echo");
    let error = bench
        .runtime
        .block_on(other.check("1", &bench.tools, &options))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cargo build --release -p toolpact-code"),
        "{error}"
    );
}

/// Whatever is written to it, it does not take a script for what is none.
#[test]
fn frames_that_make_no_sense() {
    use std::io::{Read as _, Write as _};
    use std::process::{Command, Stdio};
    let frames: [&[u8]; 5] = [
        b"\xff\xff\xff\xff",
        b"\x05\0\0\0{\"a\":",
        b"\x02\0\0\0{}",
        b"\x06\0\0\0\"Save\"",
        b"\x0a\0\0\0nonsense!!",
    ];
    for frame in frames {
        let mut worker = Command::new(WORKER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        worker.stdin.take().unwrap().write_all(frame).unwrap();
        let mut said = String::new();
        worker
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        let status = worker.wait().unwrap();
        assert!(status.code().is_some(), "{frame:?} {status}");
        assert!(!said.contains("panicked"), "{said}");
    }
}
