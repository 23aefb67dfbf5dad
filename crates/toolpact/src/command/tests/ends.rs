//! However a call ends, no one stays behind.

use std::time::{Duration, Instant};

use tempfile::NamedTempFile;
use toolpact_core::contract::Command;

use super::processes::{running, wait_until_gone};
use super::{run, sh};
use crate::command::{CommandFault, CommandLimits};

/// Starts a tree of processes that ignores what it can ignore, after writing its number.
const TREE: &str = r#"
    trap '' TERM INT HUP
    (sleep 1000 & sleep 1000) &
    sleep 1000 &
    echo $$ > "$1.new"; mv "$1.new" "$1"
"#;

/// A program that writes the number of its group to a file.
struct Started {
    file: NamedTempFile,
    command: Command,
}

impl Started {
    fn new(then: &str) -> Self {
        let file = NamedTempFile::new().unwrap();
        let command = sh(&format!("{TREE}{then}"), &[file.path().to_str().unwrap()]);
        Self { file, command }
    }

    fn group(&self) -> Option<u32> {
        std::fs::read_to_string(self.file.path())
            .unwrap()
            .trim()
            .parse()
            .ok()
    }

    /// Waits until everyone is there.
    async fn ready(&self) -> u32 {
        loop {
            match self.group() {
                Some(group) if running(group) >= 4 => return group,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    }

    async fn run_and_drop(&self) -> u32 {
        tokio::select! {
            group = self.ready() => group,
            result = run(&self.command, b"{}") => panic!("{result:?}"),
        }
    }
}

#[tokio::test]
async fn dropped() {
    let group = Started::new("wait").run_and_drop().await;
    wait_until_gone(group);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelled_on_another_thread() {
    let started = Started::new("cat; wait");
    let command = started.command.clone();
    let call = tokio::spawn(async move { run(&command, b"{}").await });
    let group = started.ready().await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    wait_until_gone(group);
}

/// The runtime ends with the call, so that no task of it could reap anyone.
#[test]
fn dropped_with_the_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    let started = Started::new("wait");
    let group = runtime.block_on(started.run_and_drop());
    drop(runtime);
    wait_until_gone(group);
}

#[tokio::test]
async fn ended_with_others_left_behind() {
    let started = Started::new("echo done; exit 0");
    let start = Instant::now();
    let stdout = run(&started.command, b"{}").await.unwrap();
    assert!(start.elapsed() < Duration::from_secs(30));
    assert_eq!(stdout, b"done\n");
    wait_until_gone(started.group().unwrap());

    let badly = Started::new("exit 4").command;
    let error = run(&badly, b"{}").await.unwrap_err();
    assert!(matches!(error, CommandFault::Exit { status: 4, .. }));
}

#[tokio::test]
async fn said_too_much() {
    let started = Started::new("yes");
    let limits = CommandLimits {
        stdout_bytes: 10,
        ..CommandLimits::default()
    };
    let error = crate::command::run(&started.command, b"{}", &limits, &mut None)
        .await
        .unwrap_err();
    assert!(matches!(
        error.fault,
        CommandFault::TooMuchOutput { limit: 10 }
    ));
    wait_until_gone(started.group().unwrap());
}

/// One that has left the group cannot be killed with it, but it holds up no one.
#[tokio::test]
async fn escaped() {
    let start = Instant::now();
    let command = sh("setsid sleep 20 & echo done", &[]);
    assert_eq!(run(&command, b"{}").await.unwrap(), b"done\n");
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// A program may close its pipes and go on.
#[tokio::test]
async fn silent() {
    let error = run(&sh("exec <&- >&- 2>&-; sleep 0.2; exit 3", &[]), b"{}").await;
    assert!(matches!(error, Err(CommandFault::Exit { status: 3, .. })));
}

#[tokio::test]
async fn many_at_once() {
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..50 {
        calls.spawn(async move {
            let stdout = run(&sh("cat", &[]), n.to_string().as_bytes())
                .await
                .unwrap();
            assert_eq!(stdout, n.to_string().as_bytes());
        });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
}
