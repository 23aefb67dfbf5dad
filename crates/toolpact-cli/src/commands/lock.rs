mod accept;
mod show;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use toolpact_core::lock::{Difference, Lock};
use toolpact_serve::config::Trust;
use toolpact_serve::{
    Config, ConfigError, LiveSource, LockError, live_sources, read_lock, write_lock,
};

use self::accept::accept;
use super::serve::complain_of;
use crate::origin::Origin;
use crate::output::{ERROR, FINE, Output, count, printable};
use crate::status::Status;

/// Write the contracts of a config into toolpact.lock, or say what is another since
///
/// The lock has each tool of each source with its whole contract and the digest of that. A server with a lock beside
/// its config serves the tools that are as the lock says, and no others: those are in quarantine until somebody has
/// looked at them and accepted them here. Commit the lock with the config.
///
/// The sources are started once and asked for their tools. Where there is no lock, it is written; where there is one,
/// the differences are shown, and nothing is taken that is not accepted.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The config, a document with tools, or a folder with either
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Write nothing, and fail if something is another than the lock says
    #[arg(long, conflicts_with_all = ["accept", "accept_all"])]
    check: bool,
    /// Take a tool as it is now, or all tools of a source such as mcp:weather; can be given several times
    #[arg(long, value_name = "NAME", num_args = 1.., conflicts_with = "accept_all")]
    accept: Vec<String>,
    /// Take everything as it is now
    #[arg(long)]
    accept_all: bool,
    /// Directory for data [default: `toolpact` in the user's directory for data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact lock                             The toolpact.lock beside the toolpact.yaml here
  toolpact lock --check                     For CI: whether all is still as the lock says
  toolpact lock --accept forecast           This tool is what it should be
  toolpact lock --accept mcp:weather        All tools of this source are
  toolpact lock my-tools --accept-all       All that has changed is

Exit status:
  0  all is as the lock says, or it was written, or what was named was accepted
  1  something is another, or a source does not start
  2  it could not run: usage, a file that cannot be read or written";

/// Flags of those that serve.
#[derive(Debug, Args)]
pub(crate) struct LockArguments {
    /// Serve only what is as the lock says, which has to be there
    #[arg(long, conflicts_with = "no_lock")]
    locked: bool,
    /// Serve all tools, whatever the lock says
    #[arg(long)]
    no_lock: bool,
}

impl LockArguments {
    pub(crate) fn set(&self, config: &mut Config) {
        if self.locked {
            config.trust_all = Some(Trust::Locked);
        }
        if self.no_lock {
            config.trust_all = Some(Trust::Any);
        }
    }
}

/// What is another in a source.
struct Changed<'s> {
    source: &'s LiveSource,
    differences: Vec<Difference>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let origin = Origin::find(arguments.config.as_deref())?;
    let config = match origin.config() {
        Ok(config) => config,
        Err(error) => return complain_of(&error),
    };
    match arguments.look(config, out) {
        Err(error) => match error.downcast::<ConfigError>() {
            Ok(error) => complain_of(&error),
            Err(error) => match error.downcast::<LockError>() {
                Ok(error) => complain_of_lock(&error),
                Err(error) => Err(error),
            },
        },
        done => done,
    }
}

fn complain_of_lock(error: &LockError) -> anyhow::Result<Status> {
    complain(error.to_string().lines())?;
    Ok(match error {
        LockError::Unreadable(..) => Status::CouldNotRun,
        _ => Status::Wrong,
    })
}

fn complain<'l>(lines: impl IntoIterator<Item = &'l str>) -> anyhow::Result<()> {
    let mut stderr = Output::stderr();
    for line in lines {
        writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
    }
    Ok(())
}

impl Arguments {
    fn look(&self, mut config: Config, out: &mut Output) -> anyhow::Result<Status> {
        if let Some(data) = &self.data {
            config.data = Some(data.clone());
        }
        let path = config
            .lock
            .clone()
            .context("there is no place for a lock")?;
        let lock = read_lock(&path)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        let sources = runtime.block_on(live_sources(&config));
        let status = tell_what_is_wrong(&sources)?;
        let done = match lock {
            None if self.check || !self.accept.is_empty() => {
                return Err(LockError::Missing(Some(path)).into());
            }
            None => write_first(&path, &sources, out),
            Some(lock) => self.compare(&path, lock, &sources, out),
        };
        Ok(status.max(done?))
    }

    fn compare(
        &self,
        path: &Path,
        mut lock: Lock,
        sources: &[LiveSource],
        out: &mut Output,
    ) -> anyhow::Result<Status> {
        let shown = printable(&path.display().to_string());
        let changed = differences(&lock, sources);
        let unknown: Vec<String> = { lock.sources() }
            .map(|(label, _)| label.to_owned())
            .filter(|label| !sources.iter().any(|source| source.label == *label))
            .collect();
        show::write(&lock, &changed, &unknown, out)?;
        if changed.is_empty() && unknown.is_empty() {
            let tools: usize = lock.sources().map(|(_, source)| source.tools().len()).sum();
            writeln!(
                out,
                "{FINE}fine:{FINE:#} {} as {shown} says",
                count(tools, "tool")
            )?;
            return Ok(Status::Fine);
        }
        if self.check || !self.accept_all && self.accept.is_empty() {
            if !self.check {
                writeln!(
                    out,
                    "nothing was written: --accept NAME takes a tool as it is now, --accept-all everything"
                )?;
            }
            return Ok(Status::Wrong);
        }
        let names = (!self.accept_all).then_some(&*self.accept);
        let accepted = match accept(&mut lock, &changed, &unknown, names) {
            Ok(accepted) => accepted,
            Err(wrong) => {
                complain(wrong.iter().map(String::as_str))?;
                return Ok(Status::Wrong);
            }
        };
        write(path, &lock)?;
        let all = changed
            .iter()
            .map(|one| one.differences.len())
            .sum::<usize>()
            + unknown.len();
        let rest = match all - accepted {
            0 => String::new(),
            rest => format!(", {} not", count(rest, "difference")),
        };
        writeln!(
            out,
            "{FINE}accepted:{FINE:#} {}{rest} ({shown})",
            count(accepted, "difference")
        )?;
        Ok(Status::Fine)
    }
}

fn tell_what_is_wrong(sources: &[LiveSource]) -> anyhow::Result<Status> {
    let wrong: Vec<&String> = sources.iter().flat_map(|source| &source.wrong).collect();
    complain(wrong.iter().flat_map(|why| why.lines()))?;
    Ok(Status::wrong_if(!wrong.is_empty()))
}

fn write_first(path: &Path, sources: &[LiveSource], out: &mut Output) -> anyhow::Result<Status> {
    let (mut lock, mut tools) = (Lock::default(), 0);
    for source in sources {
        if let Some(contracts) = &source.contracts {
            tools += contracts.len();
            lock.set_source(&source.label, contracts.iter().cloned());
        }
    }
    write(path, &lock)?;
    writeln!(
        out,
        "{FINE}locked:{FINE:#} {} of {} ({})",
        count(tools, "tool"),
        count(lock.sources().len(), "source"),
        printable(&path.display().to_string())
    )?;
    Ok(Status::Fine)
}

fn write(path: &Path, lock: &Lock) -> anyhow::Result<()> {
    write_lock(path, lock).with_context(|| format!("cannot write {}", path.display()))
}

/// Of the sources that have started.
fn differences<'s>(lock: &Lock, sources: &'s [LiveSource]) -> Vec<Changed<'s>> {
    let changed = sources.iter().filter_map(|source| {
        let contracts = source.contracts.as_ref()?;
        let locked = lock.source(&source.label).cloned().unwrap_or_default();
        let differences = locked.differences(contracts);
        let is_new = lock.source(&source.label).is_none();
        (is_new || !differences.is_empty()).then_some(Changed {
            source,
            differences,
        })
    });
    changed.collect()
}
