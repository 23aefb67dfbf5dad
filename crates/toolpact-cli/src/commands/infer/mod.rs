//! Contracts from calls and results.

mod live;
mod merge;
mod read;
mod report;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::ensure;
use clap::{Args, ValueEnum};
use toolpact_core::contract::Contract;
use toolpact_core::infer::{Form, ObservedTools, Settings};
use toolpact_core::json::Value;

use crate::backend::ServerArguments;
use crate::cli::LimitArguments;
use crate::output::{Output, complain};
use crate::save::Saving;
use crate::status::Status;

use read::Reading;

/// Infer contracts from calls and results
///
/// Each line of a file is a call, a result or both: in any dialect (ADM, OpenAI, Anthropic, Gemini,
/// Bedrock, MCP), a line of the call log, of an audit or of a recorded session, or a bare value that
/// the tool --tool returned. Calls that failed are counted and their errors are no results. The
/// contract document is written as YAML to standard output: parameters from calls, `returns` from
/// results. It accepts everything it was made from. From how many examples each statement is, and
/// which are weak, is said on standard error. Files are read in one pass, and may be of any length.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("examples").required(true).multiple(true))]
pub(crate) struct Arguments {
    /// Files with calls and results, one a line; `-` for standard input
    #[arg(value_name = "FILE.jsonl", group = "examples")]
    files: Vec<PathBuf>,
    /// Calls, or objects of arguments, one a line; `-` for standard input
    #[arg(long, value_name = "FILE.jsonl", group = "examples")]
    calls: Option<PathBuf>,
    /// Results, one a line; with --calls, the n-th belongs to the n-th call
    #[arg(long, value_name = "FILE.jsonl", group = "examples")]
    results: Option<PathBuf>,
    /// Call this read-only tool of a server and learn from its result: its name and JSON arguments. Can
    /// be given several times
    #[arg(long, value_name = "TOOL JSON", group = "examples")]
    call: Vec<String>,
    /// Tool of lines that name none
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// What the lines of the files are
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t = Lines::Detect)]
    lines: Lines,
    /// Contracts to widen, as far as it takes to accept what was seen; all else of them stays
    #[arg(long, value_name = "CONTRACT", conflicts_with_all = ["ranges", "lengths", "open", "annotate"])]
    merge: Option<PathBuf>,
    /// Numbers have to be within the range of those that were seen
    #[arg(long)]
    ranges: bool,
    /// Strings and arrays have to be as long as those that were seen
    #[arg(long)]
    lengths: bool,
    /// Objects may have keys that were never seen
    #[arg(long)]
    open: bool,
    /// Say in each schema from how many examples it is, as `$comment`
    #[arg(long)]
    annotate: bool,
    /// Print one JSON object: the document, and every statement with the number of its examples
    #[arg(long)]
    json: bool,
    /// Write the document to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    servers: ServerArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact infer session.jsonl                          Contracts of all tools of a log or a session
  toolpact infer --tool get_order results.jsonl         The contract of a tool from its results
  toolpact infer --calls calls.jsonl --results results.jsonl -o tools.yaml
  toolpact infer new.jsonl --merge tools.yaml           Widen contracts by what was seen
  toolpact infer --server http://127.0.0.1:7878 --call 'get_order {\"order\": \"O-1001\"}'
  zcat log.jsonl.gz | toolpact infer - --json           With the evidence for every statement

Exit status:
  0  every line was read
  1  a line could not be read or belongs to no tool; the contracts are from the others
  2  it could not run: usage, an unreadable file, a server that cannot be reached";

/// What the lines of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lines {
    /// Each line shows it
    Detect,
    /// Calls, or objects of arguments
    Calls,
    /// Results of any dialect, or values
    Results,
    /// Values that a tool returned, whatever they look like
    Values,
}

impl From<Lines> for Form {
    fn from(lines: Lines) -> Self {
        match lines {
            Lines::Detect => Form::Detect,
            Lines::Calls => Form::Calls,
            Lines::Results => Form::Results,
            Lines::Values => Form::Values,
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let saving = arguments.output.as_deref().map(Saving::begin).transpose()?;
    let before = arguments
        .merge
        .as_deref()
        .map(|path| merge::read(path, &arguments.limits.limits()));
    let before = before.transpose()?;
    let mut observed = ObservedTools::default();
    if let Some(before) = &before {
        observed = observed.with_widenings(merge::widenings(before)?);
        // Nothing else could be meant.
        if let [only] = &before[..] {
            observed = observed.with_tool(only.name().as_str());
        }
    }
    if let Some(name) = &arguments.tool {
        observed = observed.with_tool(name);
    }
    let served = live::call_all(arguments, &mut observed)?;
    let mut reading = Reading::new(observed, arguments);
    reading.all(arguments)?;
    let Reading {
        observed, status, ..
    } = reading;
    let status = status.max(report::unattributed(&observed)?);
    if let Some(before) = before {
        let contracts: Vec<Contract> = observed
            .widenings()
            .map(|one| one.contract().clone())
            .collect();
        write(&document(&contracts)?, None, saving, arguments, out)?;
        return Ok(status.max(merge::report(&before, &observed)?));
    }
    let mut tools = observed.infer(&arguments.settings())?;
    if tools.is_empty() {
        complain(&anyhow::anyhow!(
            "there are no calls and no results in what was given"
        ));
        return Ok(Status::Wrong);
    }
    live::keep(&served, &mut tools)?;
    let contracts: Vec<Contract> = tools.iter().map(|tool| tool.contract.clone()).collect();
    let evidence = report::json(&tools);
    write(
        &document(&contracts)?,
        Some(evidence),
        saving,
        arguments,
        out,
    )?;
    if !arguments.json {
        report::tell(&tools, &mut Output::stderr())?;
    }
    Ok(status)
}

impl Arguments {
    fn settings(&self) -> Settings {
        let settings = Settings::default()
            .ranges(self.ranges)
            .lengths(self.lengths);
        settings.open(self.open).annotate(self.annotate)
    }

    /// One for each core, unless specified. Contracts are widened by one line after the other.
    fn threads(&self) -> NonZeroUsize {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        match self.merge {
            Some(_) => NonZeroUsize::MIN,
            None => self.threads.unwrap_or_else(cores),
        }
    }
}

/// The contracts as a document.
fn document(contracts: &[Contract]) -> anyhow::Result<Value> {
    let tools: Vec<String> = contracts.iter().map(Contract::to_json).collect();
    Ok(Value::from_json(format!(
        r#"{{"toolpact":1,"tools":[{}]}}"#,
        tools.join(",")
    ))?)
}

fn write(
    document: &Value,
    evidence: Option<serde_json::Value>,
    saving: Option<Saving>,
    arguments: &Arguments,
    out: &mut Output,
) -> anyhow::Result<()> {
    let yaml = document.to_yaml();
    if let Some(saving) = saving {
        saving.finish(yaml.as_bytes())?;
    } else if !arguments.json {
        out.write_foreign(&yaml);
    }
    if arguments.json {
        let tools = evidence.unwrap_or_default().to_string();
        let whole = Value::from_json(format!(
            r#"{{"document":{},"tools":{tools}}}"#,
            document.text()
        ))?;
        out.write_foreign(&whole.to_pretty());
        writeln!(out)?;
    }
    Ok(())
}

/// Standard input can be read only once.
fn ensure_one_stdin<'a>(files: impl Iterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let from_stdin = files.filter(|path| path.as_os_str() == "-");
    ensure!(
        from_stdin.count() < 2,
        "standard input can be only one of the files"
    );
    Ok(())
}
