//! One worker: a process of the program `toolpact-code`.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::wire::{PROTOCOL, Reply, Request, from_bytes, length_of, to_frame};
use crate::Error;
use crate::command::ProcessGroup;

/// How long a worker may take to start. A machine can be busy.
const START: Duration = Duration::from_secs(30);

/// How long a worker whose pipes are closed may take to exit.
const END: Duration = Duration::from_secs(5);

/// The exit status of a worker that ran out of memory.
const OUT_OF_MEMORY: i32 = 65;

/// A running worker. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Worker {
    group: ProcessGroup,
    stdin: ChildStdin,
    replies: mpsc::Receiver<io::Result<Reply>>,
}

/// How a worker was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    Memory,
    Other(String),
}

impl Worker {
    pub(super) async fn start(program: &Path) -> Result<Self, Error> {
        let mut command = Command::new(program);
        command
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // No script writes to it, and a message of the worker itself is not for models.
            .stderr(Stdio::null());
        #[cfg(unix)]
        command.current_dir("/");
        let mut group = ProcessGroup::start(&mut command).map_err(|error| {
            let message = format!("cannot start {}: {error}", program.display());
            Error::no_worker(message, Some(error))
        })?;
        let child = group.child();
        let pipes = child.and_then(|child| Some((child.stdin.take()?, child.stdout.take()?)));
        let Some((stdin, stdout)) = pipes else {
            return Err(Error::worker_lost("it has no pipes"));
        };
        let (sender, replies) = mpsc::channel(64);
        tokio::spawn(listen(stdout, sender));
        let mut worker = Self {
            group,
            stdin,
            replies,
        };
        worker.handshake(program).await?;
        Ok(worker)
    }

    async fn handshake(&mut self, program: &Path) -> Result<(), Error> {
        let program = program.display();
        let wrong = |what: &str| {
            Error::no_worker(
                format!(
                    "{program} {what}; build the one that belongs to this program: \
                 cargo build --release -p toolpact-code"
                ),
                None,
            )
        };
        match timeout(START, self.reply()).await {
            Ok(Ok(Reply::Ready { protocol: PROTOCOL })) => Ok(()),
            Ok(Ok(Reply::Ready { .. })) => Err(wrong("is of another version")),
            Ok(Ok(_)) | Err(_) => Err(wrong("does not say that it is ready")),
            Ok(Err(_)) => Err(wrong("is no worker")),
        }
    }

    /// Whether it is alive: it, or the runtime that read from it, may have ended since.
    pub(super) fn is_alive(&mut self) -> bool {
        self.group.is_running() && !self.replies.is_closed()
    }

    pub(super) async fn send(&mut self, request: &Request) -> Result<(), Lost> {
        let frame = to_frame(request).map_err(|error| Lost::Other(error.to_string()))?;
        let sent = async {
            self.stdin.write_all(&frame).await?;
            self.stdin.flush().await
        };
        match sent.await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.how_it_ended().await),
        }
    }

    /// The next message. It is cancel safe.
    pub(super) async fn reply(&mut self) -> Result<Reply, Lost> {
        match self.replies.recv().await {
            Some(Ok(reply)) => Ok(reply),
            Some(Err(error)) => Err(Lost::Other(error.to_string())),
            None => Err(self.how_it_ended().await),
        }
    }

    async fn how_it_ended(&mut self) -> Lost {
        match timeout(END, self.group.wait()).await {
            Ok(Ok(status)) => lost(status),
            _ => Lost::Other("it does not answer".to_owned()),
        }
    }
}

fn lost(status: ExitStatus) -> Lost {
    match status.code() {
        Some(OUT_OF_MEMORY) => Lost::Memory,
        _ => Lost::Other(status.to_string()),
    }
}

/// Reads the messages of a worker until its stdout is closed.
async fn listen(stdout: ChildStdout, replies: mpsc::Sender<io::Result<Reply>>) {
    let mut stdout = BufReader::new(stdout);
    let mut length = [0; 4];
    while stdout.read_exact(&mut length).await.is_ok() {
        let reply = frame(&mut stdout, length).await;
        let is_wrong = reply.is_err();
        if replies.send(reply).await.is_err() || is_wrong {
            return;
        }
    }
}

async fn frame(stdout: &mut BufReader<ChildStdout>, length: [u8; 4]) -> io::Result<Reply> {
    let length = length_of(length)?;
    let mut bytes = Vec::new();
    stdout.take(length as u64).read_to_end(&mut bytes).await?;
    from_bytes(&bytes)
}
