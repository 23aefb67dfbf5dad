//! Input that ends when the server does.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Reads until the server is told to stop, and tells it so if there is nothing more to read. That
/// the input has ended is told later: the calls that run then may come to their end.
pub(crate) struct Until<R> {
    input: R,
    stop: CancellationToken,
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<R> Until<R> {
    pub(crate) fn new(input: R, stop: CancellationToken, ended: CancellationToken) -> Self {
        Self {
            input,
            stopped: Box::pin(stop.clone().cancelled_owned()),
            stop,
            ended: Box::pin(ended.cancelled_owned()),
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Until<R> {
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
