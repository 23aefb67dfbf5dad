//! The worker as a process: confined, used again, replaced.

use std::fs;
use std::path::Path;

use toolpact::code::{CodeError, Options, Sandbox};

use crate::bench::{Bench, WORKER, options};

#[test]
fn it_is_used_again() {
    let bench = Bench::new();
    bench.value("1");
    let first = workers();
    for script in ["2", "1 / 0", "x: int = 'a'", "x = (", "fail()"] {
        let _ = bench.ran(script);
    }
    let mine: Vec<_> = workers()
        .into_iter()
        .filter(|pid| first.contains(pid))
        .collect();
    assert!(!mine.is_empty());
}

/// Those of this process.
fn workers() -> Vec<u32> {
    let me = std::process::id();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let found = all.filter_map(|entry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent: u32 = stat
            .rsplit(')')
            .next()?
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()?;
        (parent == me).then_some(pid)
    });
    found.collect()
}

/// What the operating system lets it do.
#[cfg(target_os = "linux")]
#[test]
fn it_is_confined() {
    let bench = Bench::new();
    let before = workers();
    bench.value("1");
    let pid = workers()
        .into_iter()
        .find(|pid| !before.contains(pid))
        .unwrap();
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
    assert_eq!(fs::read(format!("/proc/{pid}/environ")).unwrap(), b"");
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
    let bench = Bench::new();
    let before = workers();
    let killer = async {
        tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
        for pid in workers().into_iter().filter(|pid| !before.contains(pid)) {
            let _ = std::process::Command::new("kill")
                .args(["-9", &pid.to_string()])
                .status();
        }
    };
    let options = options();
    let run = bench
        .sandbox
        .run("wait(4000)\nwait(4000)\nwait(4000)", &bench.tools, &options);
    let (ran, ()) = bench.runtime.block_on(async { tokio::join!(run, killer) });
    let error = ran.end.unwrap_err();
    assert_eq!(error.code(), "worker-lost", "{error}");
    assert!(error.is_ours());
    assert_eq!(bench.value("1 + 1"), "2");
}

#[test]
fn without_a_worker_it_says_what_to_build() {
    let bench = Bench::new();
    let options = Options::default();
    let nowhere = Sandbox::at("/nowhere/toolpact-code");
    let error = bench
        .runtime
        .block_on(nowhere.check("1", &bench.tools, &options))
        .unwrap_err();
    assert!(matches!(error, CodeError::NoWorker(_)), "{error}");
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
