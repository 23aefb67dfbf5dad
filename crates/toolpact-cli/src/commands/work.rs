use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio_util::sync::CancellationToken;
use toolpact_grid::{Admission, HostKeys, Id};
use toolpact_serve::{Config, ConfigError, GridPlace, Worker};

use super::lock::LockArguments;
use super::serve::{Log, Telemetry, announce, complain_of, level, limit, tools_of};
use crate::grid::{GridArguments, unreachable};
use crate::origin::Origin;
use crate::output::{ERROR, FINE, Output, count, printable};
use crate::signals::pass_on;
use crate::status::Status;

/// Run tools for servers on other machines: the same config, another command
///
/// What `toolpact serve` serves by itself, `toolpact work` runs for the hosts of a grid: servers that have a
/// `grid` among their sources. Both take the same config, and where there is none, both have the shop. Hosts
/// own the contracts: a tool is taken if it has the very contract that they have.
///
/// On Ctrl-C or SIGTERM, and when `toolpact grid drain` says so, it takes no more calls, lets those that run
/// come to their end, and leaves.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The config, in YAML or JSON, a document with tools, or a folder with either; changes are followed
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    grid: GridArguments,
    /// How many calls it takes at once; those beyond go elsewhere
    #[arg(long, value_name = "CALLS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    capacity: u32,
    /// What its id begins with
    #[arg(long, value_name = "NAME", default_value = "runtime", value_parser = name)]
    name: String,
    /// Bring tools along that hosts do not have, for a session of this name: hosts in DEVELOPMENT mode serve them as
    /// `NAME__TOOL` while this runs
    #[arg(long, value_name = "NAME", value_parser = name)]
    develop: Option<String>,
    /// Public key of a host, as `toolpact grid key` prints it; can be given several times. With one or more, calls
    /// that no host has signed are refused
    #[arg(long, value_name = "NAME=KEY", value_parser = host_key)]
    host_key: Vec<String>,
    /// Directory for data [default: `toolpact` in the user's directory for data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Override a limit of the config; can be given several times
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    limit: Vec<(String, u64)>,
    #[command(flatten)]
    lock: LockArguments,
    /// Format of the log, which goes to standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Log more
    #[arg(long)]
    verbose: bool,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact work                                    The toolpact.yaml here, on the NATS server of this machine
  toolpact work my-tools --grid nats://10.0.0.5    On that of another
  toolpact work --capacity 16 --name billing       Sixteen calls at once, as billing-…
  toolpact work --grid tls://nats.example.com --credentials runtime.creds --host-key h1=k3xZ…

Exit status:
  0  it was asked to leave, and has
  1  something is wrong in the config
  2  it could not run: usage, a config that cannot be read, a grid that cannot be reached";

/// Most tools that are named of those that are refused.
const NAMED: usize = 20;

/// How long to wait for a host before it is said that there is none.
const FIRST_ANSWER: Duration = Duration::from_secs(2);

/// How long a runtime that ends may take beyond the time for its calls, before it is ended.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let origin = Origin::find(arguments.config.as_deref());
    let config = origin.and_then(|origin| Ok((arguments.config(&origin)?, origin)));
    let (config, origin) = match config.map_err(anyhow::Error::downcast::<ConfigError>) {
        Ok(config) => config,
        Err(Ok(error)) => return complain_of(&error),
        Err(Err(error)) => return Err(error),
    };
    let telemetry = Telemetry::from_env();
    let export = telemetry.layer(level(arguments.verbose));
    arguments.log.start(arguments.verbose, export);
    tracing::info!("working with {}", printable(&origin.to_string()));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    telemetry.announce();
    let worked = runtime.block_on(arguments.work(config, origin.file(), &telemetry, out));
    runtime.shutdown_background();
    telemetry.stop();
    worked.map(|()| Status::Fine)
}

impl Arguments {
    /// The config, overridden by the flags.
    fn config(&self, origin: &Origin) -> Result<Config, ConfigError> {
        let mut config = origin.config()?;
        if let Some(data) = &self.data {
            config.data = Some(data.clone());
        }
        self.lock.set(&mut config);
        for (name, value) in &self.limit {
            config.limits.set(name, *value)?;
        }
        config.validated()
    }

    fn place(&self) -> anyhow::Result<GridPlace> {
        let mut place = GridPlace::new(self.grid.servers());
        place.prefix.clone_from(&self.grid.prefix);
        place.name.clone_from(&self.name);
        place.capacity = usize::try_from(self.capacity)?;
        place.develop.clone_from(&self.develop);
        for key in &self.host_key {
            place.host_keys = place.host_keys.add_text(key)?;
        }
        Ok(place)
    }

    async fn work(
        &self,
        config: Config,
        file: Option<PathBuf>,
        telemetry: &Telemetry,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let (stop, now) = (CancellationToken::new(), CancellationToken::new());
        tokio::spawn(announce(stop.clone(), now.clone()));
        let drain = Duration::from_millis(config.limits.drain_ms);
        pass_on(stop.clone(), now.clone(), drain, PATIENCE)?;
        let place = self.place()?;
        let (servers, started) = (place.servers.clone(), place.clone());
        let worker = Worker::start(config, file, started, stop.clone()).await;
        let worker = worker.map_err(|error| match error.is_about_grid() {
            true => anyhow::Error::from(error).context(unreachable(&servers)),
            false => error.into(),
        })?;
        telemetry.measure(worker.measure());
        introduce(&worker, &servers.shown(), out)?;
        tokio::select! {
            told = tell_admissions(&worker, out) => told?,
            () = stop.cancelled() => {}
            () = worker.told_to_drain() => {
                tracing::info!("told to drain: calls that run come to their end");
            }
        }
        let left = now.run_until_cancelled(worker.drain(drain)).await;
        if let Some(calls @ 1..) = left {
            tracing::warn!(calls, "calls were cut");
        }
        Ok(())
    }
}

/// What is offered where.
pub(crate) fn introduce(worker: &Worker, grid: &str, out: &mut Output) -> anyhow::Result<()> {
    let (tools, but) = tools_of(&worker.health());
    let (id, grid) = (worker.id(), printable(grid));
    writeln!(out, "{id} on {grid} offers {tools}{but}")?;
    out.flush()?;
    Ok(())
}

/// Says what hosts accept and refuse, each time that they decide otherwise. It goes on for ever.
async fn tell_admissions(worker: &Worker, out: &mut Output) -> anyhow::Result<()> {
    let mut admissions = worker.admissions();
    let first = admissions.wait_for(Option::is_some);
    if tokio::time::timeout(FIRST_ANSWER, first).await.is_err() {
        writeln!(
            out,
            "  waiting   no host is there yet: a server with a `grid` among its sources"
        )?;
        out.flush()?;
    }
    let mut told = None;
    loop {
        let admission = admissions.borrow_and_update().clone();
        if let Some(admission) = admission {
            // Another host may say the same.
            let decision = (admission.accepted.clone(), admission.refused.clone());
            if told.as_ref() != Some(&decision) {
                tell(&admission, out)?;
                told = Some(decision);
            }
        }
        if admissions.changed().await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// What hosts accept and refuse.
pub(crate) fn tell(admission: &Admission, out: &mut Output) -> anyhow::Result<()> {
    let accepted = count(admission.accepted.len(), "tool");
    writeln!(out, "  {FINE}accepted{FINE:#}  {accepted}")?;
    for refused in admission.refused.iter().take(NAMED) {
        let (name, why) = (printable(&refused.name), printable(&refused.message));
        writeln!(out, "  {ERROR}refused{ERROR:#}   {name}: {why}")?;
    }
    if let Some(more @ 1..) = admission.refused.len().checked_sub(NAMED) {
        writeln!(
            out,
            "  {ERROR}refused{ERROR:#}   {} more",
            count(more, "tool")
        )?;
    }
    out.flush()?;
    Ok(())
}

fn host_key(text: &str) -> anyhow::Result<String> {
    HostKeys::new().add_text(text)?;
    Ok(text.to_owned())
}

fn name(text: &str) -> anyhow::Result<String> {
    // Digits are added to it.
    Id::new(&format!("{text}-00000000"))?;
    Ok(text.to_owned())
}
