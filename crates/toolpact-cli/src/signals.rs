//! Signals that ask the program to stop.

use std::io;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::status::Status;

/// Ctrl-C, SIGTERM, SIGQUIT, and SIGHUP unless it is ignored. Signals between two calls of `next` are not
/// missed.
#[cfg(unix)]
pub(crate) struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    /// From now on, signals no longer end the program by themselves.
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
            hang_up: match ignores_hang_ups() {
                true => None,
                false => Some(signal(SignalKind::hangup())?),
            },
        })
    }

    /// Waits for a signal, and returns the exit status for stopping at once.
    pub(crate) async fn next(&mut self) -> io::Result<Status> {
        tokio::select! {
            _ = self.interrupt.recv() => Ok(Status::Interrupted),
            _ = self.terminate.recv() => Ok(Status::Terminated),
            _ = self.quit.recv() => Ok(Status::Quit),
            () = hung_up(self.hang_up.as_mut()) => Ok(Status::HungUp),
        }
    }
}

#[cfg(unix)]
async fn hung_up(signal: Option<&mut tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether the program was started by `nohup`, or where nobody can tell.
#[cfg(unix)]
fn ignores_hang_ups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask & 1 == 1)
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

/// Tells a server to stop on the first signal, and not to wait for calls on the second or on SIGQUIT. One
/// that is still there `patience` after that is ended: its threads may all wait for somebody who does not
/// read, so signals are heard on a thread of their own.
pub(crate) fn pass_on(
    stop: CancellationToken,
    now: CancellationToken,
    drain: Duration,
    patience: Duration,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut signals = {
        let _entered = runtime.enter();
        Signals::listen()?
    };
    let hear = async move {
        let Ok(first) = signals.next().await else {
            return;
        };
        stop.cancel();
        if !is_quit(first) {
            let _ = tokio::time::timeout(drain.saturating_add(patience), signals.next()).await;
        }
        now.cancel();
        tokio::time::sleep(patience).await;
        toolpact::process::end_all();
        std::process::exit(i32::from(first as u8));
    };
    let thread = std::thread::Builder::new().name("toolpact-signals".to_owned());
    thread.spawn(move || runtime.block_on(hear)).map(drop)
}

#[cfg(unix)]
fn is_quit(status: Status) -> bool {
    status == Status::Quit
}

#[cfg(not(unix))]
fn is_quit(_: Status) -> bool {
    false
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
