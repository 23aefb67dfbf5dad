//! Being asked to stop.

use std::io;

use crate::status::Status;

/// Ctrl-C and SIGTERM. None is missed between two of them that are waited for.
#[cfg(unix)]
pub(crate) struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// From now on, the program is asked and not killed.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Until the program is asked to stop: what it ends with if it does so at once.
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

    /// Until the program is asked to stop: what it ends with if it does so at once.
    pub(crate) async fn next(&mut self) -> io::Result<Status> {
        tokio::signal::ctrl_c().await?;
        Ok(Status::Interrupted)
    }
}

/// What comes of something, or what the program ends with that was asked to stop before.
pub(crate) async fn unless_asked<T>(
    work: impl Future<Output = anyhow::Result<T>>,
) -> anyhow::Result<Result<T, Status>> {
    let mut signals = Signals::listen()?;
    tokio::select! {
        done = work => done.map(Ok),
        asked = signals.next() => Ok(Err(asked?)),
    }
}
