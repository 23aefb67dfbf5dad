//! One worker: a process of the program `toolpact-code`.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use toolpact_core::memory::{MemoryBudget, MemoryShare};

use super::wire::{ALLOW_UNCONFINED, PROTOCOL, Reply, Request, from_bytes, length_of, to_frame};
use crate::Error;
use crate::command::ProcessGroup;

/// How long a worker may take to start. A machine can be busy.
const START: Duration = Duration::from_secs(30);

/// How long a worker whose pipes are closed may take to exit.
const END: Duration = Duration::from_secs(5);

/// The exit status of a worker that ran out of memory.
const OUT_OF_MEMORY: i32 = 65;

/// Most bytes of messages that are read before the host takes them. One may be larger.
const UNREAD: u32 = 16 << 20;

/// How often a message that waits for memory looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A running worker. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Worker {
    group: ProcessGroup,
    stdin: ChildStdin,
    replies: mpsc::Receiver<io::Result<Unread>>,
}

/// A message that waits to be read, and its part of [`UNREAD`].
struct Unread {
    reply: Reply,
    _permit: OwnedSemaphorePermit,
    _share: Option<MemoryShare>,
}

/// How a worker was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    Memory,
    Other(String),
}

impl Worker {
    pub(super) async fn start(
        program: &Path,
        may_be_unconfined: bool,
        memory: Option<Arc<MemoryBudget>>,
    ) -> Result<Self, Error> {
        let mut command = Command::new(program);
        command.args(may_be_unconfined.then_some(ALLOW_UNCONFINED));
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
        tokio::spawn(listen(stdout, sender, memory));
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
            Ok(Ok(Reply::Unconfined(reason))) => Err(Error::no_worker(
                format!(
                    "{program} cannot keep the system from scripts, and so runs none: {reason}; use a system \
                     whose kernel has seccomp filters, or allow scripts without them: --allow-unconfined, \
                     `allow_unconfined: true` of `code` in a config, Sandbox::allow_unconfined"
                ),
                None,
            )),
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
            Some(Ok(unread)) => Ok(unread.reply),
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
async fn listen(
    stdout: impl AsyncRead + Unpin,
    replies: mpsc::Sender<io::Result<Unread>>,
    memory: Option<Arc<MemoryBudget>>,
) {
    let mut stdout = BufReader::new(stdout);
    let room = Arc::new(Semaphore::new(UNREAD as usize));
    let mut length = [0; 4];
    while stdout.read_exact(&mut length).await.is_ok() {
        let reply = tokio::select! {
            reply = frame(&mut stdout, length, &room, memory.as_ref()) => reply,
            () = replies.closed() => return,
        };
        let is_wrong = reply.is_err();
        if replies.send(reply).await.is_err() || is_wrong {
            return;
        }
    }
}

async fn frame(
    stdout: &mut (impl AsyncRead + Unpin),
    length: [u8; 4],
    room: &Arc<Semaphore>,
    memory: Option<&Arc<MemoryBudget>>,
) -> io::Result<Unread> {
    let length = length_of(length)?;
    let wanted = u32::try_from(length).unwrap_or(UNREAD).min(UNREAD);
    let permit = Arc::clone(room).acquire_many_owned(wanted).await;
    let permit = permit.map_err(io::Error::other)?;
    let share = match memory {
        Some(budget) => Some(share_of(budget, length).await?),
        None => None,
    };
    let mut bytes = Vec::new();
    stdout.take(length as u64).read_to_end(&mut bytes).await?;
    let reply = from_bytes(&bytes)?;
    Ok(Unread {
        reply,
        _permit: permit,
        _share: share,
    })
}

/// Waits for the memory of a message. Nothing of it is held meanwhile, so that no two wait for each other.
async fn share_of(budget: &Arc<MemoryBudget>, length: usize) -> io::Result<MemoryShare> {
    if length > budget.most() {
        return Err(io::Error::other(
            "a message is longer than the memory for all",
        ));
    }
    loop {
        match budget.take(length) {
            Some(share) => return Ok(share),
            None => sleep(LOOK_AGAIN).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers that send as much as they can to hosts that take nothing.
    #[tokio::test]
    async fn messages_that_are_not_taken_are_bounded() {
        let memory = Arc::new(MemoryBudget::new(24 << 20));
        let frame = to_frame(&Reply::Printed("x".repeat(1 << 20))).unwrap();
        let (mut hosts, mut workers) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            let (mut worker, host) = tokio::io::duplex(64 << 10);
            let (sender, replies) = mpsc::channel(64);
            tokio::spawn(listen(host, sender, Some(Arc::clone(&memory))));
            hosts.push(replies);
            let frame = frame.clone();
            workers.push(tokio::spawn(async move {
                let mut sent = 0;
                while worker.write_all(&frame).await.is_ok() {
                    sent += 1;
                }
                sent
            }));
        }
        let spent = async {
            while !memory.is_spent() {
                sleep(LOOK_AGAIN).await;
            }
        };
        timeout(Duration::from_secs(30), spent).await.unwrap();
        sleep(Duration::from_millis(300)).await;
        let mut waiting: Vec<usize> = hosts.iter().map(mpsc::Receiver::len).collect();
        let total: usize = waiting.iter().sum();
        waiting.sort_unstable();
        assert!((20..=25).contains(&total), "{waiting:?}");
        assert!(waiting.iter().all(|one| *one <= 16), "{waiting:?}");
        let most = memory.most() + frame.len();
        assert!(memory.peak() <= most, "{} bytes", memory.peak());
        // Who takes messages makes room for the others, and no worker that is gone keeps any.
        let taking = hosts.into_iter().map(|mut replies| async move {
            for _ in 0..20 {
                replies.recv().await.unwrap().unwrap();
            }
            replies
        });
        // All at once: what one makes room for may be taken by another.
        drop(futures_util::future::join_all(taking).await);
        for worker in workers {
            assert!(worker.await.unwrap() >= 20);
        }
        let freed = async {
            while memory.used() > 0 {
                sleep(LOOK_AGAIN).await;
            }
        };
        timeout(Duration::from_secs(5), freed).await.unwrap();
    }

    #[tokio::test]
    async fn a_message_that_never_fits_is_refused() {
        let memory = Arc::new(MemoryBudget::new(1 << 20));
        assert!(share_of(&memory, 2 << 20).await.is_err());
        assert!(share_of(&memory, 1 << 20).await.is_ok());
    }
}
