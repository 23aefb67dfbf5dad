//! Runs the work of a call on the executor, and returns in time whatever the work does.

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
use super::catch_panic;
use super::result::CheckedOutput;
use crate::define::Work;
use crate::executor;
use crate::registry::RegisteredTool;
use crate::typed::drop_catching;
use crate::{Context, ToolError, elicitation, typed::RunsOn};

/// How long a cancelled tool may still run before it is dropped.
const GRACE: Duration = Duration::from_millis(100);

/// What ends a call before its tool does.
pub(super) struct StopConditions<'a> {
    pub(super) deadline: Option<Instant>,
    /// Cancelled by the caller.
    pub(super) caller: Option<&'a CancellationToken>,
    /// Cancelled when the session is closed.
    pub(super) session: &'a CancellationToken,
    /// What the tool sees.
    pub(super) context: Context,
}

/// Runs the work of a tool in its place, and returns its result, or why it was abandoned.
pub(super) async fn execute(
    work: Work,
    (entry, place): (&Arc<RegisteredTool>, RunsOn),
    permits: Permits,
    stop: StopConditions<'_>,
) -> Result<CheckedOutput, ToolError> {
    let mut work = CatchPanics::new(work, Arc::clone(entry));
    if place == RunsOn::Caller {
        // Most such tools are done at once, and need no timer.
        if let Poll::Ready(result) = poll_once(&mut work).await {
            return result;
        }
        let _permits = permits;
        let abandon = AbandonOnDrop::new(entry, &stop.context, None);
        return supervise(until_parked(work, &stop.context), abandon, &stop).await;
    }
    let Some(executor) = executor::shared() else {
        return Err(ToolError::new(ErrorKind::Internal, "").with_source("no threads for tools"));
    };
    let (answer, mut answered) = oneshot::channel();
    let running = RunningWork::new(entry, permits);
    let state = Arc::clone(&running.state);
    let (context, deadline) = (stop.context.clone(), stop.deadline);
    let work = async move {
        let result = match is_too_late(deadline, &context) {
            true => Err(ToolError::new(ErrorKind::TimedOut, "")),
            false => until_stopped(work, &context).await,
        };
        drop(running);
        // If the call was abandoned, the result is dropped here.
        drop(answer.send(result));
    };
    let abandon = AbandonOnDrop::new(entry, &stop.context, Some(&state));
    match place {
        RunsOn::Thread => executor.spawn_blocking(work),
        _ => {
            executor.spawn(work);
            // Whatever else the caller's thread has to do comes first. Most work is done by then, and
            // needs neither a timer nor to wake its caller.
            tokio::task::yield_now().await;
            if let Ok(result) = answered.try_recv() {
                return abandon.answered(result);
            }
            executor.nudge();
        }
    }
    let answer = async { answered.await.unwrap_or_else(|_| Err(lost())) };
    supervise(answer, abandon, &stop).await
}

/// Whether the call is over before its tool has begun, because all threads were busy: it must not begin then.
fn is_too_late(deadline: Option<Instant>, context: &Context) -> bool {
    context.is_cancelled() || deadline.is_some_and(|deadline| deadline <= Instant::now())
}

/// Waits for the result, the deadline or a cancellation.
async fn supervise(
    result: impl Future<Output = Result<CheckedOutput, ToolError>>,
    abandon: AbandonOnDrop<'_>,
    stop: &StopConditions<'_>,
) -> Result<CheckedOutput, ToolError> {
    tokio::select! {
        biased;
        result = result => abandon.answered(result),
        () = parked_too_long(&stop.context) => Err(elicitation::answer_pending()),
        () = deadline_passed(stop.deadline) => Err(ToolError::new(ErrorKind::TimedOut, "")),
        () = cancelled(stop.caller) => Err(ToolError::new(ErrorKind::Cancelled, "")),
        () = stop.session.cancelled() => Err(ToolError::new(ErrorKind::Cancelled, "")),
    }
}

/// Ends when the token is cancelled; never, if there is none.
pub(super) async fn cancelled(token: Option<&CancellationToken>) {
    match token {
        Some(token) => token.cancelled().await,
        None => std::future::pending().await,
    }
}

pub(super) async fn deadline_passed(deadline: Option<Instant>) {
    match (deadline, executor::shared()) {
        (Some(deadline), Some(executor)) => executor.until(deadline).await,
        _ => std::future::pending().await,
    }
}

/// Ends some time after the tool was parked. It should have been dropped then, but may block its thread
/// while it waits for the answer.
async fn parked_too_long(context: &Context) {
    context.parked().await;
    deadline_passed(Instant::now().checked_add(GRACE)).await;
}

/// Runs the work until it is done. If it is cancelled, it is dropped after the grace period.
async fn until_stopped(work: CatchPanics, context: &Context) -> Result<CheckedOutput, ToolError> {
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

/// Runs the work until it is done or parked.
async fn until_parked(work: CatchPanics, context: &Context) -> Result<CheckedOutput, ToolError> {
    tokio::select! {
        biased;
        result = work => result,
        () = context.parked() => {
            context.cancel();
            Err(elicitation::answer_pending())
        }
    }
}

/// The work, with its panics caught, while it runs and while it is dropped.
struct CatchPanics {
    work: Option<Work>,
    entry: Arc<RegisteredTool>,
}

impl CatchPanics {
    fn new(work: Work, entry: Arc<RegisteredTool>) -> Self {
        let work = Some(work);
        Self { work, entry }
    }
}

impl Future for CatchPanics {
    type Output = Result<CheckedOutput, ToolError>;

    fn poll(mut self: Pin<&mut Self>, poller: &mut Poller<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some(work) = &mut this.work else {
            return Poll::Ready(Err(lost()));
        };
        let outcome = catch_panic(this.entry.contract().name().as_str(), || {
            work.as_mut().poll(poller)
        });
        match outcome {
            Ok(progress) => progress,
            Err(panicked) => {
                drop_catching(this.work.take());
                Poll::Ready(Err(panicked))
            }
        }
    }
}

impl Drop for CatchPanics {
    fn drop(&mut self) {
        drop_catching(self.work.take());
    }
}

fn poll_once(
    work: &mut CatchPanics,
) -> impl Future<Output = Poll<Result<CheckedOutput, ToolError>>> {
    std::future::poll_fn(|poller| Poll::Ready(Pin::new(&mut *work).poll(poller)))
}

const RUNNING: u8 = 0;
const ABANDONED: u8 = 1;
const ENDED: u8 = 2;

/// Owned by the work: holds its permits until it has really finished.
struct RunningWork {
    entry: Arc<RegisteredTool>,
    state: Arc<AtomicU8>,
    _permits: Permits,
}

impl RunningWork {
    fn new(entry: &Arc<RegisteredTool>, permits: Permits) -> Self {
        entry.gauges().started();
        Self {
            entry: Arc::clone(entry),
            state: Arc::new(AtomicU8::new(RUNNING)),
            _permits: permits,
        }
    }
}

impl Drop for RunningWork {
    fn drop(&mut self) {
        let abandoned = self.state.swap(ENDED, Ordering::AcqRel) == ABANDONED;
        self.entry.gauges().ended(abandoned);
    }
}

/// Unless there was a result, cancels the tool when dropped, and counts it as abandoned if it goes on.
struct AbandonOnDrop<'a> {
    entry: &'a RegisteredTool,
    context: &'a Context,
    state: Option<&'a Arc<AtomicU8>>,
    answered: bool,
}

impl<'a> AbandonOnDrop<'a> {
    /// This cancels the tool also if the future of the call is dropped.
    fn new(
        entry: &'a RegisteredTool,
        context: &'a Context,
        state: Option<&'a Arc<AtomicU8>>,
    ) -> Self {
        Self {
            entry,
            context,
            state,
            answered: false,
        }
    }

    fn answered<T>(mut self, result: T) -> T {
        self.answered = true;
        result
    }
}

impl Drop for AbandonOnDrop<'_> {
    fn drop(&mut self) {
        if self.answered {
            return;
        }
        self.context.cancel();
        let Some(state) = self.state else { return };
        // Counted first, so that the work never subtracts what was not added.
        self.entry.gauges().abandon();
        let abandoned =
            state.compare_exchange(RUNNING, ABANDONED, Ordering::AcqRel, Ordering::Relaxed);
        if abandoned.is_err() {
            self.entry.gauges().not_abandoned();
        }
    }
}

fn lost() -> ToolError {
    ToolError::new(ErrorKind::Internal, "").with_source("the work was dropped")
}
