//! A buffer for the events of one call, between the task that runs it and its listener.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::watch;
use toolpact::core::returns::stream::Event;

/// Events are kept in memory up to one of these. After that, those that were sent are dropped, and
/// a tool waits until the others are.
const MAX_EVENTS: usize = 256;
const MAX_BYTES: usize = 256 << 10;

/// The events of a call, of which the last ones are kept for a listener that comes back.
#[derive(Debug)]
pub(super) struct Feed(watch::Sender<State>);

/// Reads the events in their order. There is one listener at a time: a new one replaces it.
pub(super) struct Listener {
    feed: Arc<Feed>,
    number: u64,
}

#[derive(Debug)]
struct State {
    events: VecDeque<Kept>,
    bytes: usize,
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
}

impl Feed {
    /// A feed with its first listener.
    pub(super) fn new() -> (Arc<Self>, Listener) {
        let feed = Arc::new(Self(watch::Sender::new(State {
            events: VecDeque::new(),
            bytes: 0,
            sent: 0,
            sent_bytes: 0,
            ended: false,
            listeners: 1,
            left: None,
            closed: false,
        })));
        let listener = Listener {
            feed: Arc::clone(&feed),
            number: 1,
        };
        (feed, listener)
    }

    /// Adds an event, when there is room for it.
    pub(super) async fn push(&self, event: &Event) {
        let mut changes = self.0.subscribe();
        // The sender is `self`, so that it is there.
        let _ = changes.wait_for(State::has_room).await;
        let text = Bytes::from(event.encode());
        let id = event.id().map(Box::from);
        self.0.send_modify(|state| state.push(Kept { text, id }));
    }

    pub(super) fn end(&self) {
        self.0.send_modify(|state| state.ended = true);
    }

    /// Ends it for good: nobody may come back.
    pub(super) fn close(&self) {
        self.0.send_modify(|state| state.closed = true);
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
        let text = self.events.get(self.sent)?.text.clone();
        self.sent += 1;
        self.sent_bytes += text.len();
        self.trim();
        Some(text)
    }

    /// Drops the oldest events that were sent, as far as there are too many.
    fn trim(&mut self) {
        while self.sent > 0 && (self.events.len() > MAX_EVENTS || self.bytes > MAX_BYTES) {
            let size = self.events.pop_front().map_or(0, |event| event.text.len());
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
        let (feed, listener) = Feed::new();
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
    }
}
