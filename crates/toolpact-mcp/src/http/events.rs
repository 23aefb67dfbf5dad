//! Messages to a client as server-sent events, which it can resume.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body::Frame;
use http_body_util::BodyExt as _;
use tokio::time::{Instant, Sleep, sleep};
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};

use super::service::Body;
use super::sessions::Open;
use crate::server::Outbox;
use crate::server::dispatch::PendingAnswer;

/// Most messages that are kept for a client that is behind or comes back, and most bytes of them. The
/// last one is always kept.
const MESSAGES: usize = 256;
const BYTES: usize = 1 << 20;

/// How often a client that hears nothing is sent a comment.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// After how many milliseconds a client whose connection broke should come back.
const RETRY_MS: u32 = 3000;

/// The messages about one request, or about a session as a whole.
pub(super) struct EventStream {
    /// Its number in the session; none for the stream of the session itself.
    number: Option<u64>,
    /// Whether a client can resume it.
    is_resumable: bool,
    events: Mutex<Events>,
}

#[derive(Default)]
struct Events {
    kept: VecDeque<Bytes>,
    bytes: usize,
    /// The position of the first that is kept. Positions begin with 1.
    first: u64,
    has_ended: bool,
    /// Who reads them: the last to come.
    reader: u64,
    is_read: bool,
    waker: Option<Waker>,
}

impl EventStream {
    pub(super) fn new(number: Option<u64>, is_resumable: bool) -> Self {
        let events = Events {
            first: 1,
            ..Events::default()
        };
        Self {
            number,
            is_resumable,
            events: Mutex::new(events),
        }
    }

    pub(super) fn number(&self) -> Option<u64> {
        self.number
    }

    /// Whether there has been a message.
    pub(super) fn has_begun(&self) -> bool {
        let events = self.lock();
        events.first > 1 || !events.kept.is_empty()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lock().has_ended
    }

    /// Ends when there has been a message.
    pub(super) async fn begun(&self) {
        std::future::poll_fn(|context| {
            let mut events = self.lock();
            if events.first > 1 || !events.kept.is_empty() {
                return Poll::Ready(());
            }
            events.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Adds the last message.
    pub(super) fn end(&self, last: Option<Vec<u8>>) {
        if let Some(last) = last {
            self.push(last);
        }
        let mut events = self.lock();
        events.has_ended = true;
        events.wake();
    }

    /// Adds a message that says that something has changed, unless one waits already.
    pub(super) fn notify_once(&self, message: Vec<u8>) {
        let events = self.lock();
        let is_told = !events.is_read && !events.kept.is_empty();
        drop(events);
        if !is_told {
            self.push(message);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text of an event.
    fn write(&self, position: u64, message: &[u8]) -> Bytes {
        let mut event = Vec::with_capacity(message.len() + 32);
        if self.is_resumable {
            event.extend_from_slice(b"id: ");
            event.extend_from_slice(self.event_id(position).as_bytes());
            event.push(b'\n');
        }
        event.extend_from_slice(b"data: ");
        let from = event.len();
        event.extend_from_slice(message);
        // A line break between values would end the data.
        for byte in &mut event[from..] {
            if matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        event.extend_from_slice(b"\n\n");
        event.into()
    }

    /// `3/7` is the third event about the seventh request of a session; `3` the third about the session.
    fn event_id(&self, position: u64) -> String {
        match self.number {
            Some(number) => format!("{position}/{number}"),
            None => position.to_string(),
        }
    }

    /// The first event: how to resume the stream.
    fn priming(&self) -> Bytes {
        let id = self.event_id(0);
        format!("id: {id}\nretry: {RETRY_MS}\ndata: \n\n").into()
    }
}

impl Events {
    fn next_position(&self) -> u64 {
        self.first + self.kept.len() as u64
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Outbox for EventStream {
    fn offer(&self, message: Vec<u8>) {
        self.push(message);
    }

    /// The oldest messages make room for new ones.
    fn push(&self, message: Vec<u8>) {
        let mut events = self.lock();
        if events.has_ended {
            return;
        }
        let event = self.write(events.next_position(), &message);
        events.bytes += event.len();
        events.kept.push_back(event);
        while events.kept.len() > 1 && (events.kept.len() > MESSAGES || events.bytes > BYTES) {
            let oldest = events.kept.pop_front();
            events.bytes -= oldest.map_or(0, |event| event.len());
            events.first += 1;
        }
        events.wake();
    }
}

/// The position and the number of the stream of a `Last-Event-ID`.
pub(super) fn read_event_id(text: &str) -> Option<(u64, Option<u64>)> {
    match text.split_once('/') {
        Some((position, number)) => Some((position.parse().ok()?, Some(number.parse().ok()?))),
        None => Some((text.parse().ok()?, None)),
    }
}

/// A body that sends the events of a stream, until it ends or another body takes it over.
pub(super) struct EventBody {
    stream: Arc<EventStream>,
    /// What was sent last.
    position: u64,
    reader: u64,
    priming: Option<Bytes>,
    /// What the stream waits for, if nothing else drives it. Bodies have to be `Sync`.
    pending: Mutex<Option<PendingAnswer>>,
    keep_alive: Pin<Box<Sleep>>,
    end: Pin<Box<WaitForCancellationFutureOwned>>,
    _held: Held,
}

/// What lasts as long as somebody reads.
#[expect(dead_code, reason = "they are dropped, and not read")]
pub(super) enum Held {
    /// The request is cancelled if nobody reads its answer.
    Request(DropGuard),
    /// The session is not idle.
    Session(Open),
}

impl EventBody {
    /// Sends what comes after this position, until the token is cancelled.
    pub(super) fn new(
        stream: Arc<EventStream>,
        position: Option<u64>,
        end: CancellationToken,
        held: Held,
    ) -> Self {
        let mut events = stream.lock();
        events.reader += 1;
        events.is_read = true;
        events.wake();
        let reader = events.reader;
        // A client may claim to have read what was never sent.
        let read = position.unwrap_or(0).min(events.next_position() - 1);
        drop(events);
        let priming = (position.is_none() && stream.is_resumable).then(|| stream.priming());
        Self {
            stream,
            position: read,
            reader,
            priming,
            pending: Mutex::new(None),
            keep_alive: Box::pin(sleep(KEEP_ALIVE)),
            end: Box::pin(end.cancelled_owned()),
            _held: held,
        }
    }

    /// The body also waits for the answer that ends the stream.
    pub(super) fn driving(mut self, pending: PendingAnswer) -> Self {
        self.pending = Mutex::new(Some(pending));
        self
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = self.boxed();
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        let stream = HeaderValue::from_static("text/event-stream");
        headers.insert(header::CONTENT_TYPE, stream);
        let no_cache = HeaderValue::from_static("no-cache");
        headers.insert(header::CACHE_CONTROL, no_cache);
        // Proxies would collect events otherwise.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }

    /// The next event, or that there will be none.
    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut events = self.stream.lock();
        if events.reader != self.reader {
            return Poll::Ready(None);
        }
        let next = self.position.max(events.first - 1) + 1;
        let place = usize::try_from(next - events.first).unwrap_or(usize::MAX);
        if let Some(event) = events.kept.get(place) {
            self.position = next;
            return Poll::Ready(Some(event.clone()));
        }
        if events.has_ended {
            return Poll::Ready(None);
        }
        events.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl http_body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(priming) = self.priming.take() {
            return Poll::Ready(Some(Ok(Frame::data(priming))));
        }
        let this = &mut *self;
        let pending = this.pending.get_mut();
        let pending = pending.unwrap_or_else(PoisonError::into_inner);
        if let Some(waited) = pending
            && let Poll::Ready(answer) = waited.as_mut().poll(context)
        {
            *pending = None;
            this.stream.end(answer.map(|response| response.json));
        }
        if let Poll::Ready(event) = self.poll_event(context) {
            self.keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
            return Poll::Ready(event.map(|event| Ok(Frame::data(event))));
        }
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        if self.keep_alive.as_mut().poll(context).is_ready() {
            self.keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
            context.waker().wake_by_ref();
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b":\n\n")))));
        }
        Poll::Pending
    }
}

impl Drop for EventBody {
    fn drop(&mut self) {
        let mut events = self.stream.lock();
        if events.reader == self.reader {
            events.is_read = false;
        }
    }
}
