//! Who waits for which durable call, and that runtimes say when it gets on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_nats::Client;
use futures_util::StreamExt as _;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::subject::{Id, Subjects};

/// Who waits, by invocation.
#[derive(Default)]
pub(super) struct Told(Mutex<HashMap<Box<str>, Arc<Notify>>>);

/// One who waits, until this is dropped.
pub(super) struct Waiter {
    all: Arc<Told>,
    invocation: Box<str>,
    notify: Arc<Notify>,
}

impl Told {
    pub(super) fn wait_for(self: &Arc<Self>, invocation: &str) -> Waiter {
        let mut waiting = self.lock();
        let notify = waiting.entry(invocation.into()).or_default();
        Waiter {
            all: Arc::clone(self),
            invocation: invocation.into(),
            notify: Arc::clone(notify),
        }
    }

    fn tell(&self, invocation: &str) {
        if let Some(notify) = self.lock().get(invocation) {
            // Of several who wait, those who are not told look for themselves.
            notify.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    pub(super) async fn told(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut waiting = self.all.lock();
        // Theirs and ours.
        if Arc::strong_count(&self.notify) <= 2 {
            waiting.remove(&self.invocation);
        }
    }
}

/// Listens to what runtimes say, until it is stopped.
pub(super) async fn listen(
    client: &Client,
    subjects: &Subjects,
    id: &Id,
    told: &Arc<Told>,
    stop: &CancellationToken,
) -> Result<(), Error> {
    let subject = subjects.outcome(id.as_str(), "*");
    let heard = client.subscribe(subject).await;
    let mut heard = heard.map_err(Error::nats("subscribe"))?;
    let (told, stop) = (Arc::clone(told), stop.clone());
    tokio::spawn(async move {
        while let Some(Some(message)) = stop.run_until_cancelled(heard.next()).await {
            if let Some((_, invocation)) = message.subject.rsplit_once('.') {
                told.tell(invocation);
            }
        }
    });
    Ok(())
}
