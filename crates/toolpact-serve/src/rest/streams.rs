//! The streams of events that listeners can come back to.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use toolpact::Principal;
use toolpact::core::json::Value;
use toolpact::core::memory::MemoryBudget;

use super::feed::{Feed, Listener};
use super::reply::Failure;

/// Most streams without a listener. Beyond them, the one that lost its listener first is closed.
const MAX_ABANDONED: usize = 1000;

/// What of the memory for streams their events may take together: the rest is for those that are listened to.
const PART: usize = 4;

pub(crate) struct Streams {
    /// How long a listener may stay away.
    resume: Duration,
    memory: Arc<MemoryBudget>,
    open: Mutex<Vec<([u8; 32], Arc<Feed>)>>,
}

/// A request, and who has sent it: what a stream is found by.
pub(super) struct Owned {
    /// The SHA-256 of both: clients repeat the request when they come back.
    key: [u8; 32],
    /// Whether the call has an `id`.
    has_id: bool,
}

impl Owned {
    pub(super) fn new(request: &Value, principal: &Principal) -> Self {
        let mut key = Sha256::new();
        key.update(principal.key());
        // Neither part has a zero byte.
        key.update([0]);
        key.update(request.text());
        Self {
            key: key.finalize().into(),
            has_id: request.root().get("id").is_some(),
        }
    }
}

/// What there is for a listener that comes back.
pub(super) enum Resumed {
    Events(Listener),
    /// It has received everything.
    Nothing,
}

impl Streams {
    pub(super) fn new(resume: Duration, memory: &Arc<MemoryBudget>) -> Self {
        Self {
            resume,
            memory: Arc::clone(memory),
            open: Mutex::default(),
        }
    }

    /// A feed with its first listener.
    pub(super) fn feed(&self) -> (Arc<Feed>, Listener) {
        Feed::new(&self.memory)
    }

    /// Keeps a feed until nobody has listened to it for too long.
    pub(super) async fn keep(
        &self,
        request: &Owned,
        feed: &Arc<Feed>,
        events: impl Future<Output = ()>,
    ) {
        self.add(request, feed);
        tokio::select! {
            () = feed.abandoned(self.resume) => {}
            () = async {
                events.await;
                // The result may be large.
                self.make_room();
                feed.abandoned(self.resume).await;
            } => {}
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(_, other)| !Arc::ptr_eq(other, feed));
    }

    /// Listens to the stream of the same request of the same principal, after an event. A client may be back before its old
    /// connection is known to be lost; if the call has an `id`, it can be no other client.
    pub(super) fn resume(&self, request: &Owned, last_id: &str) -> Result<Resumed, Failure> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = open
            .iter()
            .filter(|(key, feed)| *key == request.key && (request.has_id || feed.left().is_some()));
        match same.find_map(|(_, feed)| feed.listen_after(last_id)) {
            Some(listener) if listener.is_at_end() => Ok(Resumed::Nothing),
            Some(listener) => Ok(Resumed::Events(listener)),
            None if last_id == super::stream::END_ID => Ok(Resumed::Nothing),
            None => Err(Failure::not_found(
                "There are no events of this call after `Last-Event-ID` any more, and the call was not made \
                 again. Without that header, it is.",
            )),
        }
    }

    fn add(&self, request: &Owned, feed: &Arc<Feed>) {
        self.make_room();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push((request.key, Arc::clone(feed)));
    }

    /// Closes those that lost their listeners first, as far as there are too many.
    fn make_room(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let left = open
            .iter()
            .filter_map(|(_, feed)| Some((feed.left()?, feed)));
        let mut left: Vec<_> = left.filter(|(_, feed)| !feed.is_closed()).collect();
        left.sort_by_key(|(left, _)| *left);
        let mut bytes: usize = left.iter().map(|(_, feed)| feed.bytes()).sum();
        let mut number = left.len();
        for (_, oldest) in left {
            if number < MAX_ABANDONED && bytes <= self.memory.most() / PART {
                return;
            }
            bytes -= oldest.bytes().min(bytes);
            number -= 1;
            oldest.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolpact::core::returns::stream::Event;

    /// Each has a result of 20 MB that nobody has heard.
    #[tokio::test]
    async fn streams_without_listeners_are_bounded_together() {
        let of_streams = Arc::new(MemoryBudget::new(256 << 20));
        let streams = Arc::new(Streams::new(Duration::from_mins(1), &of_streams));
        let memory = Arc::new(MemoryBudget::new(1 << 30));
        let mut feeds = Vec::new();
        for _ in 0..5 {
            let (feed, listener) = streams.feed();
            drop(listener);
            let share = memory.take(20_000_000).map(Arc::new);
            let (streams, kept) = (Arc::clone(&streams), Arc::clone(&feed));
            let event = Event::new("x".repeat(20_000_000));
            let (done, is_done) = tokio::sync::oneshot::channel();
            tokio::spawn(async move {
                let events = async {
                    kept.push_held(&event, share).await;
                    kept.end();
                    done.send(()).unwrap();
                };
                let request = Owned::new(&Value::from(1), &Principal::anonymous());
                streams.keep(&request, &kept, events).await;
            });
            is_done.await.unwrap();
            feeds.push(Arc::downgrade(&feed));
        }
        let gone = async {
            while memory.used() > 60_000_000 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let gone = tokio::time::timeout(Duration::from_secs(10), gone).await;
        gone.unwrap_or_else(|_| panic!("{} bytes are held", memory.used()));
        let open: Vec<bool> = feeds.iter().map(|feed| feed.strong_count() > 0).collect();
        assert_eq!(open, [false, false, true, true, true]);
        assert!(of_streams.used() < 61_000_000, "{}", of_streams.used());
    }
}
