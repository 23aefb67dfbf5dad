//! Answers that never end by themselves.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::Frame;
use http_body_util::BodyExt as _;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::Body;

/// A stream of news, which ends when the server does.
struct News {
    body: Body,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
}

/// The same answer, until the token is cancelled.
pub(super) fn until(body: Body, end: CancellationToken) -> Body {
    let end = Box::pin(end.cancelled_owned());
    News { body, end }.boxed()
}

impl http_body::Body for News {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.end.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => Pin::new(&mut self.body).poll_frame(context),
        }
    }
}
