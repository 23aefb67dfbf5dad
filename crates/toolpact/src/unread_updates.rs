//! What the updates of a call take of the memory for results until its listener has read them.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use toolpact_core::memory::{MemoryBudget, MemoryShare};

use crate::session::Update;

/// The memory of the updates of one call. Those up to 64 KiB together are counted and never refused, so that progress is
/// told although the memory is taken.
#[derive(Clone)]
pub(crate) struct UnreadBytes(Arc<State>);

struct State {
    share: Mutex<MemoryShare>,
    read: Notify,
}

/// An update that was not read, or that its listener still works on.
pub(crate) struct Unread {
    pub(crate) update: Update,
    pub(crate) bytes: TakenBytes,
}

/// What an update takes, until this is dropped.
pub(crate) struct TakenBytes {
    of: UnreadBytes,
    bytes: usize,
}

enum Place {
    Taken,
    /// There will be one when the listener has read on.
    Later,
    None,
}

impl UnreadBytes {
    /// `None` never: no bytes are always granted.
    pub(crate) fn new(memory: &Arc<MemoryBudget>) -> Option<Self> {
        let share = Mutex::new(memory.take(0)?);
        let read = Notify::new();
        Some(Self(Arc::new(State { share, read })))
    }

    /// The update with its part of the memory, or `None` if others take all of it. If the listener of this call has
    /// as much to read, it is waited for: what waits without being counted is then never more than what is counted.
    pub(crate) async fn take(&self, update: Update) -> Option<Unread> {
        let bytes = bytes_of(&update);
        loop {
            let read = self.0.read.notified();
            match self.place(bytes) {
                Place::Taken => break,
                Place::Later => read.await,
                Place::None => return None,
            }
        }
        let of = self.clone();
        let bytes = TakenBytes { of, bytes };
        Some(Unread { update, bytes })
    }

    fn place(&self, bytes: usize) -> Place {
        self.with(|share| match share.grow(bytes) {
            true => Place::Taken,
            false if share.bytes() >= bytes => Place::Later,
            false => Place::None,
        })
    }

    fn with<R>(&self, act: impl FnOnce(&mut MemoryShare) -> R) -> R {
        act(&mut self.0.share.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for TakenBytes {
    fn drop(&mut self) {
        self.of.with(|share| share.shrink(self.bytes));
        self.of.0.read.notify_waiters();
    }
}

/// What an update has of any size.
fn bytes_of(update: &Update) -> usize {
    match update {
        Update::Progress(status) => {
            let message = status.progress().and_then(|progress| progress.message());
            message.map_or(0, str::len)
        }
        Update::Item(item) => item.memory(),
        Update::Log(line) => line.message.memory(),
    }
}
