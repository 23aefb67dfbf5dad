//! Reads a body, within limits on its size and on the memory of all.

use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http::StatusCode;
use http_body::Body as _;
use http_body_util::{LengthLimitError, Limited};
use pin_project_lite::pin_project;

use toolpact_core::memory::MemoryShare;

use crate::{BodyLimits, Refusal};

/// What clients are told who have to wait.
pub const SPENT: &str =
    "The requests that run take all the memory that is set aside for them. Wait for their answers.";

pin_project! {
    /// Reads a body of at most so many bytes.
    pub struct ReadBody<B> {
        #[pin]
        body: Limited<B>,
        most: usize,
        // Most bodies are one frame, which is not copied.
        first: Bytes,
        more: BytesMut,
        share: Option<MemoryShare>,
    }
}

impl<B> ReadBody<B> {
    pub(crate) fn new(body: B, most: usize, share: Option<MemoryShare>) -> Self {
        Self {
            body: Limited::new(body, most),
            most,
            first: Bytes::new(),
            more: BytesMut::new(),
            share,
        }
    }
}

/// The body, and its share of the memory.
impl<B> Future for ReadBody<B>
where
    B: http_body::Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Output = Result<(Bytes, Option<MemoryShare>), Refusal>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let Some(frame) = ready!(this.body.as_mut().poll_frame(context)) else {
                let read = match this.more.is_empty() {
                    true => std::mem::take(this.first),
                    false => std::mem::take(this.more).freeze(),
                };
                return Poll::Ready(Ok((read, this.share.take())));
            };
            let frame = frame.map_err(|error| unreadable(&*error, *this.most))?;
            let Ok(mut data) = frame.into_data() else {
                continue;
            };
            let length = data.remaining();
            if this.share.as_mut().is_some_and(|share| !share.grow(length)) {
                return Poll::Ready(Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, SPENT)));
            }
            if this.first.is_empty() && this.more.is_empty() {
                *this.first = data.copy_to_bytes(length);
            } else {
                this.more.put(std::mem::take(this.first));
                this.more.put(data);
            }
        }
    }
}

fn unreadable(error: &(dyn Error + Send + Sync + 'static), most: usize) -> Refusal {
    if error.is::<LengthLimitError>() {
        return too_large(most);
    }
    tracing::debug!(target: "toolpact::http", %error, "a request could not be read");
    Refusal::new(StatusCode::BAD_REQUEST, "expected a whole request")
}

pub(crate) fn too_large(most: usize) -> Refusal {
    let message = format!("expected a request of at most {most} bytes");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
}

pub(crate) fn too_slow(limits: BodyLimits) -> Refusal {
    let message = format!("expected the whole request within {:?}", limits.time);
    Refusal::new(StatusCode::REQUEST_TIMEOUT, message)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    use bytes::Bytes;
    use http_body::{Body, Frame};

    use super::ReadBody;
    use crate::Refusal;
    use toolpact_core::memory::MemoryBudget;

    /// A body of frames.
    struct Frames(Vec<&'static str>);

    impl Body for Frames {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            let next = (!self.0.is_empty()).then(|| self.0.remove(0));
            Poll::Ready(next.map(|bytes| Ok(Frame::data(Bytes::from(bytes)))))
        }
    }

    fn read(
        frames: &[&'static str],
        most: usize,
        budget: &Arc<MemoryBudget>,
    ) -> Result<Bytes, Refusal> {
        let body = ReadBody::new(Frames(frames.to_vec()), most, budget.take(0));
        match std::pin::pin!(body).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(read) => read.map(|(bytes, _)| bytes),
            Poll::Pending => panic!("every frame is there"),
        }
    }

    #[test]
    fn frames_become_one_body_within_limits() {
        let plenty = Arc::new(MemoryBudget::new(1 << 20));
        for frames in [&[][..], &["ab"], &["a", "b"], &["", "a", "", "bc"]] {
            assert_eq!(read(frames, 3, &plenty).unwrap(), frames.concat());
        }
        assert_eq!(read(&["ab", "cd"], 3, &plenty).unwrap_err().status(), 413);
        assert!(!plenty.is_spent());
    }

    #[test]
    fn all_bodies_together_are_limited() {
        let large: &'static str = "x".repeat(80 << 10).leak();
        let small = Arc::new(MemoryBudget::new(100 << 10));
        let held = small.take(100 << 10).unwrap();
        assert_eq!(read(&[large], 1 << 20, &small).unwrap_err().status(), 503);
        // Small ones are always read.
        assert!(read(&["ab"], 1 << 20, &small).is_ok());
        drop(held);
        assert!(read(&[large], 1 << 20, &small).is_ok());
        assert!(!small.is_spent());
    }
}
