//! Input that ends when the server does.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Reads until the token is cancelled.
pub(crate) struct Until<R> {
    input: R,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl<R> Until<R> {
    pub(crate) fn new(input: R, end: CancellationToken) -> Self {
        let end = Box::pin(end.cancelled_owned());
        Self { input, end }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Until<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            Poll::Pending => Pin::new(&mut self.input).poll_read(context, buffer),
        }
    }
}
