//! What is told while a client is away.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http_body::Frame;
use http_body_util::BodyExt as _;

use super::{Away, Key};
use crate::http::Body;

/// Most events that are kept. The oldest are news of progress, and the last is the answer.
const EVENTS: usize = 256;

/// What is told while a client is away.
#[derive(Default)]
pub(super) struct Kept(Mutex<State>);

#[derive(Default)]
struct State {
    events: VecDeque<Bytes>,
    ended: bool,
    waiting: Option<Waker>,
}

impl Kept {
    /// Takes note of everything that is told.
    pub(super) async fn listen(&self, mut body: Body) {
        while let Some(Ok(frame)) = body.frame().await {
            if let Ok(event) = frame.into_data() {
                self.change(|state| {
                    if state.events.len() >= EVENTS {
                        state.events.pop_front();
                    }
                    state.events.push_back(event);
                });
            }
        }
        self.change(|state| state.ended = true);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        change(&mut state);
        if let Some(waiting) = state.waiting.take() {
            waiting.wake();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is left of an answer. It is forgotten when all of it is told.
pub(super) struct Rest {
    kept: Arc<Kept>,
    away: Away,
    key: Key,
}

impl Rest {
    pub(super) fn new(kept: Arc<Kept>, away: Away, key: Key) -> Self {
        Self { kept, away, key }
    }
}

impl http_body::Body for Rest {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let mut state = self.kept.state();
        if let Some(event) = state.events.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(event))));
        }
        if state.ended {
            drop(state);
            self.away.forget(&self.key);
            return Poll::Ready(None);
        }
        state.waiting = Some(context.waker().clone());
        Poll::Pending
    }
}
