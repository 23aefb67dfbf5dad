//! A client that is there for a time.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use tokio::time::{Instant, Sleep, sleep};

use super::Away;
use crate::http::Body;

/// The events of an answer for a client that is there for a time.
pub(super) struct Visit {
    /// Nothing once the client is sent away.
    body: Option<Body>,
    time: Duration,
    end: Pin<Box<Sleep>>,
    /// The event that the client was told last.
    place: Option<Box<str>>,
    /// Whether it was told that during this visit.
    told: bool,
    /// Who keeps the rest, and for which session, unless it is kept already.
    keeper: Option<(Away, Box<str>)>,
}

impl Visit {
    pub(super) fn new(
        body: Body,
        time: Duration,
        place: Option<&str>,
        keeper: Option<(Away, Box<str>)>,
    ) -> Self {
        Self {
            body: Some(body),
            time,
            end: Box::pin(sleep(time)),
            place: place.map(Box::from),
            told: false,
            keeper,
        }
    }

    fn note(&mut self, event: &[u8]) {
        let ids = event.split(|byte| *byte == b'\n');
        let id = ids.filter_map(|line| line.strip_prefix(b"id:")).next_back();
        if let Some(id) = id.and_then(|id| std::str::from_utf8(id.trim_ascii()).ok()) {
            self.place = Some(id.into());
            self.told = true;
        }
    }

    /// Sends the client away, if it knows where to go on and somebody keeps the rest.
    fn leave(&mut self) -> bool {
        let Some(place) = &self.place else {
            return false;
        };
        self.body = match (&self.keeper, self.body.take()) {
            (Some((away, session)), Some(body)) => away.keep(session, place, body).err(),
            _ => None,
        };
        self.body.is_none()
    }
}

impl http_body::Body for Visit {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(context) {
            match &frame {
                Some(Ok(frame)) => self.note(frame.data_ref().unwrap_or(&Bytes::new())),
                _ => self.body = None,
            }
            return Poll::Ready(frame);
        }
        loop {
            ready!(self.end.as_mut().poll(context));
            if self.leave() {
                break;
            }
            let next = Instant::now() + self.time.max(Duration::from_millis(1));
            self.end.as_mut().reset(next);
        }
        // Some clients know their place only if they are told it during the visit.
        let again = self.place.take().filter(|_| !self.told);
        let again = again.map(|place| Bytes::from(format!("id: {place}\ndata: \n\n")));
        Poll::Ready(again.map(|event| Ok(Frame::data(event))))
    }
}
