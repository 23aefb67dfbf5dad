//! A buffer for the events of one call, between the task that runs it and its listener.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::watch;
use toolpact::core::memory::{MemoryBudget, MemoryShare};
use toolpact::core::returns::stream::Event;
use toolpact_http::held_bytes;

/// Events are kept in memory up to one of these. After that, those that were sent are dropped, and
/// a tool waits until the others are.
const MAX_EVENTS: usize = 256;
const MAX_BYTES: usize = 256 << 10;

/// What a connection may have of events that are not written, beside one of any size.
const LARGE: usize = 64 << 10;

/// How often an event that waits for memory looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The events of a call, of which the last ones are kept for a listener that comes back.
#[derive(Debug)]
pub(super) struct Feed(watch::Sender<State>, Arc<MemoryBudget>);

/// Reads the events in their order. There is one listener at a time: a new one replaces it.
pub(super) struct Listener {
    feed: Arc<Feed>,
    number: u64,
}

#[derive(Debug)]
struct State {
    events: VecDeque<Kept>,
    bytes: usize,
    /// What they take of the memory for streams.
    memory: Option<MemoryShare>,
    /// How many of `events` were sent to the listener.
    sent: usize,
    sent_bytes: usize,
    ended: bool,
    /// How many listeners there were; the last of them listens, unless it has left.
    listeners: u64,
    left: Option<Instant>,
    /// Nobody may come back.
    closed: bool,
}

#[derive(Debug)]
struct Kept {
    text: Bytes,
    id: Option<Box<str>>,
    /// What it takes of the memory for streams.
    taken: usize,
    /// What a large result takes of the memory for results, until it is sent.
    share: Option<Arc<MemoryShare>>,
}

impl Feed {
    /// A feed with its first listener.
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> (Arc<Self>, Listener) {
        let state = watch::Sender::new(State {
            events: VecDeque::new(),
            bytes: 0,
            memory: memory.take(0),
            sent: 0,
            sent_bytes: 0,
            ended: false,
            listeners: 1,
            left: None,
            closed: false,
        });
        let feed = Arc::new(Self(state, Arc::clone(memory)));
        let listener = Listener {
            feed: Arc::clone(&feed),
            number: 1,
        };
        (feed, listener)
    }

    /// Adds an event, when there is room for it.
    pub(super) async fn push(&self, event: &Event) {
        self.push_held(event, None).await;
    }

    /// Adds an event that takes a part of the memory for results until it is sent.
    pub(super) async fn push_held(&self, event: &Event, share: Option<Arc<MemoryShare>>) {
        let mut changes = self.0.subscribe();
        // The sender is `self`, so that it is there.
        let _ = changes.wait_for(State::has_room).await;
        let (text, taken) = self.text_of(event).await;
        let id = event.id().map(Box::from);
        self.0.send_modify(|state| {
            state.push(Kept {
                text,
                id,
                taken,
                share,
            });
        });
    }

    /// The text of an event, and what it takes of the memory of this feed. A large one has memory of its own: it takes that
    /// until it is written, also when it is not kept any more.
    async fn text_of(&self, event: &Event) -> (Bytes, usize) {
        let bytes = event.data().len();
        let is_large = bytes > LARGE;
        loop {
            if !is_large && self.take(bytes) {
                return (Bytes::from(event.encode()), bytes);
            }
            if is_large && let Some(share) = self.1.take(bytes) {
                return (held_bytes(Bytes::from(event.encode()), share), 0);
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Takes the memory of an event before it is there.
    fn take(&self, bytes: usize) -> bool {
        let mut is_taken = false;
        self.0.send_if_modified(|state| {
            is_taken = state.memory.as_mut().is_none_or(|share| share.grow(bytes));
            false
        });
        is_taken
    }

    pub(super) fn end(&self) {
        self.0.send_modify(|state| state.ended = true);
    }

    /// Ends it for good: nobody may come back.
    pub(super) fn close(&self) {
        self.0.send_modify(|state| state.closed = true);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.borrow().closed
    }

    /// Returns when nobody has listened for so long.
    pub(super) async fn abandoned(&self, time: Duration) {
        let mut changes = self.0.subscribe();
        loop {
            let _ = changes
                .wait_for(|state| state.left.is_some() || state.closed)
                .await;
            let returned = changes.wait_for(|state| state.left.is_none() || state.closed);
            match tokio::time::timeout(time, returned).await {
                Ok(Ok(state)) if !state.closed => {}
                _ => return,
            }
        }
    }

    /// How many bytes of events it keeps.
    pub(super) fn bytes(&self) -> usize {
        self.0.borrow().bytes
    }

    /// When its listener left.
    pub(super) fn left(&self) -> Option<Instant> {
        self.0.borrow().left
    }

    /// Listens from the event after the last one with this id; `None` if it is not kept.
    pub(super) fn listen_after(self: &Arc<Self>, id: &str) -> Option<Listener> {
        let mut number = None;
        self.0.send_if_modified(|state| {
            number = state.rewind(id);
            number.is_some()
        });
        let feed = Arc::clone(self);
        number.map(|number| Listener { feed, number })
    }
}

impl Listener {
    /// The next event as it is sent; `None` at the end, and if another listener came.
    pub(super) async fn next(&self) -> Option<Bytes> {
        let mut changes = self.feed.0.subscribe();
        let is_waiting = |state: &State| {
            state.listeners == self.number && state.sent == state.events.len() && !state.ended
        };
        let _ = changes.wait_for(|state| !is_waiting(state)).await;
        let mut text = None;
        self.feed.0.send_if_modified(|state| {
            text = (state.listeners == self.number)
                .then(|| state.take_next())
                .flatten();
            text.is_some()
        });
        text
    }

    /// Whether there is nothing left to send.
    pub(super) fn is_at_end(&self) -> bool {
        let state = self.feed.0.borrow();
        state.ended && state.sent == state.events.len()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.feed.0.send_if_modified(|state| {
            let is_last = state.listeners == self.number;
            if is_last {
                state.left = Some(Instant::now());
            }
            is_last
        });
    }
}

impl State {
    fn has_room(&self) -> bool {
        self.events.len() - self.sent < MAX_EVENTS && self.bytes - self.sent_bytes < MAX_BYTES
    }

    fn push(&mut self, event: Kept) {
        self.bytes += event.text.len();
        self.events.push_back(event);
        self.trim();
    }

    fn take_next(&mut self) -> Option<Bytes> {
        let next = self.events.get_mut(self.sent)?;
        let text = match next.share.take() {
            Some(share) => held_bytes(next.text.clone(), share),
            None => next.text.clone(),
        };
        self.sent += 1;
        self.sent_bytes += text.len();
        self.trim();
        Some(text)
    }

    /// Drops the oldest events that were sent, as far as there are too many.
    fn trim(&mut self) {
        while self.sent > 0 && (self.events.len() > MAX_EVENTS || self.bytes > MAX_BYTES) {
            let Some(oldest) = self.events.pop_front() else {
                return;
            };
            let size = oldest.text.len();
            if let Some(share) = &mut self.memory {
                share.shrink(oldest.taken);
            }
            self.sent -= 1;
            self.sent_bytes -= size;
            self.bytes -= size;
        }
    }

    /// The number of a new listener, which has received everything up to this id.
    fn rewind(&mut self, id: &str) -> Option<u64> {
        let is_last = |event: &Kept| event.id.as_deref() == Some(id);
        self.sent = self.events.iter().rposition(is_last)? + 1;
        let sent = self.events.iter().take(self.sent);
        self.sent_bytes = sent.map(|event| event.text.len()).sum();
        self.left = None;
        self.listeners += 1;
        Some(self.listeners)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: usize, data: &str) -> Event {
        Event::new(data).with_id(id.to_string()).unwrap()
    }

    #[tokio::test]
    async fn memory_is_bounded_and_what_was_not_sent_is_kept() {
        let memory = Arc::new(MemoryBudget::new(1 << 20));
        let (feed, listener) = Feed::new(&memory);
        let large = "x".repeat(60 << 10);
        for id in 0..5 {
            feed.push(&event(id, &large)).await;
        }
        let last = event(5, &large);
        let mut more = std::pin::pin!(feed.push(&last));
        let short = Duration::from_millis(20);
        tokio::time::timeout(short, &mut more).await.unwrap_err();
        for _ in 0..2 {
            listener.next().await.unwrap();
        }
        more.await;
        assert!(listener.next().await.unwrap().starts_with(b"id: 2\n"));
        // What was sent makes room, the oldest first.
        assert!(feed.listen_after("1").is_none());
        let again = feed.listen_after("2").unwrap();
        assert!(again.next().await.unwrap().starts_with(b"id: 3\n"));
        assert!(listener.next().await.is_none(), "it was replaced");
        drop(listener);
        assert!(feed.left().is_none());
        drop(again);
        assert!(feed.left().is_some());
        assert!(memory.used() < 300 << 10, "{}", memory.used());
    }

    /// An event of 16 MiB for each of 20 listeners, who read nothing at first.
    #[tokio::test]
    async fn large_events_wait_for_memory() {
        let memory = Arc::new(MemoryBudget::new(64 << 20));
        let large = Event::new("x".repeat(16 << 20));
        let (mut listeners, mut tasks) = (Vec::new(), tokio::task::JoinSet::new());
        for _ in 0..20 {
            let (feed, listener) = Feed::new(&memory);
            listeners.push(listener);
            let large = large.clone();
            tasks.spawn(async move {
                feed.push(&large).await;
                feed.end();
            });
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(memory.used(), 64 << 20, "four of them");
        let small = Event::new("still served");
        let (feed, listener) = Feed::new(&memory);
        feed.push(&small).await;
        assert!(
            listener
                .next()
                .await
                .unwrap()
                .ends_with(b"still served\n\n")
        );
        // Who has read makes room for the others.
        let read = listeners.into_iter().map(|listener| async move {
            let event = listener.next().await.unwrap();
            assert!(event.len() > 16 << 20);
        });
        futures_util::future::join_all(read).await;
        tasks.join_all().await;
        assert!(memory.peak() <= (64 << 20) + 100, "{}", memory.peak());
        drop((feed, listener));
        assert_eq!(memory.used(), 0);
    }
}
