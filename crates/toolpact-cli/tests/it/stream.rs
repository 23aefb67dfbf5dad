//! Streams of calls that are longer than memory, or lines that are.

use std::io::Write;
use std::process::Stdio;

use crate::run::{Folder, Ran};

#[test]
fn a_line_that_is_too_long_is_refused_and_the_stream_goes_on() {
    let call =
        |place: &str| format!("{{\"name\": \"get_time\", \"args\": {{\"place\": \"{place}\"}}}}\n");
    let stream = [call("Oslo"), call(&"x".repeat(5_000_000)), call("Bergen")].concat();
    let folder = Folder::with_good_tool();
    let ran = folder.run_with(
        stream,
        [
            "validate",
            "--tools",
            "good.json",
            "--calls",
            "-",
            "--max-bytes",
            "1000",
        ],
    );
    ran.assert(1, "<stdin>:2:1: error[json-too-large]: ", "");
    ran.assert(1, "<stdin>: 3 calls, 1 invalid\n", "");
}

#[test]
fn garbage_is_reported_line_by_line() {
    let folder = Folder::with_good_tool();
    let stream = b"\xff\xfe\n\0\n\xef\xbb\xbf{}\n[[[[\n\"\\ud800\"\nnull\n1e999\n{\"name\": 1}\n";
    let ran = folder.run_with(stream, ["validate", "--tools", "good.json", "--calls", "-"]);
    ran.assert(1, "<stdin>: 8 calls, 8 invalid\n", "");
    let ran = folder.run_with(stream, ["validate", "--results", "-"]);
    ran.assert(1, "<stdin>: 8 results, 8 invalid\n", "");
}

/// A stream of any length takes the memory of a few lines.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_stream() {
    const MEGABYTES: usize = 300;
    const LINE: usize = 1 << 18;
    let folder = Folder::with_good_tool();
    let mut command = folder.command([
        "validate",
        "--tools",
        "good.json",
        "--calls",
        "-",
        "--quiet",
        "--report",
        "report.jsonl",
        "--threads",
        "8",
    ]);
    command.stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // Every second line is wrong, because what is found must not pile up either.
    let place = "x".repeat(LINE);
    let lines = ["3", "\"3\""].map(|hour| {
        format!(
            "{{\"name\": \"get_time\", \"args\": {{\"place\": \"{place}\", \"hour\": {hour}}}}}\n"
        )
    });
    let count = (MEGABYTES << 20) / LINE;
    for i in 0..count {
        stdin.write_all(lines[i % 2].as_bytes()).unwrap();
    }
    let peak = peak_memory(child.id());
    drop(stdin);
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.assert(1, "<stdin>: 1,200 calls, 600 invalid\n", "");
    assert!(peak < 64 << 10, "{peak} KiB at its peak");
    assert_eq!(folder.read("report.jsonl").lines().count(), count / 2);
}

/// Many short lines, every one of them wrong.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_what_is_found() {
    const LINES: usize = 100_000;
    let folder = Folder::with_good_tool();
    let mut command = folder.command([
        "validate",
        "--tools",
        "good.json",
        "--calls",
        "-",
        "-q",
        "--threads",
        "8",
    ]);
    command.stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = "{\"name\": \"get_tim\", \"args\": {}}\n".repeat(1_000);
    for _ in 0..LINES / 1_000 {
        stdin.write_all(lines.as_bytes()).unwrap();
    }
    let peak = peak_memory(child.id());
    drop(stdin);
    let ran = Ran::of(child.wait_with_output().unwrap());
    ran.assert(1, "  100,000  unknown-function  ", "");
    assert!(peak < 64 << 10, "{peak} KiB at its peak");
}

/// The most memory a process has held so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
