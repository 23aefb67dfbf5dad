//! The calls of a host that are not answered yet: who waits for what comes, and who has waited too long.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{Message, StatusCode};
use tokio::sync::mpsc;

use crate::clock;
use crate::wire::{Kind, WINDOW};

/// A call without a message for this long is lost.
pub(crate) const SILENCE: Duration = Duration::from_millis(1500);

/// Messages of one call that wait to be read: what a runtime may send without credit, and the result.
const WAITING: usize = 32;
const _: () = assert!(WAITING as u64 > WINDOW);

/// What a call hears of its runtime.
pub(crate) enum Heard {
    /// The server says that nobody listens there.
    NoResponders,
    /// Something that is not just a beat.
    Message(Kind, Message),
}

/// Why a call hears nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    Silent,
    Flooded,
}

const SILENT: u8 = 1;
const FLOODED: u8 = 2;

/// One attempt of a call, until this is dropped.
pub(crate) struct Waiting {
    key: Box<str>,
    all: Arc<InFlight>,
    state: Arc<State>,
    messages: mpsc::Receiver<Heard>,
}

struct Slot {
    sender: mpsc::Sender<Heard>,
    state: Arc<State>,
}

struct State {
    /// When something was heard last, in milliseconds since the start.
    heard: AtomicU64,
    ended: AtomicU8,
}

/// All of them.
pub(crate) struct InFlight {
    slots: Mutex<HashMap<Box<str>, Slot>>,
    start: Instant,
}

impl InFlight {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            slots: Mutex::default(),
            start: Instant::now(),
        })
    }

    /// Waits for what comes about an attempt: `INVOCATION.ATTEMPT`.
    pub(crate) fn wait_for(self: &Arc<Self>, key: Box<str>) -> Waiting {
        let (sender, messages) = mpsc::channel(WAITING);
        let state = Arc::new(State {
            heard: AtomicU64::new(self.now()),
            ended: AtomicU8::new(0),
        });
        let slot = Slot {
            sender,
            state: Arc::clone(&state),
        };
        self.lock().insert(key.clone(), slot);
        Waiting {
            key,
            all: Arc::clone(self),
            state,
            messages,
        }
    }

    /// Passes a message on to who waits for it. Nobody does if the call is over, or never was.
    pub(crate) fn deliver(&self, key: &str, message: Message) {
        let no_responders = message.status == Some(StatusCode::NO_RESPONDERS);
        let kind = Kind::of(message.headers.as_ref());
        let mut slots = self.lock();
        let Some(slot) = slots.get(key) else { return };
        slot.state.heard.store(self.now(), Ordering::Relaxed);
        let heard = match (no_responders, kind) {
            (true, _) => Heard::NoResponders,
            (false, Kind::Beat) => return,
            (false, kind) => Heard::Message(kind, message),
        };
        // More than the protocol allows: whoever sends that is not to be trusted with the rest.
        if slot.sender.try_send(heard).is_err() {
            slot.state.ended.store(FLOODED, Ordering::Release);
            slots.remove(key);
        }
    }

    /// Ends the calls that have heard nothing for too long.
    pub(crate) fn end_silent(&self) {
        let oldest = self.now().saturating_sub(clock::millis(SILENCE));
        self.lock().retain(|_, slot| {
            let is_heard = slot.state.heard.load(Ordering::Relaxed) >= oldest;
            if !is_heard {
                slot.state.ended.store(SILENT, Ordering::Release);
            }
            is_heard
        });
    }

    fn now(&self) -> u64 {
        clock::millis(self.start.elapsed())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// The next message, or why there is none.
    pub(crate) async fn next(&mut self) -> Result<Heard, Ended> {
        match self.messages.recv().await {
            Some(heard) => Ok(heard),
            None if self.state.ended.load(Ordering::Acquire) == FLOODED => Err(Ended::Flooded),
            None => Err(Ended::Silent),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.all.lock().remove(&self.key);
    }
}
