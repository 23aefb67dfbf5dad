//! Runs the work of a call where it belongs, and answers in time whatever the work does.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context as Poller, Poll};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use toolpact_core::returns::ErrorKind;

use super::Permits;
use super::guarded;
use super::job::Product;
use crate::define::Work;
use crate::registry::Entry;
use crate::typed::drop_quietly;
use crate::workshop;
use crate::{Context, ToolError, ask, typed::RunsOn};

/// How long a tool has to come to its end when it is cancelled, before it is dropped.
const GRACE: Duration = Duration::from_millis(100);

/// Until when a call is of interest.
pub(super) struct Interest<'a> {
    pub(super) deadline: Option<Instant>,
    /// Cancelled by the caller.
    pub(super) caller: Option<&'a CancellationToken>,
    /// Cancelled when the session is closed.
    pub(super) session: &'a CancellationToken,
    /// What the tool sees.
    pub(super) context: Context,
}

/// Runs the work, and returns what came of it, or why nobody waited for that.
pub(super) async fn execute(
    work: Work,
    entry: &Arc<Entry>,
    permits: Permits,
    interest: Interest<'_>,
) -> Result<Product, ToolError> {
    let place = entry.runs_on();
    let mut work = Guarded::new(work, Arc::clone(entry));
    if place == RunsOn::Caller {
        // Most such tools are done at once, and need no clock.
        if let Poll::Ready(result) = poll_once(&mut work).await {
            return result;
        }
        let _permits = permits;
        let context = interest.context.clone();
        let work = until_parked(work, &context);
        return supervise(work, entry, interest, None).await;
    }
    let Some(workshop) = workshop::shared() else {
        return Err(ToolError::new(ErrorKind::Internal, "").with_source("no threads for tools"));
    };
    let (answer, answered) = oneshot::channel();
    let ticket = Ticket::new(entry, permits);
    let state = Arc::clone(&ticket.state);
    let context = interest.context.clone();
    let work = async move {
        let result = until_stopped(work, &context).await;
        drop(ticket);
        // If nobody waits any more, the result is dropped, quietly.
        drop(answer.send(result));
    };
    match place {
        RunsOn::Thread => workshop.spawn_blocking(work),
        _ => workshop.spawn(work),
    }
    let answer = async { answered.await.unwrap_or_else(|_| Err(lost())) };
    supervise(answer, entry, interest, Some(&state)).await
}

/// Waits for a result, but no longer than anybody is interested.
async fn supervise(
    result: impl Future<Output = Result<Product, ToolError>>,
    entry: &Arc<Entry>,
    interest: Interest<'_>,
    state: Option<&Arc<AtomicU8>>,
) -> Result<Product, ToolError> {
    // If the future of the call is dropped, the tool learns of it too.
    let mut leave = Leave {
        entry,
        context: &interest.context,
        state,
        answered: false,
    };
    let late = late(interest.deadline);
    let outcome = tokio::select! {
        biased;
        result = result => {
            leave.answered = true;
            result
        }
        () = stuck(&interest.context) => Err(ask::later()),
        () = late => Err(ToolError::new(ErrorKind::TimedOut, "")),
        () = cancelled(interest.caller) => Err(ToolError::new(ErrorKind::Cancelled, "")),
        () = interest.session.cancelled() => Err(ToolError::new(ErrorKind::Cancelled, "")),
    };
    drop(leave);
    outcome
}

/// Ends when the caller gives up. One who has no way to say so never does.
pub(super) async fn cancelled(token: Option<&CancellationToken>) {
    match token {
        Some(token) => token.cancelled().await,
        None => std::future::pending().await,
    }
}

pub(super) async fn late(deadline: Option<Instant>) {
    match (deadline, workshop::shared()) {
        (Some(deadline), Some(workshop)) => workshop.until(deadline).await,
        _ => std::future::pending().await,
    }
}

/// Ends some time after a question that the tool should have been dropped at, if it could be: it may
/// block its thread while it waits for the answer.
async fn stuck(context: &Context) {
    context.parked().await;
    late(Instant::now().checked_add(GRACE)).await;
}

/// Runs the work on its own threads until it is done or, some time after it is cancelled, dropped.
async fn until_stopped(work: Guarded, context: &Context) -> Result<Product, ToolError> {
    let stopped = async {
        context.cancelled().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        biased;
        result = until_parked(work, context) => result,
        () = stopped => Err(ToolError::new(ErrorKind::Cancelled, "")),
    }
}

/// Runs the work until it is done or cannot go on before the call is made again.
async fn until_parked(work: Guarded, context: &Context) -> Result<Product, ToolError> {
    tokio::select! {
        biased;
        result = work => result,
        () = context.parked() => {
            context.cancel();
            Err(ask::later())
        }
    }
}

/// The work, with its panics caught: those while it runs and those while it is dropped.
struct Guarded {
    work: Option<Work>,
    entry: Arc<Entry>,
}

impl Guarded {
    fn new(work: Work, entry: Arc<Entry>) -> Self {
        let work = Some(work);
        Self { work, entry }
    }
}

impl Future for Guarded {
    type Output = Result<Product, ToolError>;

    fn poll(mut self: Pin<&mut Self>, poller: &mut Poller<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(work) = &mut this.work else {
            return Poll::Ready(Err(lost()));
        };
        let outcome = guarded(this.entry.contract().name().as_str(), || {
            work.as_mut().poll(poller)
        });
        match outcome {
            Ok(progress) => progress,
            Err(panicked) => {
                drop_quietly(this.work.take());
                Poll::Ready(Err(panicked))
            }
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop_quietly(self.work.take());
    }
}

fn poll_once(work: &mut Guarded) -> impl Future<Output = Poll<Result<Product, ToolError>>> {
    std::future::poll_fn(|poller| Poll::Ready(Pin::new(&mut *work).poll(poller)))
}

const RUNNING: u8 = 0;
const LEFT: u8 = 1;
const ENDED: u8 = 2;

/// Belongs to the work, and is given back when the work has really come to its end.
struct Ticket {
    entry: Arc<Entry>,
    state: Arc<AtomicU8>,
    _permits: Permits,
}

impl Ticket {
    fn new(entry: &Arc<Entry>, permits: Permits) -> Self {
        entry.gauges().started();
        Self {
            entry: Arc::clone(entry),
            state: Arc::new(AtomicU8::new(RUNNING)),
            _permits: permits,
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let left = self.state.swap(ENDED, Ordering::AcqRel) == LEFT;
        self.entry.gauges().ended(left);
    }
}

/// Tells the tool when nobody waits any more, and counts it if it goes on.
struct Leave<'a> {
    entry: &'a Entry,
    context: &'a Context,
    state: Option<&'a Arc<AtomicU8>>,
    answered: bool,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        self.context.cancel();
        let Some(state) = self.state else { return };
        // Counted first, so that the count is never below what the work takes from it at its end.
        self.entry.gauges().left();
        let left = state.compare_exchange(RUNNING, LEFT, Ordering::AcqRel, Ordering::Relaxed);
        if left.is_err() {
            self.entry.gauges().left_nothing();
        }
    }
}

fn lost() -> ToolError {
    ToolError::new(ErrorKind::Internal, "").with_source("the work was dropped")
}
