//! Standard input that ends when the server stops.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

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
