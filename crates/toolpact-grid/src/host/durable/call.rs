//! A durable call of a session: recorded, queued, and waited for.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::{Instant, timeout_at};
use toolpact::core::contract::Contract;
use toolpact::core::returns::ErrorKind;
use toolpact::define::UntypedOutput;
use toolpact::observe::trace;
use toolpact::{Context, ToolError};

use super::DurableHost;
use crate::clock;
use crate::contracts::sha256;
use crate::durable::{Created, Durable, NotQueued, Operations, Record};
use crate::headers::{self, CallHeaders};
use crate::host::HostShared;
use crate::identity::Bound;
use crate::remote_tool;
use crate::wire::grid_error;

/// How often it is looked for an outcome that nobody told of: runtimes tell the host that queued the call, and a
/// message may be lost.
const LOOK: Duration = Duration::from_millis(500);
/// How much of the time of a caller is kept for the answer that the call goes on, …
const FOR_ANSWER: Duration = Duration::from_millis(150);
/// … and at most this part of it.
const PART_FOR_ANSWER: u32 = 5;
/// How long a call without a deadline is waited for.
const LONGEST: Duration = Duration::from_secs(60);

/// What the identity of a durable call is bound to in place of a runtime: whichever claims it.
pub(crate) const ANY_RUNTIME: &str = "*";

/// Why a call is not made durably.
pub(crate) enum NotDurable {
    /// It is an ordinary one.
    Ordinary,
    /// It was asked for, and cannot be.
    Refused(ToolError),
}

/// A durable call that is to be made.
struct QueuedCall<'a> {
    host: &'a HostShared,
    durable: &'a DurableHost,
    contract: &'a Contract,
    digest: &'a str,
    invocation: Box<str>,
    until: Instant,
}

impl HostShared {
    /// How a call is to be made durably, if it is.
    pub(crate) fn is_durable(
        &self,
        contract: &Contract,
        is_own: bool,
        context: &Context,
    ) -> Result<Durable, NotDurable> {
        let asked = context.get::<Durable>();
        let own = self.durable.as_ref().filter(|_| is_own);
        let (Some(host), asked) = (own, asked.as_deref()) else {
            return Err(match asked {
                Some(_) => NotDurable::Refused(not_durable()),
                None => NotDurable::Ordinary,
            });
        };
        match asked {
            Some(asked) if host.calls.has_queue(contract) => Ok(asked.clone()),
            Some(_) => Err(NotDurable::Refused(not_durable())),
            None if host.calls.is_always_durable(contract) => Ok(Durable::new()),
            None => Err(NotDurable::Ordinary),
        }
    }

    /// Makes a durable call, and waits for its outcome as long as the caller does.
    pub(crate) async fn call_durably(
        &self,
        how: &Durable,
        contract: &Contract,
        digest: &str,
        body: Bytes,
        context: &Context,
    ) -> Result<UntypedOutput, ToolError> {
        let Some(durable) = &self.durable else {
            return Err(not_durable());
        };
        if !self.is_connected() {
            return Err(remote_tool::disconnected());
        }
        let invocation = how.invocation(context.principal(), contract.name().as_str());
        let call = QueuedCall {
            host: self,
            durable,
            contract,
            digest,
            invocation: invocation.map_err(ToolError::internal)?,
            until: answered_by(context),
        };
        // NATS may answer late or never.
        match timeout_at(call.until, call.queued(body, context)).await {
            Ok(queued) => queued?,
            Err(late) => return Err(call.not_confirmed(late)),
        }
        if !how.waits() {
            return Err(pending(&call.invocation));
        }
        match timeout_at(call.until, call.outcome(context)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(pending(&call.invocation)),
        }
    }
}

/// When a caller is to have an answer.
fn answered_by(context: &Context) -> Instant {
    let now = Instant::now();
    let deadline = context.deadline().map_or(now + LONGEST, Instant::from_std);
    let left = deadline.saturating_duration_since(now);
    deadline - FOR_ANSWER.min(left / PART_FOR_ANSWER)
}

impl QueuedCall<'_> {
    async fn queued(&self, body: Bytes, context: &Context) -> Result<(), ToolError> {
        let record = self.record(&body, context).await?;
        self.queue(&record, body, context).await
    }

    /// Writes down what is to be done. With a key, it may be there.
    async fn record(&self, body: &Bytes, context: &Context) -> Result<Record, ToolError> {
        let now = clock::now();
        let within = clock::millis(self.durable.calls.time_within());
        let record = Record {
            tool: self.contract.name().as_str().into(),
            digest: self.digest.into(),
            owner: Record::owner_of(context.principal()),
            call: sha256(body).into(),
            created: now,
            deadline: now.saturating_add(within),
        };
        let operations = &self.durable.operations;
        match operations
            .create(&self.invocation, &record, self.until)
            .await
        {
            Ok(Created::Ours) => Ok(record),
            Ok(Created::Theirs(before)) if before.call == record.call => Ok(before),
            Ok(Created::Theirs(_)) => Err(other_call()),
            Err(error) => Err(self.not_confirmed(error)),
        }
    }

    /// Puts it into the queue. If it was put there before, it is executed once all the same: it is claimed once.
    async fn queue(
        &self,
        record: &Record,
        body: Bytes,
        context: &Context,
    ) -> Result<(), ToolError> {
        let name = self.contract.name().as_str();
        let map = self.headers(record, context);
        loop {
            let queue = &self.durable.queue;
            let put = queue.put(
                name,
                &record.digest,
                &self.invocation,
                map.clone(),
                body.clone(),
            );
            match put.await {
                Ok(()) => return Ok(()),
                Err(NotQueued::Full) => {
                    self.durable.operations.purge(&self.invocation).await;
                    return Err(full());
                }
                Err(NotQueued::NotConfirmed(error)) => {
                    tracing::debug!(target: "toolpact::grid", %error, "a durable call is put into the queue again");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }

    fn headers(&self, record: &Record, context: &Context) -> async_nats::HeaderMap {
        let mut call = CallHeaders {
            invocation: self.invocation.clone(),
            attempt: 0,
            digest: record.digest.clone(),
            deadline: record.deadline,
            start_by: record.deadline,
            correlation: context.call_id().map(Box::from),
            identity: None,
            // Nobody waits for whom a durable tool could ask.
            questions: None,
            trace: trace::outgoing(),
        };
        if let Some(key) = &self.host.key {
            let bound = Bound {
                call: &call,
                runtime: ANY_RUNTIME,
                tool: &record.tool,
            };
            call.identity = Some(key.sign(&bound, context.principal()));
        }
        let mut map = call.write();
        map.insert(headers::HOST, self.host.id.as_str());
        map
    }

    /// Waits for the outcome, and passes the progress on.
    async fn outcome(&self, context: &Context) -> Result<UntypedOutput, ToolError> {
        let operations = &self.durable.operations;
        let waiter = self.durable.told.wait_for(&self.invocation);
        let key = Operations::outcome_key(&self.invocation);
        let mut seen = 0;
        loop {
            // What cannot be asked for now is asked for again.
            if let Ok(Some(outcome)) = operations.get(&key).await {
                let most = self.host.result_bytes;
                return operations
                    .output(self.contract.name(), &self.invocation, outcome, most)
                    .await;
            }
            if let Ok(Some(progress)) = operations.progress(&self.invocation).await
                && progress.at > seen
            {
                seen = progress.at;
                if let Some(progress) = progress.read() {
                    context.progress(progress).await;
                }
            }
            tokio::select! {
                () = waiter.told() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    fn not_confirmed(
        &self,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> ToolError {
        let message = "Whether the call was queued is not known. If it was, it is executed, and its outcome can be \
             asked for with the id of the operation.";
        grid_error(ErrorKind::DependencyTimedOut, "not_confirmed", message)
            .with_detail("operation", &*self.invocation)
            .with_source(error.into())
    }
}

/// The call goes on, and its caller does not wait any more.
pub(super) fn pending(invocation: &str) -> ToolError {
    let message = format!(
        "The call is not over yet. It goes on, and its outcome can be asked for: it is the operation `{invocation}`."
    );
    grid_error(ErrorKind::TimedOut, "pending", &message).with_detail("operation", invocation)
}

fn not_durable() -> ToolError {
    let message = "This tool is not called durably here: neither its contract nor the host says so. The call was not made.";
    grid_error(ErrorKind::Configuration, "not_durable", message)
}

fn other_call() -> ToolError {
    let message = "Another call was made with the same key. This one was not made.";
    grid_error(ErrorKind::Duplicate, "key_used", message)
}

fn full() -> ToolError {
    let message = "The queue of durable calls is full. Wait and try again.";
    grid_error(ErrorKind::TooManyAtOnce, "queue_full", message).with_detail("retry_after_ms", 1000)
}
