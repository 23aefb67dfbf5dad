//! Processes, their time, and what comes of it all.

use std::fmt::Display;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::load::Turn;
use crate::servers::Kind;

/// A server in a process of its own, which ends with this.
pub(crate) struct Process {
    child: Child,
    port: u16,
}

/// The pipes of a server that serves lines.
pub(crate) struct Pipes {
    pub(crate) input: ChildStdin,
    pub(crate) output: ChildStdout,
}

impl Process {
    /// One that serves lines on its standard input and output.
    pub(crate) fn start_with_pipes(kind: Kind) -> Result<(Self, Pipes)> {
        let mut child = spawn("--stdio-server", kind)?;
        let pipes = Pipes {
            input: child.stdin.take().ok_or("expected an input")?,
            output: child.stdout.take().ok_or("expected an output")?,
        };
        Ok((Self { child, port: 0 }, pipes))
    }

    /// One that serves HTTP.
    pub(crate) fn start(kind: Kind) -> Result<Self> {
        let mut child = spawn("--server", kind)?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("expected an output")?;
        BufReader::new(output).read_line(&mut line)?;
        let port = line.trim().parse()?;
        Ok(Self { child, port })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The time of the processor that it has used, its own and the kernel's for it. Zero where that
    /// cannot be read.
    pub(crate) fn time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.unwrap_or_default();
        // The name of the program is in brackets, and may contain anything.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks: u64 = fields
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|ticks| ticks.parse::<u64>().ok())
            .sum();
        Duration::from_millis(ticks * 10)
    }
}

fn spawn(how: &str, kind: Kind) -> Result<Child> {
    let child = Command::new(std::env::current_exe()?)
        .args([how, kind.name()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    Ok(child)
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All turns of a server.
#[derive(Default)]
pub(crate) struct Figures {
    took: Duration,
    processor: Duration,
    calls: Vec<Duration>,
    /// Calls a second of each turn.
    rates: Vec<f64>,
}

impl Figures {
    const HEAD: &str = "                             calls/s     p50 µs     p99 µs  server CPU µs   calls/s ×   CPU ×";

    pub(crate) fn add(&mut self, turn: Turn, processor: Duration) {
        self.rates
            .push(number(turn.calls.len()) / turn.took.as_secs_f64());
        self.took += turn.took;
        self.processor += processor;
        self.calls.extend(turn.calls);
    }

    /// Prints the figures of all servers, each beside those of the first.
    pub(crate) fn print(title: impl Display, all: &[&Self]) {
        println!("\n{title}\n{}", Self::HEAD);
        let Some(base) = all.first() else { return };
        for (kind, figures) in Kind::ALL.into_iter().zip(all) {
            println!("{}", figures.row(kind, base));
        }
        for (kind, figures) in Kind::ALL.into_iter().zip(all).skip(1) {
            println!("{}", figures.verdict(kind, base));
        }
    }

    fn row(&self, kind: Kind, base: &Self) -> String {
        let mut calls = self.calls.clone();
        calls.sort_unstable();
        let quantile = |hundredths: usize| {
            let place = calls.len() * hundredths / 100;
            calls.get(place).map_or(0.0, |call| micros(*call))
        };
        format!(
            "{kind:<27}{:>9.0}  {:>9.0}  {:>9.0}  {:>13.1}  {:>10.2}  {:>6.2}",
            self.rate(),
            quantile(50),
            quantile(99),
            self.each(),
            self.rate() / base.rate(),
            self.each() / base.each(),
        )
    }

    /// How it compares, turn by turn.
    fn verdict(&self, kind: Kind, base: &Self) -> String {
        let pairs = self.rates.iter().zip(&base.rates);
        let mut ratios: Vec<f64> = pairs.map(|(ours, theirs)| ours / theirs).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let at = |place: usize| ratios.get(place).copied().unwrap_or_default();
        let (quarter, half) = (ratios.len() / 4, ratios.len() / 2);
        format!(
            "{kind}: {:.2} of the calls per second in the middle turn, half of the turns between \
             {:.2} and {:.2}",
            at(half),
            at(quarter),
            at(ratios.len().saturating_sub(1 + quarter)),
        )
    }

    fn rate(&self) -> f64 {
        number(self.calls.len()) / self.took.as_secs_f64()
    }

    /// Time of the processor for a call.
    fn each(&self) -> f64 {
        micros(self.processor) / number(self.calls.len())
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "nobody waits for so many")]
fn number(count: usize) -> f64 {
    count as f64
}
