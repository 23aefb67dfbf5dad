//! Answers that are ended from here.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::Frame;
use http_body_util::BodyExt as _;

use super::Body;

/// An answer that is ended from here, unless it comes to its end before.
struct Ended {
    body: Body,
    /// Nothing once it has come.
    end: Option<Pin<Box<dyn Future<Output = ()> + Send + Sync>>>,
    /// What is said at the end.
    last: Option<Bytes>,
}

/// The same answer, until the end comes.
pub(super) fn until(body: Body, end: impl Future<Output = ()> + Send + Sync + 'static) -> Body {
    ended(body, end, None)
}

/// The same for events that were taken up at this place. If there were none when the end comes, the
/// client is told the place again, to take them up there.
pub(super) fn until_from(
    place: &str,
    body: Body,
    end: impl Future<Output = ()> + Send + Sync + 'static,
) -> Body {
    let event = format!("id: {place}\ndata: \n\n");
    ended(body, end, Some(event.into()))
}

fn ended(
    body: Body,
    end: impl Future<Output = ()> + Send + Sync + 'static,
    last: Option<Bytes>,
) -> Body {
    let end: Pin<Box<dyn Future<Output = ()> + Send + Sync>> = Box::pin(end);
    let end = Some(end);
    Ended { body, end, last }.boxed()
}

impl http_body::Body for Ended {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(end) = &mut self.end else {
            return Poll::Ready(None);
        };
        if end.as_mut().poll(context).is_ready() {
            self.end = None;
            let last = self.last.take();
            return Poll::Ready(last.map(|last| Ok(Frame::data(last))));
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && frame.data_ref().is_some_and(|data| !data.starts_with(b":"))
        {
            self.last = None;
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use super::{until, until_from};
    use bytes::Bytes;
    use futures_util::{StreamExt as _, stream};
    use http_body::Frame;
    use http_body_util::{BodyExt, StreamBody};
    use std::time::Duration;

    use super::Body;

    /// Events that stop coming, but do not end.
    fn events(events: &'static [&'static str]) -> Body {
        let frames =
            stream::iter(events).map(|event| Ok(Frame::data(Bytes::from_static(event.as_bytes()))));
        BodyExt::boxed(StreamBody::new(frames.chain(stream::pending())))
    }

    async fn text(body: Body) -> String {
        let whole = body.collect().await.unwrap().to_bytes();
        String::from_utf8(whole.to_vec()).unwrap()
    }

    fn soon() -> tokio::time::Sleep {
        tokio::time::sleep(Duration::from_millis(20))
    }

    #[tokio::test]
    async fn the_place_is_told_unless_there_is_a_later_one() {
        assert_eq!(text(until(events(&["a", "b"]), soon())).await, "ab");
        let place = "id: 1/2\ndata: \n\n";
        assert_eq!(text(until_from("1/2", events(&[]), soon())).await, place);
        let quiet = until_from("1/2", events(&[": ping\n\n"]), soon());
        assert_eq!(text(quiet).await, format!(": ping\n\n{place}"));
        let told = until_from("1/2", events(&["id: 2/2\n\n"]), soon());
        assert_eq!(text(told).await, "id: 2/2\n\n");
    }

    /// One that has ended has nothing more to say, and nobody need come back for it.
    #[tokio::test]
    async fn what_has_ended_is_not_taken_up_again() {
        let empty = BodyExt::boxed(http_body_util::Empty::new());
        assert_eq!(text(until_from("1/2", empty, soon())).await, "");
    }
}
