//! Streams of calls and results.

mod progress;
mod record;
mod stream;
mod tools;
mod values;

use std::cmp::Ordering;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use toolpact_core::json::{Document, Limits};
use toolpact_core::model::{Tool, ToolName, ToolResult};
use toolpact_core::returns::StandardType;

use crate::cli::LimitArguments;
use crate::commands::returns::parse_name;
use crate::output::{ERROR, Output, count};
use crate::status::Status;

use progress::Progress;
use record::Record;
use stream::Stream;

/// Validate streams of calls and results against tools, or of values against a return type
///
/// Each line of a stream is one call, one result or one value. If calls and results are given, the
/// n-th result belongs to the n-th call. Streams may be of any length; blank lines are passed over.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("streams").required(true).multiple(true))]
pub(crate) struct Arguments {
    /// Files, directories or patterns with the tools that are called
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
    /// How much of the type is checked
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Meaning, requires = "returns")]
    level: Level,
    /// Write every violation to this file, as one JSON object a line
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the summary only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact validate --tools tools/ --calls calls.jsonl
  toolpact validate --tools weather.json --calls calls.jsonl --results results.jsonl
  toolpact validate --returns ListResult pages.jsonl
  zcat calls.jsonl.gz | toolpact validate --tools tools/ --calls - --report bad.jsonl";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let limits = arguments.limits.limits();
    arguments.ensure_distinct()?;
    if let (Some(values), Some(standard)) = (&arguments.values, arguments.returns) {
        return values::run(arguments, values, standard, out);
    }
    let tool = match arguments.tools.is_empty() {
        true => None,
        false => match tools::load(&arguments.tools, &limits, out)? {
            Some(tool) => Some(tool),
            None => {
                writeln!(out, "nothing validated: the tools are not valid")?;
                return Ok(Status::Wrong);
            }
        },
    };
    let mut progress = Progress::new();
    let mut open = |path: &Option<PathBuf>| {
        path.as_ref()
            .map(|path| Stream::open(path, limits.bytes, &mut progress))
            .transpose()
    };
    let (mut calls, mut results) = (open(&arguments.calls)?, open(&arguments.results)?);
    let mut record = Record::new(arguments.report.as_deref(), arguments.quiet, progress)?;
    let mut validate = Validate {
        tool: tool.as_ref(),
        limits,
        record: &mut record,
    };
    // If a stream breaks off, what was found until then is still said.
    let read = validate.streams(calls.as_mut(), results.as_mut(), out);
    let (calls, results) = (calls.as_ref(), results.as_ref());
    record.summarise(
        calls
            .map(|stream| (stream, "call"))
            .into_iter()
            .chain(results.map(|stream| (stream, "result"))),
        out,
    )?;
    read?;
    let unpaired = match calls.zip(results) {
        Some((calls, results)) => unpaired(calls.lines, results.lines),
        None => None,
    };
    if let Some(unpaired) = &unpaired {
        writeln!(out, "\n{ERROR}{unpaired}{ERROR:#}")?;
    }
    Ok(Status::wrong_if(unpaired.is_some() || record.errors > 0))
}

/// What is left over of one stream when the other has ended.
fn unpaired(calls: usize, results: usize) -> Option<String> {
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

/// The levels of `--level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Level {
    /// The schema, literally; formats are annotations
    Shape,
    /// What the prose promises too, formats included
    Meaning,
}

impl Arguments {
    /// Standard input can be read once, and a report that is written over a stream would leave
    /// nothing of it.
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

struct Validate<'a> {
    tool: Option<&'a Tool>,
    limits: Limits,
    record: &'a mut Record,
}

impl Validate<'_> {
    /// One line of each at a time, until both have ended.
    fn streams(
        &mut self,
        mut calls: Option<&mut Stream>,
        mut results: Option<&mut Stream>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        loop {
            let call = calls
                .as_deref_mut()
                .map(|s| self.call(s, out))
                .transpose()?
                .flatten();
            let result = match results.as_deref_mut() {
                Some(stream) => self.result(stream, call.as_ref(), out)?,
                None => false,
            };
            if call.is_none() && !result {
                return Ok(());
            }
        }
    }

    /// The name that the next call bears, as far as it has one; `None` at the end.
    fn call(&mut self, stream: &mut Stream, out: &mut Output) -> anyhow::Result<Option<CallName>> {
        let Some(line) = stream.next()? else {
            return Ok(None);
        };
        let document = Document::json(&line.bytes, &self.limits);
        if let Some(tool) = self.tool {
            let checked = tool.check_call_document(&document);
            self.record
                .line(stream, line.number, &checked.violations, out)?;
        }
        let name = document
            .root()
            .and_then(|root| root.get("name")?.as_str()?.parse().ok());
        Ok(Some(CallName(name)))
    }

    fn result(
        &mut self,
        stream: &mut Stream,
        call: Option<&CallName>,
        out: &mut Output,
    ) -> anyhow::Result<bool> {
        let Some(line) = stream.next()? else {
            return Ok(false);
        };
        let document = Document::json(&line.bytes, &self.limits);
        let name = call.and_then(|call| call.0.as_ref());
        let checked = ToolResult::check_for(&document, name, self.tool);
        self.record
            .line(stream, line.number, &checked.violations, out)?;
        Ok(true)
    }
}

/// What a line of calls said its function is; nothing, if it could not be read.
struct CallName(Option<ToolName>);
