//! The pipes of a program, served concurrently so that neither side blocks the other.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use toolpact_core::memory::MemoryShare;

use super::CommandFault;
use super::log::Log;
use super::process_group::ProcessGroup;

pub(super) struct Pipes {
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: ChildStderr,
}

/// What a program has written on stdout.
pub(super) struct Stdout<'s> {
    pub(super) bytes: Vec<u8>,
    most: usize,
    /// What it takes of the memory for answers.
    share: &'s mut Option<MemoryShare>,
}

impl<'s> Stdout<'s> {
    pub(super) fn new(most: usize, share: &'s mut Option<MemoryShare>) -> Self {
        Self {
            bytes: Vec::new(),
            most,
            share,
        }
    }
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
        stdout: &mut Stdout<'_>,
        log: &mut Log,
    ) -> Result<(), CommandFault> {
        tokio::try_join!(
            feed(self.stdin, args),
            gather(self.stdout, stdout),
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

async fn gather(mut stdout: ChildStdout, into: &mut Stdout<'_>) -> Result<(), CommandFault> {
    loop {
        let read = stdout.read_buf(&mut into.bytes).await?;
        if read == 0 {
            return Ok(());
        }
        if into.bytes.len() > into.most {
            return Err(CommandFault::TooMuchOutput { limit: into.most });
        }
        if into.share.as_mut().is_some_and(|share| !share.grow(read)) {
            return Err(CommandFault::NoMemory);
        }
    }
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
