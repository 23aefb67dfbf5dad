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
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("worker");
        let pids = folder.path().join("pids");
        let text = format!(
            "#!/bin/sh\necho $$ >> '{}'\nexec '{WORKER}'\n",
            pids.display()
        );
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
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
    // The thread of the interpreter has a filter for calls of the system.
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let filtered = threads.filter(|thread| {
        let status = thread.as_ref().unwrap().path().join("status");
        fs::read_to_string(status).unwrap().contains("Seccomp:\t2")
    });
    assert_eq!(filtered.count(), 1);
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
