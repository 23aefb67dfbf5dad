use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use serde_json::{Value as Json, json};
use toolpact_grid::{CallFigures, GridStatus, Presence};

use super::manifest::short;
use crate::grid::GridArguments;
use crate::output::{Output, printable};
use crate::status::Status;
use crate::table::table;

/// Show the hosts, runtimes and tools of a grid
///
/// Runtimes say how many calls they run; hosts say how many they have made, how long those took, and which
/// runtimes they leave alone after failures (`open` breakers).
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show it again every two seconds
    #[arg(long, short)]
    watch: bool,
    #[command(flatten)]
    grid: GridArguments,
}

const PAUSE: Duration = Duration::from_secs(2);

pub(super) async fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let grid = arguments.grid.operator().await?;
    loop {
        let status = grid.status().await?;
        let view = View::of(&status);
        match (arguments.json, arguments.watch) {
            // One on a line, for programs that follow it.
            (true, true) => writeln!(out, "{}", view.json(&status))?,
            (true, false) => writeln!(out, "{:#}", view.json(&status))?,
            (false, watch) => {
                if watch && out.is_terminal() {
                    // The screen is cleared.
                    write!(out, "\u{1b}[2J\u{1b}[H")?;
                }
                view.write(&status, out)?;
            }
        }
        out.flush()?;
        if !arguments.watch || out.is_closed() {
            return Ok(Status::Fine);
        }
        if !arguments.json {
            writeln!(out)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// What hosts and runtimes say together.
struct View {
    tools: BTreeMap<Box<str>, Tool>,
    runtimes: BTreeMap<Box<str>, CallSums>,
}

/// A tool with the contract that hosts have, or that a runtime offers.
#[derive(Default)]
struct Tool {
    digests: Vec<Box<str>>,
    runtimes: usize,
    calls: CallSums,
}

/// Calls of all hosts.
#[derive(Default, Clone, Copy)]
struct CallSums {
    calls: u64,
    failures: u64,
    p50_ms: Option<f64>,
    p99_ms: Option<f64>,
    open_breakers: usize,
}

impl CallSums {
    /// Of several hosts, the slowest says how long calls take.
    fn add(&mut self, figures: &CallFigures) {
        let most = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        self.calls += figures.calls;
        self.failures += figures.failures;
        self.p50_ms = most(self.p50_ms, figures.p50_ms);
        self.p99_ms = most(self.p99_ms, figures.p99_ms);
        self.open_breakers += usize::from(figures.breaker_open);
    }

    fn words(&self) -> [String; 4] {
        let time = |ms: Option<f64>| match ms {
            None => "-".to_owned(),
            Some(ms) if ms < 10.0 => format!("{ms:.1} ms"),
            Some(ms) => format!("{ms:.0} ms"),
        };
        let (calls, failures) = (self.calls.to_string(), self.failures.to_string());
        [calls, failures, time(self.p50_ms), time(self.p99_ms)]
    }
}

impl View {
    fn of(status: &GridStatus) -> Self {
        let mut tools: BTreeMap<Box<str>, Tool> = BTreeMap::new();
        let mut runtimes: BTreeMap<Box<str>, CallSums> = BTreeMap::new();
        for report in &status.reports {
            for figures in &report.tool_calls {
                let tool = tools.entry(figures.name.clone()).or_default();
                tool.knows(figures.digest.as_deref().unwrap_or_default());
                tool.calls.add(figures);
            }
            for figures in &report.runtime_calls {
                runtimes
                    .entry(figures.name.clone())
                    .or_default()
                    .add(figures);
            }
        }
        for runtime in &status.runtimes {
            for (name, digest) in &runtime.tools {
                let tool = tools.entry(name.clone()).or_default();
                tool.knows(digest);
                tool.runtimes += 1;
            }
        }
        Self { tools, runtimes }
    }

    fn write(&self, status: &GridStatus, out: &mut Output) -> anyhow::Result<()> {
        if status.hosts.is_empty() && status.runtimes.is_empty() {
            writeln!(out, "nobody is there")?;
            return Ok(());
        }
        let rows: Vec<[String; 6]> = { status.hosts.iter() }
            .map(|host| {
                let numbers = [host.tools, host.runtimes, host.in_flight].map(|n| n.to_string());
                let [tools, runtimes, in_flight] = numbers;
                let manifest = printable(short(&host.manifest));
                [
                    printable(&host.host),
                    printable(&host.version),
                    manifest,
                    tools,
                    runtimes,
                    in_flight,
                ]
            })
            .collect();
        let head = [
            "HOST",
            "VERSION",
            "MANIFEST",
            "TOOLS",
            "RUNTIMES",
            "IN FLIGHT",
        ];
        table(head, &rows, out)?;
        writeln!(out)?;
        let rows: Vec<[String; 9]> = status.runtimes.iter().map(|one| self.row(one)).collect();
        let head = [
            "RUNTIME",
            "PROGRAM",
            "TOOLS",
            "IN FLIGHT",
            "STATE",
            "CALLS",
            "LOST",
            "P50",
            "P99",
        ];
        table(head, &rows, out)?;
        writeln!(out)?;
        let rows: Vec<[String; 7]> = { self.tools.iter() }
            .map(|(name, tool)| {
                let digests: Vec<String> = tool
                    .digests
                    .iter()
                    .map(|one| printable(short(one)))
                    .collect();
                let [calls, failures, p50, p99] = tool.calls.words();
                let runtimes = tool.runtimes.to_string();
                [
                    printable(name),
                    digests.join(", "),
                    runtimes,
                    calls,
                    failures,
                    p50,
                    p99,
                ]
            })
            .collect();
        table(
            [
                "TOOL", "CONTRACT", "RUNTIMES", "CALLS", "FAILED", "P50", "P99",
            ],
            &rows,
            out,
        )
    }

    fn row(&self, runtime: &Presence) -> [String; 9] {
        let sums = self
            .runtimes
            .get(&runtime.runtime)
            .copied()
            .unwrap_or_default();
        let [calls, failures, p50, p99] = sums.words();
        let in_flight = format!("{} of {}", runtime.in_flight, runtime.capacity);
        let program = printable(&format!("{} {}", runtime.language, runtime.version));
        [
            printable(&runtime.runtime),
            program.trim().to_owned(),
            runtime.tools.len().to_string(),
            in_flight,
            state(runtime, &sums).to_owned(),
            calls,
            failures,
            p50,
            p99,
        ]
    }

    fn json(&self, status: &GridStatus) -> Json {
        let figures = |sums: &CallSums| {
            json!({
                "calls": sums.calls, "failures": sums.failures, "p50_ms": sums.p50_ms, "p99_ms": sums.p99_ms,
            })
        };
        let runtimes = status.runtimes.iter().map(|runtime| {
            let sums = self
                .runtimes
                .get(&runtime.runtime)
                .copied()
                .unwrap_or_default();
            let mut all = json!(runtime);
            all["state"] = json!(state(runtime, &sums));
            all["calls"] = figures(&sums);
            all
        });
        let tools = self.tools.iter().map(|(name, tool)| {
            json!({
                "name": name, "digests": tool.digests, "runtimes": tool.runtimes, "calls": figures(&tool.calls),
            })
        });
        json!({
            "hosts": status.hosts,
            "runtimes": runtimes.collect::<Vec<_>>(),
            "tools": tools.collect::<Vec<_>>(),
        })
    }
}

impl Tool {
    fn knows(&mut self, digest: &str) {
        if !self.digests.iter().any(|one| **one == *digest) {
            self.digests.push(digest.into());
        }
    }
}

fn state(runtime: &Presence, sums: &CallSums) -> &'static str {
    match (runtime.draining, sums.open_breakers) {
        (true, _) => "draining",
        (false, 0) => "ready",
        (false, _) => "breaker open",
    }
}
