//! One call, from the message to the answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::service::Request;
use async_nats::{Message, Subject};
use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use toolpact::core::returns::ErrorKind;
use toolpact::observe::trace::{Incoming, SPANS};
use toolpact::{Call, Session, ToolError};
use tracing::Span;

use super::RuntimeShared;
use super::outbox::{Outbox, Way};
use super::running::{Begun, Credit};
use crate::batch::{self, CallHead};
use crate::clock;
use crate::headers::CallHeaders;
use crate::identity::Bound;
use crate::questions::{Asked, Asker};
use crate::wire::{self, grid_error};

/// How long after its deadline a call has its place at most.
const AFTER_DEADLINE: Duration = Duration::from_secs(2);

/// A tool that is called, as the subject says it.
pub(super) struct CalledTool {
    pub(super) name: Box<str>,
    pub(super) digest: Box<str>,
}

/// A call as it came, and the way back.
struct Arrived {
    headers: Result<CallHeaders, &'static str>,
    body: Bytes,
    reply: Subject,
    way: Way,
}

/// Takes a call that came alone.
pub(super) fn take(shared: &Arc<RuntimeShared>, tool: &Arc<CalledTool>, request: Request) {
    if let Some(arrived) = Arrived::alone(request) {
        start(shared, Some(Arc::clone(tool)), arrived);
    }
}

/// Takes calls that came together. Each is then on its own.
pub(super) fn take_batch(shared: &Arc<RuntimeShared>, message: &Message) {
    for (digest, arrived) in Arrived::together(message) {
        start(shared, shared.called(&digest), arrived);
    }
}

/// Refuses a call that came after the runtime has stopped to listen.
pub(super) async fn turn_away(shared: &RuntimeShared, tool: &CalledTool, request: Request) {
    if let Some(arrived) = Arrived::alone(request) {
        arrived.refuse(shared, Some(tool), &draining()).await;
    }
}

/// The same of several.
pub(super) async fn turn_away_batch(shared: &RuntimeShared, message: &Message) {
    for (digest, arrived) in Arrived::together(message) {
        let tool = shared.called(&digest);
        arrived.refuse(shared, tool.as_deref(), &draining()).await;
    }
}

/// Begins a call. It is refused at once if there is no place for it.
fn start(shared: &Arc<RuntimeShared>, tool: Option<Arc<CalledTool>>, arrived: Arrived) {
    let permit = Arc::clone(&shared.places).try_acquire_owned().ok();
    let shared = Arc::clone(shared);
    // What is spawned is moved several times, and the work is large.
    tokio::spawn(Box::pin(async move {
        match begin(&shared, tool.as_deref(), &arrived, permit) {
            Ok(begun) => begun.run(&arrived).await,
            Err(refused) => Box::pin(arrived.refuse(&shared, tool.as_deref(), &refused)).await,
        }
    }));
}

impl Arrived {
    /// `None` if nobody waits for an answer.
    fn alone(request: Request) -> Option<Self> {
        let message = &request.message;
        Some(Self {
            headers: CallHeaders::read(message.headers.as_ref()),
            body: message.payload.clone(),
            reply: message.reply.clone()?,
            way: Way::Alone(Box::new(request)),
        })
    }

    /// The calls of a batch, with the digests of their contracts. Their own reply subjects are beside that of the batch.
    fn together(message: &Message) -> Vec<(Box<str>, Self)> {
        let reply = message.reply.as_ref();
        let Some((batch, (host, _))) =
            reply.and_then(|reply| Some((reply, reply.rsplit_once(".batch.")?)))
        else {
            return Vec::new();
        };
        let Some(parts) = batch::read::<CallHead<'_>>(&message.payload) else {
            tracing::warn!(target: "toolpact::grid", "a host sent a batch that is none");
            return Vec::new();
        };
        let calls = parts.into_iter().map(|(head, body)| {
            let (invocation, attempt) = (&*head.invocation, head.attempt);
            let arrived = Self {
                headers: head.headers(),
                body,
                reply: format!("{host}.{invocation}.{attempt}").into(),
                way: Way::Together(batch.clone(), invocation.into(), attempt),
            };
            ((*head.digest).into(), arrived)
        });
        calls.collect()
    }

    async fn refuse(&self, shared: &RuntimeShared, tool: Option<&CalledTool>, error: &ToolError) {
        let name = match tool {
            Some(tool) => (*tool.name).into(),
            None => Call::from_json(&self.body)
                .map_or_else(|_| "unknown".into(), |call| Box::from(call.name())),
        };
        self.outbox(shared, Arc::default())
            .refuse(&name, error)
            .await;
    }

    fn outbox<'a>(&'a self, shared: &'a RuntimeShared, credit: Arc<Credit>) -> Outbox<'a> {
        Outbox {
            shared,
            way: &self.way,
            reply: self.reply.clone(),
            credit,
            seq: 0,
            not_taken: VecDeque::new(),
            chunks: shared.sends_chunks(),
        }
    }
}

/// A call that has begun. It counts until this is dropped.
struct BegunCall<'a> {
    shared: &'a RuntimeShared,
    invocation: &'a str,
    call: Call,
    /// What the tool asks, if anybody can be asked.
    asked: Option<mpsc::Receiver<Asked>>,
    session: Session,
    begun: Begun,
    deadline: Instant,
    incoming: Incoming,
    _permit: OwnedSemaphorePermit,
}

/// Begins a call, or says why it does not.
fn begin<'a>(
    shared: &'a RuntimeShared,
    tool: Option<&CalledTool>,
    arrived: &'a Arrived,
    permit: Option<OwnedSemaphorePermit>,
) -> Result<BegunCall<'a>, ToolError> {
    let permit = permit.ok_or_else(wire::full)?;
    if shared.is_draining() {
        return Err(draining());
    }
    let headers = arrived.headers.as_ref().map_err(|what| malformed(what))?;
    let tool = tool.ok_or_else(other_contract)?;
    if headers.digest != tool.digest {
        return Err(malformed(crate::headers::DIGEST));
    }
    if clock::now() > headers.start_by {
        return Err(grid_error(
            ErrorKind::TimedOut,
            "late",
            "The call came too late to be begun.",
        ));
    }
    let late = || {
        grid_error(
            ErrorKind::TimedOut,
            "late",
            "The call came after its deadline.",
        )
    };
    let deadline = clock::instant(headers.deadline).ok_or_else(late)?;
    let bound = Bound {
        call: headers,
        runtime: shared.id.as_str(),
        tool: &tool.name,
    };
    let principal = shared.keys.verify(&bound).map_err(unknown_host)?;
    let call = Call::from_json(&arrived.body)
        .map_err(|violations| malformed("body").with_source(violations))?;
    if call.name() != &*tool.name {
        return Err(malformed("name in the body"));
    }
    let begun = shared
        .running
        .begin(headers, &arrived.reply)
        .ok_or_else(again)?;
    let call = call
        .id(headers.invocation.clone())
        .deadline(deadline)
        // It is the host that knows how long it may take: nothing is added here.
        .timeout(deadline.saturating_duration_since(Instant::now()))
        .cancelled_by(&begun.cancel)
        // The host checks results and decides what becomes of them.
        .as_given();
    let (call, asked) = match headers.questions.as_deref() {
        Some(can) if shared.asks_questions() => {
            let (asker, questions) = Asker::new(can);
            (call.answered_by(asker), Some(questions))
        }
        _ => (call, None),
    };
    Ok(BegunCall {
        shared,
        invocation: &headers.invocation,
        call,
        asked,
        session: shared.session_of(&principal),
        begun,
        deadline,
        incoming: Incoming::new(span(&tool.name), headers.trace.clone()),
        _permit: permit,
    })
}

/// A call that runs, until this is dropped.
struct Ending<'a>(&'a RuntimeShared, &'a str);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.running.end(self.1);
    }
}

impl BegunCall<'_> {
    /// Runs the tool, and sends what comes of it unless the host has cancelled the call.
    async fn run(mut self, arrived: &Arrived) {
        let _ending = Ending(self.shared, self.invocation);
        let mut outbox = arrived.outbox(self.shared, self.begun.credit);
        let mut stream = self.session.call_streaming(self.call);
        let answer = async {
            loop {
                // Few calls have any of these, and all would have to be as large.
                tokio::select! {
                    biased;
                    update = stream.next() => match update {
                        Some(update) => Box::pin(outbox.update(update)).await,
                        None => break,
                    },
                    asked = next(&mut self.asked) => {
                        Box::pin(outbox.question(asked, &self.begun.open)).await;
                    }
                }
            }
            let completed = stream.finish().await;
            if !outbox.result_together(&completed) {
                Box::pin(outbox.result(&completed)).await;
            }
        };
        // A tool ends at its deadline; what it has said may wait for a host that does not read.
        let over = tokio::time::Instant::from_std(self.deadline) + AFTER_DEADLINE;
        // A tool that is cancelled is abandoned, and nobody waits for its answer.
        let work = async {
            tokio::select! {
                biased;
                () = self.begun.cancel.cancelled() => {}
                () = answer => {}
                () = tokio::time::sleep_until(over) => {}
            }
        };
        match self.incoming.is_untraced() {
            true => work.await,
            false => Box::pin(self.incoming.around(work)).await,
        }
    }
}

/// The next question; never, if there is none any more.
async fn next(asked: &mut Option<mpsc::Receiver<Asked>>) -> Asked {
    if let Some(asked) = asked
        && let Some(asked) = asked.recv().await
    {
        return asked;
    }
    std::future::pending().await
}

pub(super) fn span(tool: &str) -> Span {
    tracing::info_span!(
        target: SPANS,
        "grid",
        otel.name = format_args!("grid call {tool}"),
        otel.kind = "server",
        rpc.system = "toolpact-grid",
        gen_ai.tool.name = tool,
    )
}

fn other_contract() -> ToolError {
    let message =
        "The runtime that was called has another contract of this tool. The call was not made.";
    grid_error(ErrorKind::DependencyFailed, "other_contract", message)
}

fn draining() -> ToolError {
    let message = "The runtimes of this tool are shutting down. The call was not made.";
    grid_error(ErrorKind::DependencyFailed, "draining", message)
}

fn malformed(what: &str) -> ToolError {
    let message =
        format!("The runtime of this tool was sent a call whose `{what}` is missing or wrong.");
    grid_error(ErrorKind::Configuration, "malformed", &message)
}

fn unknown_host(why: &str) -> ToolError {
    tracing::warn!(target: "toolpact::grid", why, "a call that no known host signed was refused");
    let message = format!("The runtime knows no host that signed this call: it found {why}.");
    grid_error(ErrorKind::NotAuthenticated, "identity", &message)
}

fn again() -> ToolError {
    let message = "The runtime has seen this call before, or its cancellation.";
    grid_error(ErrorKind::Duplicate, "replayed", message)
}
