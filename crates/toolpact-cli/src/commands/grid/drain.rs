use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use toolpact_grid::{Id, Operator, Presence};

use crate::grid::GridArguments;
use crate::output::{FINE, Output, count, printable};
use crate::status::Status;

/// Let a runtime take no more calls, come to the end of those that run, and leave
///
/// Hosts send calls to the others meanwhile. `toolpact work` ends when it has left; what started it may start it again.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The id of the runtime, as `toolpact grid status` shows it
    #[arg(value_name = "RUNTIME")]
    runtime: String,
    /// Do not wait until it has left
    #[arg(long)]
    no_wait: bool,
    /// How long to wait, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    #[command(flatten)]
    grid: GridArguments,
}

const PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let grid = arguments.grid.operator().await?;
    let shown = printable(&arguments.runtime);
    let mut stderr = Output::stderr();
    let Some(runtime) = find(&grid, &arguments.runtime).await? else {
        writeln!(
            stderr,
            "there is no runtime `{shown}`; `toolpact grid status` lists those there are"
        )?;
        return Ok(Status::Wrong);
    };
    let id = Id::new(&arguments.runtime)?;
    grid.drain(&id).await?;
    if arguments.no_wait {
        writeln!(out, "{FINE}told:{FINE:#} {shown}")?;
        return Ok(Status::Fine);
    }
    let calls = count(runtime.in_flight, "call");
    writeln!(stderr, "{shown} drains; it runs {calls}")?;
    let began = Instant::now();
    let most = Duration::from_secs(arguments.timeout);
    while find(&grid, &arguments.runtime).await?.is_some() {
        if began.elapsed() > most {
            writeln!(stderr, "{shown} is still there")?;
            return Ok(Status::Wrong);
        }
        tokio::time::sleep(PAUSE).await;
    }
    writeln!(out, "{FINE}left:{FINE:#} {shown}")?;
    Ok(Status::Fine)
}

async fn find(grid: &Operator, id: &str) -> anyhow::Result<Option<Presence>> {
    let runtimes = grid
        .runtimes()
        .await
        .context("the runtimes cannot be listed")?;
    Ok(runtimes.into_iter().find(|one| *one.runtime == *id))
}
