//! Signals that ask the program to stop.

use std::io;

use crate::status::Status;

/// Ctrl-C and SIGTERM. Signals between two calls of `next` are not missed.
#[cfg(unix)]
pub(crate) struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// From now on, signals no longer end the program by themselves.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for a signal, and returns the exit status for stopping at once.
    pub(crate) async fn next(&mut self) -> io::Result<Status> {
        tokio::select! {
            _ = self.interrupt.recv() => Ok(Status::Interrupted),
            _ = self.terminate.recv() => Ok(Status::Terminated),
        }
    }
}

/// Ctrl-C.
#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for a signal, and returns the exit status for stopping at once.
    pub(crate) async fn next(&mut self) -> io::Result<Status> {
        tokio::signal::ctrl_c().await?;
        Ok(Status::Interrupted)
    }
}

/// The result of the work, or the exit status if a signal arrives first.
pub(crate) async fn unless_asked<T>(
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<Result<T, Status>> {
    let mut signals = Signals::listen()?;
    tokio::select! {
        done = work => done.map(Ok),
        asked = signals.next() => Ok(Err(asked?)),
    }
}
