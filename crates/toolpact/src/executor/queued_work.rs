//! Work that waits for a thread.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

/// Work that may be queued in several pools and begins once.
pub(super) struct QueuedWork(Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl QueuedWork {
    pub(super) fn new(work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(Mutex::new(Some(Box::pin(work))))
    }

    fn take(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn has_begun(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_none()
    }

    pub(super) async fn begin(self: Arc<Self>) {
        if let Some(work) = self.take() {
            work.await;
        }
    }
}
