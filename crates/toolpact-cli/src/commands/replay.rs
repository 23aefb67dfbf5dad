mod choose;
mod json;
mod report;
mod run;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use toolpact_audit::{Comparison, Record};
use toolpact_core::Pointer;
use toolpact_core::json::Limits;

use self::run::Report;
use crate::backend::BackendArguments;
use crate::output::{Output, WARNING, printable};
use crate::signals::unless_asked;
use crate::status::Status;

/// Make recorded calls again, and tell what has changed
///
/// The calls are those that `serve --record` or `call --record` wrote down, or an audit with `arguments: whole` and
/// `results: whole`. Those of read-only tools are made again, each of different arguments once, in the order of the
/// record. An answer is held against the last one that was recorded for these arguments, and against the contracts
/// then and now.
///
/// Times and UUIDs may differ, and so may what differs between two calls that are made now.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder of the record
    #[arg(value_name = "FOLDER")]
    record: PathBuf,
    /// Make the calls of this tool only, whatever it changes; can be given several times
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// Make all calls, also those that change something
    #[arg(long, conflicts_with = "tool")]
    all: bool,
    /// Ignore what is at this place in results, a JSON Pointer in which `*` stands for any key or index; can be given
    /// several times
    #[arg(long, value_name = "POINTER", value_parser = pointer)]
    ignore: Vec<Pointer>,
    /// Times, UUIDs and what differs between two calls count, too
    #[arg(long)]
    exact: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    backend: BackendArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact replay records                               With the tools of the config here, or of a server
  toolpact replay records --server http://127.0.0.1:9000
  toolpact replay records --tools shop.yaml             With those of a file
  toolpact replay records --ignore '/data/*/updated'    That may differ
  toolpact replay records --tool create_order           Also if it changes something
  toolpact replay records --json | jq '.calls[] | select(.verdict == \"failed\")'

Exit status:
  0  everything is as it was recorded
  1  something has changed, a line of the record cannot be used, or there was nothing to call
  2  it could not run: usage, no record, a server that cannot be reached
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

fn pointer(text: &str) -> anyhow::Result<Pointer> {
    let pointer = Pointer::parse(text).filter(|pointer| !pointer.is_root());
    pointer.with_context(|| {
        format!("expected a JSON Pointer such as `/data/*/updated`, found `{text}`")
    })
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let record = Record::read(&arguments.record)?;
    let mut stderr = Output::stderr();
    for problem in &record.problems {
        let problem = printable(&problem.to_string());
        writeln!(stderr, "{WARNING}left out:{WARNING:#} {problem}")?;
    }
    let target = arguments.backend.open_here(&Limits::default())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let replayed = async {
        let backend = target.connect().await?;
        let report = run::replay(&record, &backend, arguments).await?;
        anyhow::Ok((report, backend.status()))
    };
    let (report, read) = match runtime.block_on(unless_asked(replayed))? {
        Ok(replayed) => replayed,
        Err(asked) => return Ok(asked),
    };
    match arguments.json {
        true => writeln!(out, "{}", json::write(&report)?)?,
        false => report::write(&report, out)?,
    }
    let is_unusable = record.problems.iter().any(|problem| !problem.is_torn);
    Ok(read.max(Status::wrong_if(is_unusable || !report.is_fine())))
}

impl Arguments {
    fn comparison(&self) -> Comparison {
        let comparison = Comparison::ignoring(self.ignore.iter().cloned());
        match self.exact {
            true => comparison.exact(),
            false => comparison,
        }
    }
}

impl Report {
    /// Nothing that was not called is known to be as it was.
    fn is_fine(&self) -> bool {
        let is_changed = self.calls.iter().any(|call| call.verdict.is_change())
            || self.tools.iter().any(|tool| tool.verdict.is_change());
        !is_changed && self.replayed() > 0
    }
}
