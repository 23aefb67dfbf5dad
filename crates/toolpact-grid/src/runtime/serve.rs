//! One call, from the message to the answer.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Subject;
use async_nats::service::Request;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use toolpact::core::returns::ErrorKind;
use toolpact::observe::trace::{Incoming, SPANS};
use toolpact::{Call, Principal, ToolError};
use tracing::Span;

use super::RuntimeShared;
use super::outbox::{self, Outbox};
use super::running::Begun;
use crate::clock;
use crate::headers::CallHeaders;
use crate::identity::Bound;
use crate::questions::{Asked, Asker};
use crate::wire::grid_error;

/// How long a host waits before it comes back to a runtime that was full, unless it finds another.
const COME_BACK_MS: i64 = 100;

/// How long after its deadline a call has its place at most.
const AFTER_DEADLINE: Duration = Duration::from_secs(2);

/// A tool that is called, as the subject says it.
pub(super) struct CalledTool {
    pub(super) name: Box<str>,
    pub(super) digest: Box<str>,
}

/// Takes a call. It is refused at once if there is no place for it.
pub(super) fn take(shared: &Arc<RuntimeShared>, tool: &Arc<CalledTool>, request: Request) {
    let Some(reply) = request.message.reply.clone() else {
        return;
    };
    let (shared, tool) = (Arc::clone(shared), Arc::clone(tool));
    let permit = Arc::clone(&shared.places).try_acquire_owned().ok();
    tokio::spawn(async move {
        if let Err(refused) = begin(&shared, &tool, &request, reply, permit).await {
            outbox::refuse(&request, &tool.name, &refused).await;
        }
    });
}

/// Refuses a call that came after the runtime has stopped to listen.
pub(super) async fn turn_away(tool: &CalledTool, request: &Request) {
    outbox::refuse(request, &tool.name, &draining()).await;
}

async fn begin(
    shared: &Arc<RuntimeShared>,
    tool: &CalledTool,
    request: &Request,
    reply: Subject,
    permit: Option<OwnedSemaphorePermit>,
) -> Result<(), ToolError> {
    let permit = permit.ok_or_else(full)?;
    if shared.is_draining() {
        return Err(draining());
    }
    let message = &request.message;
    let headers = CallHeaders::read(message.headers.as_ref()).map_err(malformed)?;
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
        call: &headers,
        runtime: shared.id.as_str(),
        tool: &tool.name,
    };
    let principal = shared.keys.verify(&bound).map_err(unknown_host)?;
    let call = Call::from_json(&message.payload)
        .map_err(|violations| malformed("body").with_source(violations))?;
    if call.name() != &*tool.name {
        return Err(malformed("name in the body"));
    }
    let begun = shared.running.begin(&headers, &reply).ok_or_else(again)?;
    let call = call
        .id(headers.invocation.clone())
        .deadline(deadline)
        .cancelled_by(&begun.cancel)
        // The host checks results and decides what becomes of them.
        .as_given();
    let (call, asked) = match headers.questions.as_deref() {
        Some(can) if shared.asks_questions() => {
            let (asker, asked) = Asker::new(can);
            (call.answered_by(asker), Some(asked))
        }
        _ => (call, None),
    };
    let incoming = Incoming::new(span(&tool.name), headers.trace.clone());
    let answered = Ending(shared, &headers.invocation);
    let calling = Calling {
        request,
        call,
        principal,
        begun,
        reply,
        asked,
    };
    // A tool ends at its deadline; what it has said may wait for a host that does not read.
    let over = tokio::time::Instant::from_std(deadline) + AFTER_DEADLINE;
    let work = async { tokio::time::timeout_at(over, calling.run(shared)).await };
    match incoming.is_untraced() {
        true => drop(work.await),
        false => drop(incoming.around(work).await),
    }
    drop((answered, permit));
    Ok(())
}

/// A call that runs, until this is dropped.
struct Ending<'a>(&'a RuntimeShared, &'a str);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.running.end(self.1);
    }
}

/// A call that is about to run.
struct Calling<'a> {
    request: &'a Request,
    call: Call,
    principal: Principal,
    begun: Begun,
    reply: Subject,
    /// What the tool asks, if anybody can be asked.
    asked: Option<mpsc::Receiver<Asked>>,
}

impl Calling<'_> {
    /// Runs the tool, and sends what comes of it unless the host has cancelled the call.
    async fn run(mut self, shared: &RuntimeShared) {
        let session = shared.session_of(&self.principal);
        let mut outbox = Outbox {
            client: &shared.client,
            request: self.request,
            reply: self.reply,
            credit: self.begun.credit,
            seq: 0,
            chunks: shared.sends_chunks(),
        };
        let mut stream = session.call_streaming(self.call);
        let answer = async {
            loop {
                tokio::select! {
                    biased;
                    update = stream.next() => match update {
                        Some(update) => outbox.update(update).await,
                        None => break,
                    },
                    Some(asked) = next(&mut self.asked) => {
                        outbox.question(asked, &self.begun.open).await;
                    }
                }
            }
            let completed = stream.finish().await;
            outbox.result(&completed).await;
        };
        // A tool that is cancelled is abandoned, and nobody waits for its answer.
        self.begun.cancel.run_until_cancelled(answer).await;
    }
}

/// The next question; never, if nobody can be asked.
async fn next(asked: &mut Option<mpsc::Receiver<Asked>>) -> Option<Asked> {
    match asked {
        Some(asked) => match asked.recv().await {
            Some(asked) => Some(asked),
            None => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

fn span(tool: &str) -> Span {
    tracing::info_span!(
        target: SPANS,
        "grid",
        otel.name = format_args!("grid call {tool}"),
        otel.kind = "server",
        rpc.system = "toolpact-grid",
        gen_ai.tool.name = tool,
    )
}

fn full() -> ToolError {
    let message = "All places of the runtimes of this tool are taken. Wait and try again.";
    grid_error(ErrorKind::TooManyAtOnce, "full", message)
        .with_detail("retry_after_ms", COME_BACK_MS)
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
