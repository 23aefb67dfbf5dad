//! The running calls of a client, which it may cancel.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::client::Client;
use crate::rpc::Id;

#[derive(Default)]
pub(crate) struct RunningCalls(Mutex<Running>);

#[derive(Default)]
struct Running {
    /// By the order in which they began: nothing keeps a client from using an identifier twice.
    calls: BTreeMap<u64, Cancellable>,
    last: u64,
}

struct Cancellable {
    id: Id,
    cancel: CancellationToken,
    is_cancelled: bool,
}

/// A call that its client may cancel, for as long as this is held.
pub(crate) struct RunningCall {
    client: Arc<Client>,
    number: u64,
}

impl RunningCalls {
    /// Registers a call.
    pub(crate) fn begin(client: &Arc<Client>, id: &Id, cancel: &CancellationToken) -> RunningCall {
        let mut running = client.calls.lock();
        running.last += 1;
        let number = running.last;
        let call = Cancellable {
            id: id.clone(),
            cancel: cancel.clone(),
            is_cancelled: false,
        };
        running.calls.insert(number, call);
        drop(running);
        let client = Arc::clone(client);
        RunningCall { client, number }
    }

    /// Cancels what runs under this identifier.
    pub(crate) fn cancel(&self, id: &Id) {
        let mut running = self.lock();
        let meant = running.calls.values_mut().filter(|call| call.id == *id);
        for call in meant {
            call.is_cancelled = true;
            call.cancel.cancel();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().calls.len()
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCall {
    /// Whether the client has cancelled it, and expects no answer.
    pub(crate) fn is_cancelled(&self) -> bool {
        let running = self.client.calls.lock();
        let call = running.calls.get(&self.number);
        call.is_some_and(|call| call.is_cancelled)
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.client.calls.lock().calls.remove(&self.number);
    }
}
