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
use toolpact::core::memory::{MemoryBudget, MemoryShare};

use super::kept_streams::KeptStreams;
use super::service::Body;
use super::sessions::Open;
use crate::rpc;
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
    /// Where it is kept for a client that resumes it; `None` if it cannot be resumed.
    kept: Option<Arc<KeptStreams>>,
    events: Mutex<Events>,
}

#[derive(Default)]
struct Events {
    kept: VecDeque<Event>,
    bytes: usize,
    /// What those take of the memory for streams that take none of that for results.
    share: Option<MemoryShare>,
    /// The position of the first that is kept. Positions begin with 1.
    first: u64,
    has_ended: bool,
    /// Who reads them: the last to come.
    reader: u64,
    is_read: bool,
    /// Whether it has ended and nobody reads it any more, so that it takes no memory for results.
    is_settled: bool,
    waker: Option<Waker>,
}

struct Event {
    text: Bytes,
    /// What a large result takes of the memory for results.
    share: Option<Arc<MemoryShare>>,
}

impl EventStream {
    /// A stream that ends with its reader.
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> Self {
        let events = Events {
            first: 1,
            share: memory.take(0),
            ..Events::default()
        };
        Self {
            number: None,
            kept: None,
            events: Mutex::new(events),
        }
    }

    /// A stream that can be resumed.
    pub(super) fn resumable(number: Option<u64>, kept: &Arc<KeptStreams>) -> Self {
        Self {
            number,
            kept: Some(Arc::clone(kept)),
            ..Self::new(kept.memory())
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
    pub(super) fn end(self: &Arc<Self>, last: Option<rpc::Response>) {
        if let Some(last) = last {
            self.add(&last.json, last.memory);
        }
        let mut events = self.lock();
        events.has_ended = true;
        events.wake();
        drop(events);
        self.settle();
    }

    /// Frees the memory for results, if this has ended and nobody reads it. It is kept with others, within a
    /// bound for all of them.
    fn settle(self: &Arc<Self>) {
        let mut events = self.lock();
        if events.is_read || !events.has_ended {
            return;
        }
        events.settle();
        let is_first = !std::mem::replace(&mut events.is_settled, true);
        let bytes = events.bytes;
        drop(events);
        if let (Some(kept), true) = (&self.kept, is_first) {
            kept.add(self, bytes);
        }
    }

    /// Drops its events, unless somebody reads them.
    pub(super) fn forget(&self) -> bool {
        let mut events = self.lock();
        if events.is_read {
            return false;
        }
        events.clear();
        true
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

    #[cfg(test)]
    pub(super) fn has_begun_and_kept(&self) -> bool {
        !self.lock().kept.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Events> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message. The oldest make room for it; if that is not enough, it is left out.
    fn add(&self, message: &[u8], share: Option<Arc<MemoryShare>>) {
        let mut events = self.lock();
        if events.has_ended {
            return;
        }
        let text = self.write(events.next_position(), message);
        if share.is_none() && !events.take(text.len()) {
            let bytes = text.len();
            tracing::warn!(target: "toolpact::mcp", bytes, "a message is left out: there is no memory for it");
            return;
        }
        events.bytes += text.len();
        events.kept.push_back(Event { text, share });
        while events.kept.len() > 1 && (events.kept.len() > MESSAGES || events.bytes > BYTES) {
            events.drop_oldest();
        }
        events.wake();
    }

    /// The text of an event.
    fn write(&self, position: u64, message: &[u8]) -> Bytes {
        let mut event = Vec::with_capacity(message.len() + 32);
        if self.kept.is_some() {
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

    /// Takes memory for a message, for which the oldest make room. `false` if that is not enough.
    fn take(&mut self, bytes: usize) -> bool {
        loop {
            let is_taken = self.share.as_mut().is_none_or(|share| share.grow(bytes));
            if is_taken || !self.drop_oldest() {
                return is_taken;
            }
        }
    }

    /// `false` if there is none.
    fn drop_oldest(&mut self) -> bool {
        let Some(oldest) = self.kept.pop_front() else {
            return false;
        };
        self.first += 1;
        self.bytes -= oldest.text.len();
        if let (None, Some(share)) = (oldest.share, &mut self.share) {
            share.shrink(oldest.text.len());
        }
        true
    }

    /// From here on, results take memory for streams, as far as there is some.
    fn settle(&mut self) {
        let results = self.kept.iter_mut();
        let results = results.filter_map(|event| event.share.take().map(|_| event.text.len()));
        let bytes = results.sum();
        if self.share.as_mut().is_some_and(|share| !share.grow(bytes)) {
            self.clear();
        }
    }

    fn clear(&mut self) {
        self.first = self.next_position();
        self.kept.clear();
        self.bytes = 0;
        if let Some(share) = &mut self.share {
            share.shrink(usize::MAX);
        }
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

    fn push(&self, message: Vec<u8>) {
        self.add(&message, None);
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
        let priming = (position.is_none() && stream.kept.is_some()).then(|| stream.priming());
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
            return Poll::Ready(Some(event.text.clone()));
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
            this.stream.end(answer);
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
        drop(events);
        self.stream.settle();
    }
}
