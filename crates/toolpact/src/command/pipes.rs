//! The pipes of a program, served concurrently so that neither side blocks the other.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use super::CommandFault;
use super::log::Log;
use super::process_group::ProcessGroup;

pub(super) struct Pipes {
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: ChildStderr,
}

impl Pipes {
    pub(super) fn of(group: &mut ProcessGroup) -> Result<Self, CommandFault> {
        let child = group.child.as_mut();
        let taken = child.and_then(|child| {
            Some(Self {
                stdin: child.stdin.take()?,
                stdout: child.stdout.take()?,
                stderr: child.stderr.take()?,
            })
        });
        taken.ok_or_else(|| CommandFault::Io(io::ErrorKind::BrokenPipe.into()))
    }

    /// Serves all pipes until they are closed. If it is dropped before, what was read so far is kept.
    pub(super) async fn carry(
        self,
        args: &[u8],
        stdout: &mut Vec<u8>,
        limit: usize,
        log: &mut Log,
    ) -> Result<(), CommandFault> {
        tokio::try_join!(
            feed(self.stdin, args),
            gather(self.stdout, stdout, limit),
            listen(self.stderr, log),
        )?;
        Ok(())
    }
}

/// A program need not read its arguments.
async fn feed(mut stdin: ChildStdin, args: &[u8]) -> Result<(), CommandFault> {
    match stdin.write_all(args).await {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

async fn gather(
    mut stdout: ChildStdout,
    into: &mut Vec<u8>,
    limit: usize,
) -> Result<(), CommandFault> {
    while stdout.read_buf(into).await? > 0 {
        if into.len() > limit {
            return Err(CommandFault::TooMuchOutput { limit });
        }
    }
    Ok(())
}

async fn listen(mut stderr: ChildStderr, log: &mut Log) -> Result<(), CommandFault> {
    let mut bytes = [0; 4096];
    loop {
        match stderr.read(&mut bytes).await? {
            0 => return Ok(()),
            n => log.write(&bytes[..n]),
        }
    }
}
