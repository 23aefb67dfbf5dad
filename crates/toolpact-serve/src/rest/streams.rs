//! The streams of events that listeners can come back to.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use toolpact::core::json::Value;

use super::feed::{Feed, Listener};
use super::reply::Failure;

/// Most streams without a listener. Beyond them, the one that lost its listener first is closed.
const MAX_ABANDONED: usize = 1000;

pub(crate) struct Streams {
    /// How long a listener may stay away.
    resume: Duration,
    open: Mutex<Vec<(Key, Arc<Feed>)>>,
}

/// The SHA-256 of the request: clients repeat it when they come back.
type Key = [u8; 32];

/// What there is for a listener that comes back.
pub(super) enum Resumed {
    Events(Listener),
    /// It has received everything.
    Nothing,
}

impl Streams {
    pub(super) fn new(resume: Duration) -> Self {
        Self {
            resume,
            open: Mutex::default(),
        }
    }

    /// Keeps a feed until nobody has listened to it for too long.
    pub(super) async fn keep(
        &self,
        request: &Value,
        feed: &Arc<Feed>,
        events: impl Future<Output = ()>,
    ) {
        self.add(request, feed);
        tokio::select! {
            () = feed.abandoned(self.resume) => {}
            () = events => feed.abandoned(self.resume).await,
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(_, other)| !Arc::ptr_eq(other, feed));
    }

    /// Listens to the stream of the same request, after an event. A client may be back before its old
    /// connection is known to be lost; if the call has an `id`, it can be no other client.
    pub(super) fn resume(&self, request: &Value, last_id: &str) -> Result<Resumed, Failure> {
        let key = key(request);
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let has_id = request.root().get("id").is_some();
        let mut same = open
            .iter()
            .filter(|(other, feed)| *other == key && (has_id || feed.left().is_some()));
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

    fn add(&self, request: &Value, feed: &Arc<Feed>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let left = open
            .iter()
            .filter_map(|(_, feed)| Some((feed.left()?, feed)));
        let left: Vec<_> = left.collect();
        if left.len() >= MAX_ABANDONED
            && let Some((_, oldest)) = left.iter().min_by_key(|(left, _)| *left)
        {
            oldest.close();
        }
        open.push((key(request), Arc::clone(feed)));
    }
}

fn key(request: &Value) -> Key {
    Sha256::digest(request.text()).into()
}
