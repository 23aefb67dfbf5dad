mod show;

use std::collections::VecDeque;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use toolpact_audit::{Entry, Filter, Follow, Since, verify};

use crate::origin::Origin;
use crate::output::{ERROR, FINE, Output, WARNING, count, printable, thousands};
use crate::status::Status;

/// Show who called which tool and what came of it, as a server recorded it
///
/// `audit` in the config of a server says where calls are recorded. Each line has the hash of everything before
/// it; `toolpact audit verify` finds lines that were changed, removed, moved or cut off.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    place: Place,
    /// Only calls of this principal: `ada`, `ada@acme` with its tenant, or `anonymous`
    #[arg(long, value_name = "NAME")]
    principal: Option<String>,
    /// Only calls by this name, in which `*` stands for anything
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Only calls that failed, as a whole or in part
    #[arg(long)]
    failed: bool,
    /// Only since a time (2026-11-18T12:30:00Z), a day (2026-11-18), or for so long (15m, 2h, 7d)
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// Only the last so many [default: all; with --follow 10]
    #[arg(long, short = 'n', value_name = "NUMBER")]
    last: Option<usize>,
    /// Print the lines as they were recorded, in JSON
    #[arg(long)]
    json: bool,
    /// Go on with calls that are recorded from now on
    #[arg(long, short)]
    follow: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check that no line was changed, removed, moved or cut off
    Verify(Place),
}

#[derive(Debug, Args)]
struct Place {
    /// The directory of an audit, or the config of a server, or a folder with one [default: the config of the
    /// working directory]
    #[arg(value_name = "PLACE")]
    place: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact audit                                   All calls, by the config here
  toolpact audit --failed --since 2h               What went wrong lately
  toolpact audit --principal ada --tool 'orders__*'
  toolpact audit /var/log/toolpact -f              What happens now
  toolpact audit --json | jq .micros               For programs
  toolpact audit verify                            Whether all of it is still there

Exit status:
  0  all is well
  1  `verify` has found something
  2  it could not run: usage, no audit, a file that cannot be read";

/// How often it is looked for new lines.
const PAUSE: Duration = Duration::from_millis(200);

/// How many lines come before those that are followed.
const BEFORE: usize = 10;

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    match &arguments.command {
        Some(Command::Verify(place)) => check(&place.directory()?, out),
        None => arguments.show(out).map(|()| Status::Fine),
    }
}

impl Place {
    fn directory(&self) -> anyhow::Result<PathBuf> {
        let place = self.place.as_deref();
        if let Some(place) = place.filter(|place| is_audit(place)) {
            return Ok(place.to_owned());
        }
        let origin = match place {
            Some(place) if !place.exists() => bail!("there is nothing at {}", place.display()),
            place => Origin::find(place),
        };
        let origin = origin.context("expected the directory of an audit, or a config")?;
        let config = origin.config().map_err(|error| {
            let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
            anyhow::anyhow!(lines.join("; "))
        })?;
        let audit = config.audit.map(|audit| audit.directory);
        audit.with_context(|| {
            format!("{origin} has no `audit`; name the directory of one, or a config that has")
        })
    }
}

/// Whether a directory has a file that only audits have.
fn is_audit(place: &Path) -> bool {
    let files = toolpact_audit::AuditFile::list(place);
    place.join("head").is_file() || files.is_ok_and(|files| !files.is_empty())
}

fn check(directory: &Path, out: &mut Output) -> anyhow::Result<Status> {
    let report = verify(directory)?;
    let mut stderr = Output::stderr();
    for note in &report.notes {
        let note = printable(&note.to_string());
        writeln!(stderr, "{WARNING}note:{WARNING:#} {note}")?;
    }
    for problem in &report.problems {
        let problem = printable(&problem.to_string());
        writeln!(stderr, "{ERROR}error:{ERROR:#} {problem}")?;
    }
    if report.more > 0 {
        writeln!(stderr, "and {} more", report.more)?;
    }
    if report.is_whole() {
        let number = |count| usize::try_from(count).unwrap_or(usize::MAX);
        let calls = count(number(report.calls), "call");
        let (lines, files) = (thousands(number(report.lines)), count(report.files, "file"));
        write!(
            out,
            "{FINE}fine:{FINE:#} {calls} in {lines} lines of {files}"
        )?;
        match report.last {
            Some((seq, chain)) => writeln!(out, "; line {seq} is {chain}")?,
            None => writeln!(out)?,
        }
    }
    Ok(Status::wrong_if(!report.is_whole()))
}

impl Arguments {
    fn show(&self, out: &mut Output) -> anyhow::Result<()> {
        let mut filter = Filter::default();
        filter.principal.clone_from(&self.principal);
        filter.tool.clone_from(&self.tool);
        (filter.failed, filter.since) = (self.failed, self.since);
        let mut lines = Follow::new(&self.place.directory()?)?;
        let most = self.last.or(self.follow.then_some(BEFORE));
        let mut last = VecDeque::new();
        while let Some(line) = lines.next_line()? {
            let Some(text) = self.shown(&filter, &line) else {
                continue;
            };
            match most {
                None => writeln!(out, "{text}")?,
                Some(most) => {
                    last.push_back(text);
                    if last.len() > most {
                        last.pop_front();
                    }
                }
            }
        }
        for text in last {
            writeln!(out, "{text}")?;
        }
        while self.follow && !out.is_closed() {
            out.flush()?;
            std::thread::sleep(PAUSE);
            while let Some(line) = lines.next_line()? {
                if let Some(text) = self.shown(&filter, &line) {
                    writeln!(out, "{text}")?;
                }
            }
        }
        Ok(())
    }

    /// A line for people or for programs, if it is wanted.
    fn shown(&self, filter: &Filter, line: &str) -> Option<String> {
        match serde_json::from_str::<Entry>(line) {
            Ok(entry) if !filter.wants(&entry) => None,
            // Whoever looks for something may look for what is no line of an audit.
            _ if self.json => Some(line.to_owned()),
            Ok(entry) => Some(show::entry(&entry)),
            Err(_) => Some(format!(
                "{ERROR}this is no line of an audit:{ERROR:#} {}",
                printable(line)
            )),
        }
    }
}
