//! Tools that are programs: arguments as JSON on stdin, the result as JSON on stdout.
//!
//! No shell is in between. The program runs in the working directory of this process, sees of its
//! environment what it was [allowed](environment) to see, and leads a process group of its own,
//! which never outlives the call: not when the program ends and leaves others behind, not when the
//! call is dropped.

mod environment;
mod error;
mod group;
mod live;
mod log;
mod pipes;
#[cfg(test)]
mod tests;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::time::timeout;
use toolpact_core::contract::Command;

pub use environment::base as base_environment;
pub(crate) use error::CommandError;
pub use group::Group;
pub use live::end_all;
use log::Log;
use pipes::Pipes;

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

/// How long the pipes of a program that has ended may stay open: those who still hold them were
/// left behind.
const LINGER: Duration = Duration::from_millis(100);

/// Runs the program with `args` on its stdin and returns what it wrote on stdout, not parsed.
///
/// There is no timeout here. Dropping the future kills the whole process group, and reaps the
/// program.
pub(crate) async fn run(
    command: &Command,
    args: &[u8],
    limits: &CommandLimits,
) -> Result<Vec<u8>, CommandError> {
    let mut log = Log::new(command.program(), limits.stderr_bytes);
    let mut stdout = Vec::new();
    let ended = talk(command, args, limits, &mut stdout, &mut log).await;
    let result = ended.and_then(|status| match status.success() {
        true => Ok(stdout),
        false => Err(CommandError::of_status(status, &stdout)),
    });
    log.end(result.as_ref().err());
    result
}

/// Starts the program and talks to it until it has ended.
async fn talk(
    command: &Command,
    args: &[u8],
    limits: &CommandLimits,
    stdout: &mut Vec<u8>,
    log: &mut Log,
) -> Result<ExitStatus, CommandError> {
    let mut group = start(command)?;
    let mut pipes =
        std::pin::pin!(Pipes::of(&mut group)?.carry(args, stdout, limits.stdout_bytes, log));
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
            // Who has left the group may hold the pipes still. It is not waited for.
            timeout(LINGER, pipes).await.unwrap_or(Ok(()))?;
            Ok(status)
        }
    }
}

fn start(command: &Command) -> Result<Group, CommandError> {
    let mut starting = tokio::process::Command::new(command.program());
    starting
        .args(command.args())
        .env_clear()
        .envs(environment::of(command))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Group::start(&mut starting)
        .map_err(|error| CommandError::cannot_start(command.program(), error))
}
