//! Concurrency, queue and rate limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use toolpact_core::returns::{ErrorKind, StandardError};

use super::execute::deadline_passed;
use super::{Bucket, CallLimits};
use crate::ToolError;

/// What a caller waits for who is refused before anybody has waited for a turn, and the bounds of what it
/// is told afterwards.
const USUAL_WAIT: Duration = Duration::from_secs(1);
const LEAST_WAIT: Duration = Duration::from_millis(100);
const MOST_WAIT: Duration = Duration::from_secs(60);

/// What a call needs to run. It belongs to the work and not to its caller, so that abandoned work still
/// counts.
#[derive(Debug)]
pub(crate) struct Permits {
    _tool: OwnedSemaphorePermit,
    _session: OwnedSemaphorePermit,
    _principal: [Option<OwnedSemaphorePermit>; 2],
    _registry: Option<OwnedSemaphorePermit>,
}

/// The limits that a call has to pass: those of its tool, of its session, of its principal (for the tool, and for
/// all calls), and of all calls of the registry.
pub(crate) struct Gates<'a> {
    pub(crate) tool: &'a Gate,
    pub(crate) session: &'a Gate,
    pub(crate) principal: [Option<&'a Gate>; 2],
    pub(crate) registry: Option<&'a Gate>,
}

/// The limits of a tool, of a session, or of a registry.
#[derive(Debug)]
pub(crate) struct Gate {
    at_once: usize,
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    most_wait: Option<Duration>,
    /// How many milliseconds the last call that had to wait has waited.
    waited: AtomicU64,
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
            most_wait: limits.wait,
            waited: AtomicU64::new(as_ms(USUAL_WAIT)),
            bucket: limits.rate.map(Bucket::new),
        }
    }

    /// How many calls have a permit.
    pub(crate) fn running(&self) -> usize {
        self.at_once.saturating_sub(self.free.available_permits())
    }

    /// Counts the call against the rate.
    fn count(&self, now: Instant) -> Result<(), ToolError> {
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
        let start = Instant::now();
        let too_late = self.most_wait.and_then(|most| start.checked_add(most));
        let permit = tokio::select! {
            biased;
            permit = Arc::clone(&self.free).acquire_owned() => permit.ok(),
            () = deadline_passed(too_late) => None,
        };
        self.waited.store(as_ms(start.elapsed()), Ordering::Relaxed);
        permit.ok_or_else(|| self.full())
    }

    /// Who comes back after as long as others have just waited is likely to be served.
    fn full(&self) -> ToolError {
        let waited = self.waited.load(Ordering::Relaxed);
        let ms = waited.clamp(as_ms(LEAST_WAIT), as_ms(MOST_WAIT));
        let message = format!(
            "Too many calls at the same time: at most {} run and {} wait. Wait {ms} ms and try again.",
            self.at_once, self.most_waiting
        );
        let ms = i64::try_from(ms).unwrap_or(i64::MAX);
        StandardError::new(ErrorKind::TooManyAtOnce, &message)
            .with_detail("retry_after_ms", ms)
            .into()
    }
}

impl Gates<'_> {
    /// Counts the call against the rates.
    pub(crate) fn count(&self, now: Instant) -> Result<(), ToolError> {
        self.tool.count(now)?;
        self.session.count(now)?;
        for gate in self.principal.iter().flatten() {
            gate.count(now)?;
        }
        self.registry.map_or(Ok(()), |registry| registry.count(now))
    }

    /// Passes all gates, if that needs no waiting.
    pub(crate) fn enter_now(&self) -> Option<Permits> {
        Some(Permits {
            _tool: self.tool.enter_now()?,
            _session: self.session.enter_now()?,
            _principal: [
                now_or_none(self.principal[0])?,
                now_or_none(self.principal[1])?,
            ],
            _registry: match self.registry {
                Some(registry) => Some(registry.enter_now()?),
                None => None,
            },
        })
    }

    /// Passes all gates. The narrower ones come first: calls that wait there should not hold a permit of
    /// the others.
    pub(crate) async fn enter(&self) -> Result<Permits, ToolError> {
        Ok(Permits {
            // Whoever has used up what is theirs must not wait in places of others.
            _principal: [
                enter_if(self.principal[0]).await?,
                enter_if(self.principal[1]).await?,
            ],
            _tool: self.tool.enter().await?,
            _session: self.session.enter().await?,
            _registry: match self.registry {
                Some(registry) => Some(registry.enter().await?),
                None => None,
            },
        })
    }
}

/// A permit of a gate, if there is one: `None` if that needs waiting.
#[expect(clippy::option_option, reason = "no gate is not the same as no permit")]
fn now_or_none(gate: Option<&Gate>) -> Option<Option<OwnedSemaphorePermit>> {
    match gate {
        Some(gate) => gate.enter_now().map(Some),
        None => Some(None),
    }
}

async fn enter_if(gate: Option<&Gate>) -> Result<Option<OwnedSemaphorePermit>, ToolError> {
    match gate {
        Some(gate) => gate.enter().await.map(Some),
        None => Ok(None),
    }
}

fn as_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
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
