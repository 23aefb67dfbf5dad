//! Clients that are sent away in the middle of an answer, and come back for the rest.
//!
//! The library forgets an answer once it has told it, even if nobody was there to hear it. So what is
//! told while a client is away is kept here.

mod kept;
mod visit;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http_body_util::BodyExt as _;

use super::Body;
use kept::{Kept, Rest};
use visit::Visit;

/// How long the end of an answer is kept.
const TIME: Duration = Duration::from_secs(60);

/// Most answers whose clients are away. The others stay.
const MOST: usize = 256;

/// The answers whose clients are away. Cloning is cheap, and clones are the same.
#[derive(Clone, Default)]
pub(super) struct Away(Arc<Mutex<HashMap<Key, Arc<Kept>>>>);

/// A session, and the number of an answer in it.
type Key = (Box<str>, Box<str>);

impl Away {
    /// The events of an answer, until the client is sent away.
    pub(super) fn first(&self, session: &str, body: Body, time: Duration) -> Body {
        let keeper = Some((self.clone(), session.into()));
        Visit::new(body, time, None, keeper).boxed()
    }

    /// The rest of an answer for a client that has come back and was told this event last.
    pub(super) fn again(&self, session: &str, place: &str, time: Duration) -> Option<Body> {
        let key = key(session, place)?;
        let kept = self.answers().get(&key).cloned()?;
        let rest = Rest::new(kept, self.clone(), key).boxed();
        Some(Visit::new(rest, time, Some(place), None).boxed())
    }

    /// Keeps what is told while the client is away, unless there is no room for it.
    fn keep(&self, session: &str, place: &str, body: Body) -> Result<(), Body> {
        let Some(key) = key(session, place) else {
            return Err(body);
        };
        let kept = Arc::new(Kept::default());
        let mut answers = self.answers();
        if answers.len() >= MOST {
            return Err(body);
        }
        answers.insert(key.clone(), Arc::clone(&kept));
        drop(answers);
        let away = self.clone();
        tokio::spawn(async move {
            kept.listen(body).await;
            tokio::time::sleep(TIME).await;
            away.forget(&key);
        });
        Ok(())
    }

    fn forget(&self, key: &Key) {
        self.answers().remove(key);
    }

    fn answers(&self) -> MutexGuard<'_, HashMap<Key, Arc<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event is named by its place in an answer and the number of that: `3/7`. Those of news have no
/// number.
fn key(session: &str, place: &str) -> Option<Key> {
    let (_, number) = place.split_once('/')?;
    Some((session.into(), number.into()))
}
