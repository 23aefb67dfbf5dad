//! Processes, their time, and what comes of it all.

use std::fmt::Display;
use std::io::{BufRead as _, BufReader};
use std::ops::AddAssign;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::load::Turn;
use crate::servers::Kind;

/// A server in a process of its own, which ends with this.
pub(crate) struct Process {
    child: Child,
    place: Place,
}

/// Where a server is.
#[derive(Default)]
pub(crate) struct Place {
    pub(crate) port: u16,
    /// The header of who may call it, if it asks.
    pub(crate) credentials: String,
}

impl Place {
    /// What a server says first: its port, and a token if it asks for one.
    pub(crate) fn read(output: ChildStdout) -> Result<Self> {
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let mut words = line.split_whitespace();
        let port = words.next().unwrap_or_default().parse()?;
        let header = |token| format!("authorization: Bearer {token}\r\n");
        let credentials = words.next().map(header).unwrap_or_default();
        Ok(Self { port, credentials })
    }
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
        let place = Place::default();
        Ok((Self { child, place }, pipes))
    }

    /// One that serves HTTP.
    pub(crate) fn start(kind: Kind) -> Result<Self> {
        let mut child = spawn("--server", kind)?;
        let output = child.stdout.take().ok_or("expected an output")?;
        let place = Place::read(output)?;
        Ok(Self { child, place })
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// What it has used so far. Zero where that cannot be read.
    pub(crate) fn used(&self) -> Used {
        let directory = format!("/proc/{}", self.child.id());
        let stat = std::fs::read_to_string(format!("{directory}/stat"));
        let stat = stat.unwrap_or_default();
        // The name of the program is in brackets, and may contain anything.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let mut ticks = fields.split_whitespace().skip(11).map(str::parse::<u64>);
        let mut time = || {
            Duration::from_millis(ticks.next().and_then(std::result::Result::ok).unwrap_or(0) * 10)
        };
        Used {
            program: time(),
            kernel: time(),
            waits: waits(&directory),
        }
    }
}

/// What a process has used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    /// Time of the processor, its own.
    program: Duration,
    /// Time of the processor in the kernel.
    kernel: Duration,
    /// How often one of its threads had to wait.
    waits: u64,
}

impl Used {
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            program: self.program.saturating_sub(before.program),
            kernel: self.kernel.saturating_sub(before.kernel),
            waits: self.waits.saturating_sub(before.waits),
        }
    }
}

impl AddAssign for Used {
    fn add_assign(&mut self, other: Self) {
        self.program += other.program;
        self.kernel += other.kernel;
        self.waits += other.waits;
    }
}

/// How often the threads of a process had to wait, those that have ended not counted.
fn waits(directory: &str) -> u64 {
    let threads = std::fs::read_dir(format!("{directory}/task"));
    let statuses = threads.into_iter().flatten().flatten();
    let statuses = statuses.filter_map(|thread| {
        let status = std::fs::read_to_string(thread.path().join("status")).ok()?;
        let waits = status.lines().find(|line| line.starts_with("voluntary_"))?;
        waits.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    statuses.sum()
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
    used: Used,
    calls: Vec<Duration>,
    /// Calls a second of each turn.
    rates: Vec<f64>,
}

impl Figures {
    const HEAD: &str = "                             calls/s     p50 µs     p99 µs  server CPU µs  in the kernel  waits/call   calls/s ×";

    pub(crate) fn add(&mut self, turn: Turn, used: Used) {
        self.rates
            .push(number(turn.calls.len()) / turn.took.as_secs_f64());
        self.took += turn.took;
        self.used += used;
        self.calls.extend(turn.calls);
    }

    /// Prints the figures of all servers, each beside those of the first.
    pub(crate) fn print(title: impl Display, all: &[(Kind, &Self)]) {
        println!("\n{title}\n{}", Self::HEAD);
        let Some((_, base)) = all.first() else { return };
        for (kind, figures) in all {
            println!("{}", figures.row(*kind, base));
        }
        for (kind, figures) in all.iter().skip(1) {
            println!("{}", figures.verdict(*kind, base));
        }
    }

    fn row(&self, kind: Kind, base: &Self) -> String {
        let mut calls = self.calls.clone();
        calls.sort_unstable();
        let quantile = |hundredths: usize| {
            let place = calls.len() * hundredths / 100;
            calls.get(place).map_or(0.0, |call| micros(*call))
        };
        let count = number(self.calls.len());
        let waits = number(usize::try_from(self.used.waits).unwrap_or(0));
        format!(
            "{kind:<27}{:>9.0}  {:>9.0}  {:>9.0}  {:>13.1}  {:>13.1}  {:>10.2}  {:>10.2}",
            self.rate(),
            quantile(50),
            quantile(99),
            micros(self.used.program + self.used.kernel) / count,
            micros(self.used.kernel) / count,
            waits / count,
            self.rate() / base.rate(),
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
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "nobody waits for so many")]
fn number(count: usize) -> f64 {
    count as f64
}
