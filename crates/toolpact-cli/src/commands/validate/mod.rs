//! Streams of calls and results.

mod judge;
pub(crate) mod progress;
mod record;
pub(crate) mod stream;

use std::cmp::Ordering;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, ValueEnum};
use toolpact_core::returns::{self, Returns, StandardType};
use toolpact_core::toolset::Toolset;

use crate::cli::{LimitArguments, ToolsFrom};
use crate::commands::returns::parse_name;
use crate::output::{ERROR, Output, count};
use crate::status::Status;
use crate::tools;

use judge::{Against, Judge, Tallies};
use progress::Progress;
use record::{Record, Tally};
use stream::{Pairs, Stream};

/// Validate streams of calls and results against tools, or of values against a return type
///
/// Each line of a stream is one call, one result or one value. Calls and results may be those of ADM,
/// OpenAI (Chat Completions and Responses), Anthropic, Gemini or MCP, mixed. If calls and results are
/// given, the n-th result belongs to the n-th call, and the content of one that is a success is held
/// to what its tool promises to return. Most results do not say which tool they are from: give their
/// calls as well. Streams may be of any length; blank lines are skipped.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("streams").required(true).multiple(true))]
pub(crate) struct Arguments {
    /// Files, directories or patterns with the tools that are called, in any dialect
    #[arg(long, value_name = "TOOLS", num_args = 1..)]
    tools: Vec<PathBuf>,
    /// Calls, one a line; `-` for standard input
    #[arg(long, value_name = "FILE.jsonl", group = "streams", requires = "tools")]
    calls: Option<PathBuf>,
    /// Results, one a line; `-` for standard input
    #[arg(long, value_name = "FILE.jsonl", group = "streams")]
    results: Option<PathBuf>,
    /// Values that a standard type returns, one a line; `-` for standard input
    #[arg(value_name = "VALUES.jsonl", group = "streams", requires = "returns", conflicts_with_all = ["tools", "calls", "results"])]
    values: Option<PathBuf>,
    /// The standard return type of the values
    #[arg(long, value_name = "TYPE", value_parser = parse_name, requires = "values")]
    returns: Option<StandardType>,
    /// How much of a tool's return contract is checked
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Meaning)]
    level: Level,
    /// Write every violation to this file, as one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the summary only
    #[arg(long, short)]
    quiet: bool,
    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    from: ToolsFrom,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact validate --tools tools/ --calls calls.jsonl
  toolpact validate --tools weather.json --calls calls.jsonl --results results.jsonl
  toolpact validate --tools shop.yaml agent.json --results results.jsonl
  toolpact validate --returns ListResult pages.jsonl
  zcat calls.jsonl.gz | toolpact validate --tools tools/ --calls - --report bad.jsonl";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    arguments.ensure_distinct()?;
    if let Some(standard) = arguments.returns {
        let promise = Returns::Standard {
            standard,
            refinement: None,
        };
        let promise = promise.enforcer(arguments.level.into());
        return arguments.judge(Against::Promise(&promise), out);
    }
    if arguments.tools.is_empty() {
        return arguments.judge(Against::Tools(&Toolset::open()), out);
    }
    let (from, limits) = (arguments.from.from, arguments.limits.limits());
    let level = arguments.level.into();
    let (functions, status) = tools::functions(&arguments.tools, from, level, &limits, out);
    if let Some(functions) = functions {
        return arguments.judge(Against::Tools(&Toolset::new(functions)?), out);
    }
    if status == Status::Wrong {
        writeln!(out, "nothing validated: the tools are not valid")?;
    }
    Ok(status)
}

impl Tallies {
    /// The lines left in one stream when the other has ended.
    fn unpaired(&self) -> Option<String> {
        let (calls, results) = (self.calls.as_ref()?.lines, self.results.as_ref()?.lines);
        match calls.cmp(&results) {
            Ordering::Equal => None,
            Ordering::Greater => Some(format!(
                "{} without a result",
                count(calls - results, "call")
            )),
            Ordering::Less => Some(format!(
                "{} without a call",
                count(results - calls, "result")
            )),
        }
    }
}

/// The levels of `--level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// The schema, literally; formats are annotations
    Shape,
    /// What the prose promises too, formats included
    Meaning,
}

impl From<Level> for returns::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Shape => returns::Level::Shape,
            Level::Meaning => returns::Level::Meaning,
        }
    }
}

impl Arguments {
    /// Checks the streams, and reports the findings.
    fn judge(&self, against: Against<'_>, out: &mut Output) -> anyhow::Result<Status> {
        let judge = Judge {
            against,
            limits: self.limits.limits(),
            threads: self.threads(),
        };
        let mut progress = Progress::new();
        let mut open = |path: &Option<PathBuf>| {
            path.as_ref()
                .map(|path| Stream::open(path, judge.limits.bytes, &mut progress))
                .transpose()
        };
        let calls = open(&self.calls)?;
        let results = open(self.values.as_ref().map_or(&self.results, |_| &self.values))?;
        let noun = self.values.as_ref().map_or("result", |_| "value");
        let tally = |stream: &Option<Stream>, noun| {
            let name = stream.as_ref().map(|stream| &stream.name);
            name.map(|name| Tally::new(name, noun))
        };
        let mut tallies = Tallies {
            calls: tally(&calls, "call"),
            results: tally(&results, noun),
        };
        let mut record = Record::new(self.report.as_deref(), self.quiet, progress)?;
        let pairs = Pairs::new(calls, results);
        let read = judge.run(pairs, &mut tallies, &mut record, out);
        // If a stream breaks off, the findings so far are still reported.
        record.summarise(tallies.iter(), out)?;
        read?;
        let unpaired = tallies.unpaired();
        if let Some(unpaired) = &unpaired {
            writeln!(out, "\n{ERROR}{unpaired}{ERROR:#}")?;
        }
        Ok(Status::wrong_if(unpaired.is_some() || record.errors > 0))
    }

    /// One for each core, unless specified.
    fn threads(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }

    /// Standard input can be read only once, and a report must not overwrite a stream.
    fn ensure_distinct(&self) -> anyhow::Result<()> {
        let inputs: Vec<&Path> = self
            .tools
            .iter()
            .chain(&self.calls)
            .chain(&self.results)
            .chain(&self.values)
            .map(PathBuf::as_path)
            .collect();
        let from_stdin = inputs.iter().filter(|path| path.as_os_str() == "-");
        anyhow::ensure!(
            from_stdin.count() < 2,
            "standard input can be only one of the tools, the calls and the results"
        );
        let Some(report) = self
            .report
            .as_ref()
            .and_then(|path| path.canonicalize().ok())
        else {
            return Ok(());
        };
        for input in inputs {
            let is_report = report.is_file() && input.canonicalize().is_ok_and(|i| i == report);
            anyhow::ensure!(!is_report, "the report would overwrite {}", input.display());
        }
        Ok(())
    }
}
