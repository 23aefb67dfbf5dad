//! The calls of a host that are not answered yet: who waits for what comes, and who has waited too long.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context as Poller, Poll, Waker};
use std::time::{Duration, Instant};

use async_nats::{Message, StatusCode};
use bytes::Bytes;

use crate::batch::{self, OutcomeHead};
use crate::clock;
use crate::wire::{Kind, WINDOW};

/// A call without a message for this long is lost.
pub(crate) const SILENCE: Duration = Duration::from_millis(1500);
/// How far a host may be behind with what comes to it, before it takes for silence what it has not read yet.
const BEHIND: Duration = Duration::from_secs(5);
/// What the reply subjects of echoes have in place of the invocation.
const ECHO: &str = "echo";

/// Messages of one call that wait to be read: what a runtime may send without credit, and the result.
const WAITING: usize = 32;
const _: () = assert!(WAITING as u64 > WINDOW);

/// What a call hears of its runtime.
pub(crate) enum Heard {
    /// It was not sent.
    NotSent,
    /// The server says that nobody listens there.
    NoResponders,
    /// Something that is not just a beat.
    Message(Kind, Message),
    /// Its outcome, which came with those of others.
    Outcome(Outcome),
}

/// The outcome of a call, as it came.
pub(crate) struct Outcome {
    /// Whether it surely did not begin.
    pub(crate) is_refused: bool,
    /// The JSON of the whole error.
    pub(crate) error: Option<Box<str>>,
    /// ADM's ToolResult.
    pub(crate) body: Bytes,
    /// The tool and the content in place of the body, where that was long.
    pub(crate) content: Option<(Box<str>, String)>,
}

/// Why a call hears nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Silent,
    Flooded,
}

/// One attempt of a call: its invocation and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key(u128, u32);

impl Key {
    /// `None` if the invocation is none.
    pub(crate) fn new(invocation: &str, attempt: u32) -> Option<Self> {
        if !crate::subject::is_hex(invocation, 32) {
            return None;
        }
        let invocation = u128::from_str_radix(invocation, 16).ok()?;
        Some(Self(invocation, attempt))
    }

    pub(crate) fn invocation(self) -> Box<str> {
        format!("{:032x}", self.0).into()
    }

    /// Of the end of a reply subject, `INVOCATION.ATTEMPT`.
    fn read(text: &str) -> Option<Self> {
        let (invocation, attempt) = text.split_once('.')?;
        Self::new(invocation, attempt.parse().ok()?)
    }
}

/// One attempt of a call, until this is dropped.
pub(crate) struct Waiting {
    key: Key,
    all: Arc<InFlight>,
    slot: Arc<Slot>,
}

struct Slot {
    /// When something was heard last, in milliseconds since the start.
    heard: AtomicU64,
    /// The batch that it was sent in; 0 if it was sent alone.
    batch: AtomicU64,
    inbox: Mutex<Inbox>,
}

#[derive(Default)]
struct Inbox {
    messages: VecDeque<Heard>,
    ended: Option<Ended>,
    waker: Option<Waker>,
}

/// All of them.
pub(crate) struct InFlight {
    slots: Mutex<HashMap<Key, Arc<Slot>>>,
    start: Instant,
    /// What the server sent before this was heard, in milliseconds since the start: whoever was silent until then was silent,
    /// and is not just behind others.
    heard_until: AtomicU64,
    /// Whether the server answers echoes.
    has_echoes: AtomicBool,
}

impl InFlight {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            slots: Mutex::default(),
            start: Instant::now(),
            heard_until: AtomicU64::new(0),
            has_echoes: AtomicBool::new(false),
        })
    }

    /// Waits for what comes about an attempt.
    pub(crate) fn wait_for(self: &Arc<Self>, key: Key) -> Waiting {
        let slot = Arc::new(Slot {
            heard: AtomicU64::new(self.now()),
            batch: AtomicU64::new(0),
            inbox: Mutex::default(),
        });
        self.lock().insert(key, Arc::clone(&slot));
        let all = Arc::clone(self);
        Waiting { key, all, slot }
    }

    /// Passes a message on to who waits for it, by the end of its subject. Nobody does if the call is over, or never
    /// was.
    pub(crate) fn deliver(&self, subject: &str, message: Message) {
        let no_responders = message.status == Some(StatusCode::NO_RESPONDERS);
        if let Some(batch) = subject.strip_prefix("batch.") {
            match no_responders {
                true => self.no_responders(batch),
                false => self.deliver_outcomes(&message.payload),
            }
            return;
        }
        if let Some(echo) = subject.strip_prefix(ECHO) {
            if let Some(sent) = echo.strip_prefix('.').filter(|_| no_responders) {
                self.echoed(sent);
            }
            return;
        }
        let Some(key) = Key::read(subject) else {
            return;
        };
        let heard = match (no_responders, Kind::of(message.headers.as_ref())) {
            (true, _) => Some(Heard::NoResponders),
            (false, Kind::Beat) => None,
            (false, kind) => Some(Heard::Message(kind, message)),
        };
        self.tell(key, heard);
    }

    fn deliver_outcomes(&self, message: &Bytes) {
        // What is none tells nothing about any call: those that it was for are lost.
        let Some(outcomes) = batch::read::<OutcomeHead<'_>>(message) else {
            tracing::error!(target: "toolpact::grid", "a runtime sent outcomes that are none");
            return;
        };
        for (head, body) in outcomes {
            let outcome = Outcome {
                is_refused: head.kind.as_deref() == Some(Kind::Refused.name()),
                error: head.error.map(|error| error.get().into()),
                body,
                content: None,
            };
            if let Some(key) = Key::new(&head.invocation, head.attempt) {
                self.tell(key, Some(Heard::Outcome(outcome)));
            }
        }
    }

    /// Nobody got this batch.
    fn no_responders(&self, batch: &str) {
        let Ok(batch) = batch.parse::<u64>() else {
            return;
        };
        let slots = self.lock();
        let sent = slots
            .values()
            .filter(|slot| slot.batch.load(Ordering::Acquire) == batch);
        sent.for_each(|slot| slot.push(Heard::NoResponders));
    }

    /// Notes that a call goes out with this batch.
    pub(super) fn sent_in(&self, key: Key, batch: u64) {
        if let Some(slot) = self.lock().get(&key) {
            slot.batch.store(batch, Ordering::Release);
        }
    }

    /// Tells a call what was heard of it; nothing is a beat.
    pub(super) fn tell(&self, key: Key, heard: Option<Heard>) {
        let mut slots = self.lock();
        let Some(slot) = slots.get(&key) else { return };
        slot.heard.store(self.now(), Ordering::Relaxed);
        let Some(heard) = heard else { return };
        let slot = Arc::clone(slot);
        // More than the protocol allows: whoever sends that is not to be trusted with the rest.
        if slot.is_full() {
            slots.remove(&key);
            drop(slots);
            slot.end(Ended::Flooded);
            return;
        }
        drop(slots);
        slot.push(heard);
    }

    /// The end of a reply subject that says when it was used: nobody takes such a message, so the server sends it back,
    /// behind all that it has to send already. `None` while there is nothing to wait for.
    pub(crate) fn echo(&self) -> Option<String> {
        let now = self.now();
        let is_idle = self.lock().is_empty();
        if is_idle {
            self.heard_until.store(now, Ordering::Release);
        }
        let is_needed = !is_idle || !self.has_echoes.load(Ordering::Acquire);
        is_needed.then(|| format!("{ECHO}.{now}"))
    }

    fn echoed(&self, sent: &str) {
        if let Ok(sent) = sent.parse::<u64>() {
            let sent = sent.min(self.now());
            self.heard_until.fetch_max(sent, Ordering::AcqRel);
            self.has_echoes.store(true, Ordering::Release);
            self.end_silent(true);
        }
    }

    /// Ends the calls that have heard nothing for too long. What was sent to a host that is behind with reading is not
    /// silence.
    pub(crate) fn end_silent(&self, is_connected: bool) {
        let now = self.now();
        let until = self.heard_until.load(Ordering::Acquire);
        // Somebody may listen to everything: then the server sends no echoes.
        let is_behind = is_connected
            && self.has_echoes.load(Ordering::Acquire)
            && now.saturating_sub(until) < clock::millis(BEHIND);
        let until = if is_behind { until } else { now };
        let oldest = until.saturating_sub(clock::millis(SILENCE));
        self.lock().retain(|_, slot| {
            let is_heard = slot.heard.load(Ordering::Relaxed) >= oldest;
            if !is_heard {
                slot.end(Ended::Silent);
            }
            is_heard
        });
    }

    fn now(&self) -> u64 {
        clock::millis(self.start.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    fn is_full(&self) -> bool {
        self.inbox().messages.len() >= WAITING
    }

    fn push(&self, heard: Heard) {
        self.change(|inbox| inbox.messages.push_back(heard));
    }

    fn end(&self, ended: Ended) {
        self.change(|inbox| inbox.ended = Some(ended));
    }

    fn change(&self, change: impl FnOnce(&mut Inbox)) {
        let mut inbox = self.inbox();
        change(&mut inbox);
        let waker = inbox.waker.take();
        drop(inbox);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// The next message, or why there is none.
    pub(crate) async fn next(&mut self) -> Result<Heard, Ended> {
        std::future::poll_fn(|poller| self.poll(poller)).await
    }

    fn poll(&self, poller: &mut Poller<'_>) -> Poll<Result<Heard, Ended>> {
        let mut inbox = self.slot.inbox();
        match (inbox.messages.pop_front(), inbox.ended) {
            (Some(heard), _) => Poll::Ready(Ok(heard)),
            (None, Some(ended)) => Poll::Ready(Err(ended)),
            (None, None) => {
                inbox.waker = Some(poller.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.all.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Ended, InFlight, Key, SILENCE};

    /// What an echo says that the server sends back.
    fn sent(echo: Option<String>) -> Option<String> {
        Some(echo?.strip_prefix("echo.")?.to_owned())
    }

    #[tokio::test]
    async fn what_is_behind_others_is_not_silent() {
        let all = InFlight::new();
        let key = Key::new(&"1".repeat(32), 1).unwrap();
        let before = sent(all.echo()).unwrap();
        all.echoed(&before);
        assert_eq!(all.echo(), None, "nobody waits");
        let mut waiting = all.wait_for(key);
        tokio::time::sleep(SILENCE + Duration::from_millis(100)).await;
        // A beat may be behind what is not read yet.
        let now = sent(all.echo()).unwrap();
        all.end_silent(true);
        assert!(all.lock().contains_key(&key));
        // It was not.
        all.echoed(&now);
        assert_eq!(waiting.next().await.err(), Some(Ended::Silent));
    }

    #[tokio::test]
    async fn a_host_without_echoes_waits_for_none() {
        for (is_connected, has_echoes) in [(true, false), (false, true)] {
            let all = InFlight::new();
            if has_echoes {
                all.echoed("0");
            }
            let mut waiting = all.wait_for(Key::new(&"1".repeat(32), 1).unwrap());
            tokio::time::sleep(SILENCE + Duration::from_millis(100)).await;
            all.end_silent(is_connected);
            assert_eq!(waiting.next().await.err(), Some(Ended::Silent));
        }
    }
}
