//! Streams of calls and results.

mod record;
mod stream;
mod tools;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use toolpact_core::json::{Document, Limits};
use toolpact_core::model::{Tool, ToolName, ToolResult};

use crate::cli::LimitArguments;
use crate::output::Output;
use crate::status::Status;

use record::Record;
use stream::Stream;

/// Validate streams of calls and results against tools
///
/// Each line of a stream is one call or one result. If both are given, the n-th result belongs to
/// the n-th call. Streams may be of any length; blank lines are passed over.
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
  zcat calls.jsonl.gz | toolpact validate --tools tools/ --calls - --report bad.jsonl";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let limits = arguments.limits.limits();
    let both_from_stdin = [&arguments.calls, &arguments.results]
        .iter()
        .all(|path| path.as_ref().is_some_and(|path| path.as_os_str() == "-"));
    anyhow::ensure!(
        !both_from_stdin,
        "standard input cannot be both the calls and the results"
    );
    let tool = match arguments.tools.is_empty() {
        true => None,
        false => match tools::load(&arguments.tools, &limits, out)? {
            Some(tool) => Some(tool),
            None => return Ok(Status::Wrong),
        },
    };
    let open = |path: &Option<PathBuf>| {
        path.as_ref()
            .map(|path| Stream::open(path, limits.bytes))
            .transpose()
    };
    let (mut calls, mut results) = (open(&arguments.calls)?, open(&arguments.results)?);
    let mut record = Record::new(arguments.report.as_deref(), arguments.quiet)?;
    let mut validate = Validate {
        tool: tool.as_ref(),
        limits,
        record: &mut record,
    };
    validate.streams(calls.as_mut(), results.as_mut(), out)?;
    let paired = calls.is_some() && results.is_some();
    for stream in calls.iter().chain(&results) {
        stream.finish();
    }
    record.summarise(
        calls
            .as_ref()
            .map(|stream| (stream, "call"))
            .into_iter()
            .chain(results.as_ref().map(|stream| (stream, "result"))),
        out,
    )?;
    let unpaired = paired && calls.map(|s| s.lines) != results.map(|s| s.lines);
    if unpaired {
        writeln!(
            out,
            "the streams differ in length: some calls have no result, or the other way round"
        )?;
    }
    Ok(Status::wrong_if(unpaired || record.errors > 0))
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
