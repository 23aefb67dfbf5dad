//! Hosts and runtimes as processes of their own, whose memory can be told.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use toolpact::{Registry, Session};
use toolpact_grid::{Host, Runtime, connect};

use crate::{growth, long, soak};

/// Does what a process of this role does.
pub(crate) async fn act(role: &str, url: &str, rest: &[&str]) {
    match role {
        "long-runtime" => serve(url, "long", 64, &long::registry()).await,
        "long-host" => long::host(url, rest).await,
        "soak-runtime" => serve(url, "soak", soak::CAPACITY, &soak::registry()).await,
        "soak-host" => soak::host(url).await,
        "growth-runtimes" => growth::runtimes(url, rest).await,
        "growth-host" => growth::host(url, rest).await,
        other => panic!("no role {other}"),
    }
}

/// A process that was started; it ends with this.
pub(crate) struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Process {
    pub(crate) fn start(role: &str, url: &str, rest: &[String]) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["process", role, url])
            .args(rest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        Self {
            stdin: child.stdin.take().unwrap(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    /// What it says next.
    pub(crate) async fn line(&mut self) -> String {
        let line = tokio::time::timeout(Duration::from_secs(900), self.lines.next_line()).await;
        line.unwrap()
            .unwrap()
            .unwrap_or_else(|| panic!("a process has ended"))
    }

    pub(crate) async fn tell(&mut self, line: &str) {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        self.stdin.flush().await.unwrap();
    }

    /// MiB of memory: `VmRSS` or `VmHWM`.
    pub(crate) fn memory(&self, field: &str) -> f64 {
        memory(&self.child.id().unwrap().to_string(), field)
    }

    /// Seconds of a processor that it has used.
    pub(crate) fn seconds(&self) -> f64 {
        let stat = format!("/proc/{}/stat", self.child.id().unwrap());
        let stat = std::fs::read_to_string(stat).unwrap_or_default();
        let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        let ticks = rest
            .split(' ')
            .skip(11)
            .take(2)
            .filter_map(|word| word.parse::<f64>().ok());
        ticks.sum::<f64>() / 100.0
    }
}

pub(crate) fn memory(process: &str, field: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes
        .and_then(|number| number.parse::<f64>().ok())
        .unwrap_or(f64::NAN)
        / 1024.0
}

/// A runtime of these tools, which says when it is admitted.
async fn serve(url: &str, prefix: &str, capacity: usize, registry: &Registry) {
    let builder = Runtime::builder(connect(url).await.unwrap())
        .prefix(prefix)
        .capacity(capacity);
    let runtime = builder.join(registry).await.unwrap();
    runtime.admitted().await.unwrap();
    println!("admitted");
    std::future::pending::<()>().await;
}

/// A host of these tools, and its session.
pub(crate) async fn host(url: &str, prefix: &str, registry: &Registry) -> (Host, Session) {
    let contracts = registry.list();
    let contracts = contracts.iter().map(|tool| tool.contract().clone());
    let builder = Host::builder(connect(url).await.unwrap()).prefix(prefix);
    let host = builder.open(contracts).await.unwrap();
    let remote = Registry::new();
    remote.add_all(host.definitions()).unwrap();
    (host, remote.session().open().unwrap())
}
