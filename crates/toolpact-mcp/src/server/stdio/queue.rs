use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::server::Outbox;

/// How many messages may wait before those that the client can do without are dropped, and how many
/// bytes, with those that were taken and are not written.
const MESSAGES: usize = 256;
const BYTES: usize = 1 << 20;

/// Messages of tools that are to be written.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    filled: Notify,
}

#[derive(Default)]
struct Waiting {
    messages: VecDeque<Vec<u8>>,
    bytes: usize,
    unwritten: usize,
}

impl Queue {
    /// The next message. So many bytes of earlier ones are not written yet.
    pub(super) fn pop(&self, unwritten: usize) -> Option<Vec<u8>> {
        let mut waiting = self.lock();
        waiting.unwritten = unwritten;
        let message = waiting.messages.pop_front()?;
        waiting.bytes -= message.len();
        Some(message)
    }

    /// Ends when a message was put in since the last time.
    pub(super) async fn filled(&self) {
        self.filled.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outbox for Queue {
    fn offer(&self, message: Vec<u8>) {
        let waiting = self.lock();
        let bytes = waiting.bytes + waiting.unwritten;
        let is_full = waiting.messages.len() >= MESSAGES || bytes >= BYTES;
        drop(waiting);
        if !is_full {
            self.push(message);
        }
    }

    fn push(&self, message: Vec<u8>) {
        let mut waiting = self.lock();
        waiting.bytes += message.len();
        waiting.messages.push_back(message);
        drop(waiting);
        self.filled.notify_one();
    }
}
