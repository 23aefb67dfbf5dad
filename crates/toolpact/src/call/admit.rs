//! Concurrency, queue and rate limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toolpact_core::returns::{ErrorKind, StandardError};

use super::{Bucket, CallLimits};
use crate::ToolError;

/// What a call needs to run. It belongs to the work and not to its caller, so that abandoned work still
/// counts.
#[derive(Debug)]
pub(crate) struct Permits {
    _tool: OwnedSemaphorePermit,
    _session: OwnedSemaphorePermit,
}

/// The limits of a tool or of a session.
#[derive(Debug)]
pub(crate) struct Gate {
    at_once: usize,
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    bucket: Option<Bucket>,
}

impl Gate {
    pub(crate) fn new(limits: &CallLimits) -> Self {
        let at_once = limits.at_once.get().min(Semaphore::MAX_PERMITS);
        Self {
            at_once,
            free: Arc::new(Semaphore::new(at_once)),
            waiting: AtomicUsize::new(0),
            most_waiting: limits.waiting,
            bucket: limits.rate.map(Bucket::new),
        }
    }

    /// Counts the call against the rate.
    pub(crate) fn count(&self, now: Instant) -> Result<(), ToolError> {
        let Some(bucket) = &self.bucket else {
            return Ok(());
        };
        bucket.take(now).map_err(rate_limited)
    }

    fn enter_now(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.free).try_acquire_owned().ok()
    }

    /// Waits for a permit, unless the queue is full.
    async fn enter(&self) -> Result<OwnedSemaphorePermit, ToolError> {
        if let Some(permit) = self.enter_now() {
            return Ok(permit);
        }
        let _place =
            QueueSlot::take(&self.waiting, self.most_waiting).ok_or_else(|| self.full())?;
        let permit = Arc::clone(&self.free).acquire_owned().await;
        permit.map_err(|_| self.full())
    }

    fn full(&self) -> ToolError {
        let message = format!(
            "Too many calls at the same time: {} are running and {} are waiting. Wait and try again.",
            self.at_once, self.most_waiting
        );
        ToolError::new(ErrorKind::TooManyAtOnce, message)
    }
}

impl Permits {
    /// Passes both gates, if that needs no waiting.
    pub(crate) fn now(tool: &Gate, session: &Gate) -> Option<Self> {
        Some(Self {
            _tool: tool.enter_now()?,
            _session: session.enter_now()?,
        })
    }

    /// Passes both gates. The narrower one comes first: calls that wait there should not hold a permit of
    /// the other.
    pub(crate) async fn get(tool: &Gate, session: &Gate) -> Result<Self, ToolError> {
        Ok(Self {
            _tool: tool.enter().await?,
            _session: session.enter().await?,
        })
    }
}

/// A slot in a queue, given back when dropped.
struct QueueSlot<'a>(&'a AtomicUsize);

impl<'a> QueueSlot<'a> {
    fn take(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        let before = waiting.fetch_add(1, Ordering::Relaxed);
        let place = Self(waiting);
        (before < most).then_some(place)
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn rate_limited(wait: Duration) -> ToolError {
    let ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX).max(1);
    let message = format!("Too many calls. Wait {ms} ms and try again.");
    StandardError::new(ErrorKind::RateLimited, &message)
        .with_detail("retry_after_ms", ms)
        .into()
}
