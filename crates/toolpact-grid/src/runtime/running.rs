//! The calls that a runtime runs: which it has seen, which are cancelled, and that they go on.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{Client, Subject};
use bytes::Bytes;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use toolpact::ToolError;

use crate::headers::{self, CallHeaders};
use crate::questions::Open;
use crate::wire::Kind;

/// How often a host is told that its call goes on.
pub(super) const BEAT: Duration = Duration::from_millis(500);
/// Calls that are younger have been begun since the last beat, and are in time with the next.
const YOUNG: Duration = Duration::from_millis(50);
/// How long cancellations wait for calls that come after them.
const EARLY: Duration = Duration::from_secs(2);
/// Most of them that are remembered.
const MOST_EARLY: usize = 100_000;

/// All of them.
#[derive(Default)]
pub(super) struct Running(Mutex<State>);

#[derive(Default)]
struct State {
    calls: HashMap<Box<str>, RunningCall>,
    /// Invocations with the attempts that were made, until they could not be begun any more.
    seen: HashMap<Box<str>, (u32, u64)>,
    /// Invocations that were cancelled before they came.
    cancelled: HashMap<Box<str>, Instant>,
}

struct RunningCall {
    reply: Subject,
    started: Instant,
    cancel: CancellationToken,
    credit: Arc<Credit>,
    open: Arc<Open>,
}

/// Up to which number the host has taken messages.
#[derive(Default)]
pub(super) struct Credit {
    number: AtomicU64,
    more: Notify,
}

impl Credit {
    /// Waits until it is at least this.
    pub(super) async fn reaches(&self, number: u64) {
        loop {
            let more = self.more.notified();
            if self.number() >= number {
                return;
            }
            more.await;
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number.load(Ordering::Acquire)
    }

    fn raise(&self, number: u64) {
        self.number.fetch_max(number, Ordering::AcqRel);
        self.more.notify_waiters();
    }
}

/// What a call that has begun is told by its host.
pub(super) struct Begun {
    pub(super) cancel: CancellationToken,
    pub(super) credit: Arc<Credit>,
    /// The questions that it has not answered.
    pub(super) open: Arc<Open>,
}

impl Running {
    /// Begins a call, unless it was seen or cancelled before.
    pub(super) fn begin(&self, call: &CallHeaders, reply: &Subject) -> Option<Begun> {
        let mut state = self.lock();
        let is_seen = |(attempt, _): &(u32, u64)| *attempt >= call.attempt;
        if state.seen.get(&call.invocation).is_some_and(is_seen)
            || state.cancelled.remove(&call.invocation).is_some()
        {
            return None;
        }
        state
            .seen
            .insert(call.invocation.clone(), (call.attempt, call.start_by));
        let cancel = CancellationToken::new();
        let credit = Arc::new(Credit::default());
        let open = Arc::<Open>::default();
        let running = RunningCall {
            reply: reply.clone(),
            started: Instant::now(),
            cancel: cancel.clone(),
            credit: Arc::clone(&credit),
            open: Arc::clone(&open),
        };
        state.calls.insert(call.invocation.clone(), running);
        Some(Begun {
            cancel,
            credit,
            open,
        })
    }

    pub(super) fn end(&self, invocation: &str) {
        self.lock().calls.remove(invocation);
    }

    /// Cancels a call, also if it is yet to come.
    pub(super) fn cancel(&self, invocation: &str) {
        let mut state = self.lock();
        match state.calls.get(invocation) {
            Some(call) => call.cancel.cancel(),
            None if state.cancelled.len() < MOST_EARLY && !state.seen.contains_key(invocation) => {
                state.cancelled.insert(invocation.into(), Instant::now());
            }
            None => {}
        }
    }

    pub(super) fn cancel_all(&self) {
        self.lock()
            .calls
            .values()
            .for_each(|call| call.cancel.cancel());
    }

    /// The host has taken messages up to this number.
    pub(super) fn credit(&self, invocation: &str, number: u64) {
        if let Some(call) = self.lock().calls.get(invocation) {
            call.credit.raise(number);
        }
    }

    /// The host has answered a question.
    pub(super) fn answer(&self, invocation: &str, number: u64, answer: Result<Bytes, ToolError>) {
        let open = {
            let state = self.lock();
            let call = state.calls.get(invocation);
            call.map(|call| Arc::clone(&call.open))
        };
        if let Some(open) = open {
            open.answer(number, answer);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.lock().calls.len()
    }

    /// Forgets what cannot come any more.
    pub(super) fn forget(&self, now: u64) {
        let mut state = self.lock();
        state.seen.retain(|_, (_, start_by)| *start_by >= now);
        state.cancelled.retain(|_, since| since.elapsed() < EARLY);
    }

    /// Tells hosts that their calls go on.
    pub(super) async fn beat(&self, client: &Client) {
        let is_old = |call: &&RunningCall| call.started.elapsed() >= YOUNG;
        let replies: Vec<Subject> = {
            let state = self.lock();
            state
                .calls
                .values()
                .filter(is_old)
                .map(|call| call.reply.clone())
                .collect()
        };
        for reply in replies {
            let beat = headers::of_kind(Kind::Beat.name());
            // A host that hears nothing gives the call up.
            let _ = client.publish_with_headers(reply, beat, Bytes::new()).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
