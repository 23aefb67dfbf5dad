use std::future::Future;
use std::pin::Pin;
use std::task::{Context as Poller, Poll};

use futures_core::Stream;
use tokio::sync::mpsc;

use super::Session;
use crate::unread_updates::{TakenBytes, Unread};
use crate::{Call, Completed, session::Update};

/// How many updates are buffered before the tool has to wait.
const WAITING: usize = 16;

impl Session {
    /// Makes a call and streams the updates of the tool; the result comes after the last one. A tool
    /// waits for a listener that is behind.
    pub fn call_streaming(&self, call: impl Into<Call>) -> CallStream {
        let (sender, updates) = mpsc::channel(WAITING);
        let (session, call) = (self.clone(), call.into());
        let result = Box::pin(async move { session.call_with(call, Some(sender)).await });
        CallStream {
            updates,
            last: None,
            result: Some(result),
            completed: None,
        }
    }
}

/// A call in progress. It runs only while it is polled; dropping it cancels the call.
pub struct CallStream {
    updates: mpsc::Receiver<Unread>,
    /// What the last update takes of the memory: who asks for the next one is done with it.
    last: Option<TakenBytes>,
    result: Option<Pin<Box<dyn Future<Output = Completed> + Send>>>,
    completed: Option<Completed>,
}

impl CallStream {
    /// The next update; `None` when the tool is done.
    pub async fn next(&mut self) -> Option<Update> {
        std::future::poll_fn(|poller| self.poll_update(poller)).await
    }

    /// The result. Updates that were not read are dropped.
    pub async fn finish(mut self) -> Completed {
        loop {
            let update = self.next().await;
            if update.is_none()
                && let Some(completed) = self.completed.take()
            {
                return completed;
            }
        }
    }

    fn poll_update(&mut self, poller: &mut Poller<'_>) -> Poll<Option<Update>> {
        self.last = None;
        if let Some(result) = &mut self.result
            && let Poll::Ready(completed) = result.as_mut().poll(poller)
        {
            self.completed = Some(completed);
            self.result = None;
        }
        match self.updates.poll_recv(poller) {
            Poll::Ready(Some(unread)) => {
                self.last = Some(unread.bytes);
                Poll::Ready(Some(unread.update))
            }
            // All updates have been read.
            _ if self.result.is_none() => Poll::Ready(None),
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }
}

impl Stream for CallStream {
    type Item = Update;

    fn poll_next(mut self: Pin<&mut Self>, poller: &mut Poller<'_>) -> Poll<Option<Update>> {
        self.poll_update(poller)
    }
}

impl std::fmt::Debug for CallStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallStream").finish_non_exhaustive()
    }
}
