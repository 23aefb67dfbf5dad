//! Standard input that ends when the server stops, and clients that are gone.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(unix)]
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Reads until the server is told to stop, and stops the server at the end of input. The reader sees the
/// end only when `ended` is cancelled, so that running calls can finish.
pub(crate) struct UntilStopped<R> {
    input: R,
    stop: CancellationToken,
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<R> UntilStopped<R> {
    pub(crate) fn new(input: R, stop: CancellationToken, ended: CancellationToken) -> Self {
        Self {
            input,
            stopped: Box::pin(stop.clone().cancelled_owned()),
            stop,
            ended: Box::pin(ended.cancelled_owned()),
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilStopped<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.stopped.as_mut().poll(context).is_pending() {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut self.input).poll_read(context, buffer))?;
            if buffer.filled().len() > before {
                return Poll::Ready(Ok(()));
            }
            self.stop.cancel();
        }
        self.ended.as_mut().poll(context).map(Ok)
    }
}

/// How often a client is looked after, and how long one may leave what it has asked for unread after it
/// has closed its side.
#[cfg(unix)]
const LOOK: Duration = Duration::from_secs(1);
#[cfg(unix)]
const UNREAD: Duration = Duration::from_secs(5);

/// Ends when the client can be told nothing any more: it has closed standard output, or it has closed
/// standard input and reads nothing. Neither is seen by reading and writing, as long as there is nothing to
/// write, or too much waits to be written for more to be read.
#[cfg(unix)]
pub(crate) async fn client_gone() {
    let mut stuck = Duration::ZERO;
    while stuck < UNREAD {
        tokio::time::sleep(LOOK).await;
        let Some((input, output)) = states() else {
            continue;
        };
        if output.intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL) {
            return;
        }
        let is_stuck = input.contains(PollFlags::HUP) && !output.contains(PollFlags::OUT);
        stuck = if is_stuck {
            stuck + LOOK
        } else {
            Duration::ZERO
        };
    }
}

#[cfg(not(unix))]
pub(crate) async fn client_gone() {
    std::future::pending().await
}

/// The states of standard input and output.
#[cfg(unix)]
fn states() -> Option<(PollFlags, PollFlags)> {
    let (input, output) = (io::stdin(), io::stdout());
    let mut both = [
        PollFd::new(&input, PollFlags::empty()),
        PollFd::new(&output, PollFlags::OUT),
    ];
    poll(&mut both, Some(&Timespec::default())).ok()?;
    let [input, output] = both;
    Some((input.revents(), output.revents()))
}
