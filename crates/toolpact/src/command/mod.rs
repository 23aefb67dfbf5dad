//! Tools that are programs: arguments as JSON on stdin, the result as JSON on stdout.
//!
//! There is no shell. The program runs in the working directory of this process, sees only the
//! [allowed](environment) part of its environment, and leads a process group of its own, which never
//! outlives the call: not if the program leaves other processes behind, not if the call is dropped.

mod descriptors;
mod environment;
mod error;
mod live_groups;
mod log;
#[cfg(unix)]
mod mark;
mod pipes;
mod process_group;
mod span;
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod watcher;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::time::timeout;
use toolpact_core::contract::Command;
use toolpact_core::memory::MemoryShare;
use tracing::Instrument as _;

pub use descriptors::keep_open_files;
pub use environment::base as base_environment;
pub(crate) use error::{CommandFault, FailedRun};
pub use live_groups::end_all;
use log::Log;
use pipes::{Pipes, Stdout};
pub use process_group::ProcessGroup;
#[cfg(unix)]
pub use watcher::{watch, watch_with};

/// What a program may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommandLimits {
    /// Bytes on stdout. More is an error.
    pub(crate) stdout_bytes: usize,
    /// Bytes on stderr that are logged. More are counted.
    pub(crate) stderr_bytes: usize,
}

impl Default for CommandLimits {
    fn default() -> Self {
        Self {
            stdout_bytes: 16 << 20,
            stderr_bytes: 64 << 10,
        }
    }
}

/// How long the pipes of a program that has ended may stay open. Only processes that it left behind
/// still hold them.
const LINGER: Duration = Duration::from_millis(100);

/// Runs the program with `args` on its stdin and returns what it wrote on stdout, not parsed.
///
/// There is no timeout here. Dropping the future kills the whole process group, and reaps the
/// program. What is read of stdout is taken from a budget, if there is a share of one.
pub(crate) async fn run(
    command: &Command,
    args: &[u8],
    limits: &CommandLimits,
    share: &mut Option<MemoryShare>,
) -> Result<Vec<u8>, FailedRun> {
    let span = span::new(command.program());
    let running = communicated(command, args, limits, share);
    let result = match span.is_disabled() {
        true => running.await,
        false => running.instrument(span.clone()).await,
    };
    span::end(&span, result.as_ref().err().map(|failed| &failed.fault));
    result
}

async fn communicated(
    command: &Command,
    args: &[u8],
    limits: &CommandLimits,
    share: &mut Option<MemoryShare>,
) -> Result<Vec<u8>, FailedRun> {
    let mut log = Log::new(command.program(), limits.stderr_bytes);
    let mut stdout = Stdout::new(limits.stdout_bytes, share);
    let ended = communicate(command, args, &mut stdout, &mut log).await;
    let stdout = stdout.bytes;
    let result = ended.and_then(|status| match status.success() {
        true => Ok(stdout),
        false => Err(CommandFault::of_status(status, &stdout)),
    });
    let stderr = log.end(result.as_ref().err());
    result.map_err(|fault| FailedRun { fault, stderr })
}

/// Starts the program and serves its pipes until it has ended.
async fn communicate(
    command: &Command,
    args: &[u8],
    stdout: &mut Stdout<'_>,
    log: &mut Log,
) -> Result<ExitStatus, CommandFault> {
    let mut group = start(command)?;
    span::started(&mut group);
    let mut pipes = std::pin::pin!(Pipes::of(&mut group)?.carry(args, stdout, log));
    tokio::select! {
        carried = &mut pipes => {
            carried?;
            return group.wait().await;
        }
        status = group.wait() => {
            let status = status?;
            if let Ok(carried) = timeout(LINGER, &mut pipes).await {
                carried?;
                return Ok(status);
            }
            group.kill();
            // A process that left the group may still hold the pipes. It is not waited for.
            timeout(LINGER, pipes).await.unwrap_or(Ok(()))?;
            Ok(status)
        }
    }
}

fn start(command: &Command) -> Result<ProcessGroup, CommandFault> {
    let mut starting = tokio::process::Command::new(command.program());
    starting
        .args(command.args())
        .env_clear()
        .envs(environment::of(command))
        .envs(span::environment())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    ProcessGroup::start(&mut starting)
        .map_err(|error| CommandFault::cannot_start(command.program(), error))
}
