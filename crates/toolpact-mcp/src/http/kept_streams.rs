//! The streams that have ended and are kept for clients that come back.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use toolpact::core::memory::MemoryBudget;

use super::events::EventStream;

/// What of the memory for streams they may take together, in all sessions: the rest is for streams that are read.
const PART: usize = 4;

/// Streams that nobody reads, the oldest first.
pub(super) struct KeptStreams {
    most: usize,
    /// For all streams, those that are read included.
    memory: Arc<MemoryBudget>,
    streams: Mutex<VecDeque<(Weak<EventStream>, usize)>>,
}

impl KeptStreams {
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> Self {
        Self {
            most: memory.most() / PART,
            memory: Arc::clone(memory),
            streams: Mutex::default(),
        }
    }

    pub(super) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    /// Adds a stream. The oldest are emptied to make room for it, unless somebody reads them again.
    pub(super) fn add(&self, stream: &Arc<EventStream>, bytes: usize) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.push_back((Arc::downgrade(stream), bytes));
        let total = |streams: &VecDeque<(_, usize)>| streams.iter().map(|(_, b)| b).sum::<usize>();
        if total(&streams) <= self.most {
            return;
        }
        streams.retain(|(stream, _)| stream.strong_count() > 0);
        let mut over = total(&streams).saturating_sub(self.most);
        streams.retain(|(stream, bytes)| {
            let is_dropped = over > 0 && stream.upgrade().is_none_or(|stream| stream.forget());
            over = over.saturating_sub(if is_dropped { *bytes } else { 0 });
            !is_dropped
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio_util::sync::CancellationToken;
    use toolpact::core::memory::MemoryBudget;

    use crate::server::Outbox as _;

    use super::super::events::{EventBody, EventStream, Held};
    use super::KeptStreams;
    use crate::rpc::{Id, Response};

    fn answer(memory: &Arc<MemoryBudget>) -> Response {
        let id = Id::from(1);
        let mut response = Response::of(&id, &"x".repeat(100_000));
        response.memory = Some(Arc::new(memory.take(100_000).unwrap()));
        response
    }

    fn read(stream: &Arc<EventStream>) -> EventBody {
        let request = CancellationToken::new().drop_guard();
        let (stream, end) = (Arc::clone(stream), CancellationToken::new());
        EventBody::new(stream, None, end, Held::Request(request))
    }

    #[tokio::test]
    async fn a_result_takes_its_share_while_it_is_read_and_makes_room_after() {
        let memory = Arc::new(MemoryBudget::new(1 << 20));
        let of_streams = Arc::new(MemoryBudget::new(1_000_000));
        let kept = Arc::new(KeptStreams::new(&of_streams));
        let new = || Arc::new(EventStream::resumable(Some(1), &kept));
        let streams: Vec<_> = (0..3).map(|_| new()).collect();
        let bodies: Vec<_> = streams.iter().map(read).collect();
        for stream in &streams {
            stream.end(Some(answer(&memory)));
        }
        assert_eq!(memory.used(), 300_000, "they are not sent");
        assert_eq!(of_streams.used(), 0, "they are results");
        drop(bodies);
        assert_eq!(memory.used(), 0);
        assert!((200_000..=201_000).contains(&of_streams.used()));
        let has_events = |stream: &Arc<EventStream>| stream.has_begun_and_kept();
        let left: Vec<bool> = streams.iter().map(has_events).collect();
        assert_eq!(left, [false, true, true], "the oldest has made room");
        // One that is read again stays.
        let again = read(&streams[1]);
        let last = new();
        last.end(Some(answer(&memory)));
        assert_eq!(memory.used(), 0, "nobody reads it");
        let left: Vec<bool> = streams.iter().chain([&last]).map(has_events).collect();
        assert_eq!(left, [false, true, false, true]);
        drop(again);
        drop((streams, last));
        assert_eq!(of_streams.used(), 0);
    }

    /// 40 streams of 40 messages of 25 kB each: a megabyte each, if all were kept.
    #[tokio::test]
    async fn events_that_nobody_reads_are_bounded_together() {
        let memory = Arc::new(MemoryBudget::new(4 << 20));
        let kept = Arc::new(KeptStreams::new(&memory));
        let streams: Vec<_> = (0..40)
            .map(|n| Arc::new(EventStream::resumable(Some(n), &kept)))
            .collect();
        let bodies: Vec<_> = streams.iter().map(read).collect();
        for _ in 0..40 {
            for stream in &streams {
                stream.push(vec![b' '; 25_000]);
            }
        }
        // Each may have 64 kB beyond.
        let most = memory.most() + streams.len() * (64 << 10);
        assert!(memory.peak() <= most, "{}", memory.peak());
        assert!(memory.peak() > 3 << 20, "{}", memory.peak());
        // All have the last message, and one that is too large is left out.
        assert!(streams.iter().all(|stream| stream.has_begun_and_kept()));
        streams[0].push(vec![b' '; 500_000]);
        streams[0].end(Some(Response::of(&Id::from(1), &"end")));
        drop((bodies, streams));
        assert_eq!(memory.used(), 0);
    }
}
