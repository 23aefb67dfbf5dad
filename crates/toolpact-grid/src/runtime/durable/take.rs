//! One durable call, from the queue to its outcome.

use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::{AckKind, Message};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use toolpact::core::contract::{Contract, Effects};
use toolpact::core::returns::ErrorKind;
use toolpact::{Call, Principal, ToolError};

use super::attend::{Attended, attend};
use super::execute::{self, Execution};
use crate::clock;
use crate::durable::{Claim, Created, Operations, Unreachable};
use crate::headers::{self, CallHeaders};
use crate::host::ANY_RUNTIME;
use crate::identity::Bound;
use crate::remote_tool;
use crate::runtime::RuntimeShared;
use crate::runtime::serve::CalledTool;
use crate::wire::grid_error;

/// How often the queue is told that a call is not forgotten: it would give it to another runtime.
const STILL_HERE: Duration = Duration::from_millis(500);
/// How long it is tried to claim a call at least, and until its deadline: what became of a claim must be known.
const CLAIMING: Duration = Duration::from_secs(10);
/// What was claimed longer ago than this may have been given to another: the process was stopped.
const CLAIM_IS_NEW: Duration = Duration::from_secs(1);
/// Most runtimes that may die of one call.
const MOST_ATTEMPTS: u32 = 10;

/// A call that the queue has given to this runtime.
pub(super) struct TakenCall {
    pub(super) shared: Arc<RuntimeShared>,
    pub(super) tool: Arc<CalledTool>,
    pub(super) operations: Operations,
    pub(super) message: Message,
}

/// What is to be told to the queue.
pub(super) enum Handled {
    /// There is an outcome.
    Done,
    /// Somebody should have it again.
    Again,
    /// It has the call already.
    Here,
}

impl TakenCall {
    pub(super) async fn handle(self) {
        let handled = tokio::select! {
            handled = self.outcome() => handled,
            () = self.keep() => return,
        };
        let kind = match handled {
            Handled::Done => AckKind::Ack,
            Handled::Again => AckKind::Nak(None),
            Handled::Here => return,
        };
        // What is not acknowledged comes again, and is seen to have an outcome.
        let _ = self.message.ack_with(kind).await;
    }

    /// Tells the queue that the call is not forgotten. This never ends.
    async fn keep(&self) {
        loop {
            tokio::time::sleep(STILL_HERE).await;
            let _ = self.message.ack_with(AckKind::Progress).await;
        }
    }

    async fn outcome(&self) -> Handled {
        let Ok(call) = CallHeaders::read(self.message.headers.as_ref()) else {
            // Nobody could do anything with it, or write why.
            tracing::warn!(target: "toolpact::grid", "a durable call without the headers of one was thrown away");
            return Handled::Done;
        };
        if self.contract().is_none() {
            return Handled::Again;
        }
        if !self.shared.held.enter(&call.invocation) {
            return Handled::Here;
        }
        let here = Here(&self.shared, &call.invocation);
        let handled = match self.read(&call) {
            Ok((body, principal)) => self.claim_and_run(&call, body, principal).await,
            Err(error) => self.execution(&call, 0).refuse(&error).await,
        };
        drop(here);
        handled
    }

    /// What is to be called for whom, or why it is refused.
    fn read(&self, call: &CallHeaders) -> Result<(Call, Principal), ToolError> {
        if call.digest != self.tool.digest {
            return Err(malformed("digest"));
        }
        let bound = Bound {
            call,
            runtime: ANY_RUNTIME,
            tool: &self.tool.name,
        };
        let principal = self.shared.keys.verify(&bound).map_err(|why| {
            tracing::warn!(target: "toolpact::grid", why, "a durable call that no known host signed was refused");
            let message = "The runtime of this tool does not accept calls of the server that queued this one.";
            grid_error(ErrorKind::DependencyFailed, "identity_refused", message)
        })?;
        let body = Call::from_json(&self.message.payload)
            .map_err(|violations| malformed("body").with_source(violations))?;
        match body.name() == &*self.tool.name {
            true => Ok((body, principal)),
            false => Err(malformed("name")),
        }
    }

    /// Claims the call and executes it, unless another runtime has it or had it.
    async fn claim_and_run(&self, call: &CallHeaders, body: Call, principal: Principal) -> Handled {
        let claimed = match self.claim(call).await {
            Ok(claimed) => claimed,
            Err(Unclaimed::Handled(handled)) => return handled,
            Err(Unclaimed::Unreachable(error)) => {
                tracing::debug!(target: "toolpact::grid", %error, "a durable call could not be claimed");
                return Handled::Again;
            }
        };
        let execution = self.execution(call, claimed.attempt);
        let running = Running::begin(&self.shared);
        let handled = execution.run(body, principal).await;
        drop((running, claimed.place));
        handled
    }

    async fn claim(&self, call: &CallHeaders) -> Result<Claimed, Unclaimed> {
        let mut attempt = 1;
        loop {
            let place = self.place().await?;
            if clock::instant(call.deadline).is_none() && attempt == 1 {
                let refused = self.execution(call, 0).refuse(&late()).await;
                return Err(Unclaimed::Handled(refused));
            }
            let claim = Claim {
                runtime: self.shared.id.as_str().into(),
                at: clock::now(),
            };
            let began = Instant::now();
            let key = Operations::claim_key(&call.invocation, attempt);
            let until = clock::instant(call.deadline).map(Instant::from_std);
            let until = until
                .map_or(began, |deadline| deadline)
                .max(began + CLAIMING);
            let created = self.operations.create(&key, &claim, until);
            let theirs = match created.await? {
                Created::Ours if began.elapsed() < CLAIM_IS_NEW => {
                    return Ok(Claimed { attempt, place });
                }
                // Nobody else has this claim, but somebody may have given this runtime up meanwhile.
                Created::Ours if !self.is_over(call, attempt).await? => {
                    return Ok(Claimed { attempt, place });
                }
                Created::Ours => return Err(Unclaimed::Handled(Handled::Again)),
                Created::Theirs(theirs) => theirs,
            };
            drop(place);
            attempt = match attend(self, &call.invocation, attempt, theirs).await {
                Attended::Done => return Err(Unclaimed::Handled(Handled::Done)),
                Attended::Leave => return Err(Unclaimed::Handled(Handled::Again)),
                Attended::Dead(attempt) if self.may_execute_again(attempt) => attempt + 1,
                Attended::Dead(attempt) => {
                    let lost = remote_tool::runtime_lost();
                    let refused = self.execution(call, attempt).refuse(&lost).await;
                    return Err(Unclaimed::Handled(refused));
                }
            };
            if clock::instant(call.deadline).is_none() {
                let lost = remote_tool::runtime_lost();
                let refused = self.execution(call, attempt).refuse(&lost).await;
                return Err(Unclaimed::Handled(refused));
            }
        }
    }

    /// Waits for a place to run the call in.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Unclaimed> {
        let place = Arc::clone(&self.shared.places).acquire_owned().await;
        match place {
            Ok(place) if !self.shared.is_draining() => Ok(place),
            _ => Err(Unclaimed::Handled(Handled::Again)),
        }
    }

    /// Whether the call has an outcome, or a later claim.
    async fn is_over(&self, call: &CallHeaders, attempt: u32) -> Result<bool, Unreachable> {
        let outcome = Operations::outcome_key(&call.invocation);
        let next = Operations::claim_key(&call.invocation, attempt + 1);
        let has_outcome = self.operations.bytes(&outcome).await?.is_some();
        Ok(has_outcome || self.operations.bytes(&next).await?.is_some())
    }

    fn may_execute_again(&self, attempt: u32) -> bool {
        attempt < MOST_ATTEMPTS && self.effects().may_execute_again()
    }

    pub(super) fn effects(&self) -> Effects {
        let contract = self.contract();
        contract.map_or_else(Effects::default, |contract| contract.effects())
    }

    /// The contract that was queued for, unless the tool has changed meanwhile.
    fn contract(&self) -> Option<Arc<Contract>> {
        let tools = self.shared.tools();
        let contract = tools.contracts.get(&self.tool.name)?;
        let is_same = contract.digest().to_string() == *self.tool.digest;
        is_same.then(|| Arc::clone(contract))
    }

    fn execution<'a>(&'a self, call: &'a CallHeaders, attempt: u32) -> Execution<'a> {
        Execution {
            shared: &self.shared,
            operations: &self.operations,
            tool: &self.tool.name,
            call,
            host: host_of(self.message.headers.as_ref()),
            attempt,
        }
    }
}

/// A call that this runtime may execute.
struct Claimed {
    attempt: u32,
    place: OwnedSemaphorePermit,
}

/// Why it may not.
enum Unclaimed {
    Handled(Handled),
    Unreachable(Unreachable),
}

impl From<Unreachable> for Unclaimed {
    fn from(error: Unreachable) -> Self {
        Self::Unreachable(error)
    }
}

/// An invocation that this runtime has, until this is dropped.
struct Here<'a>(&'a RuntimeShared, &'a str);

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.0.held.leave(self.1);
    }
}

/// A call that runs, until this is dropped.
struct Running<'a>(&'a RuntimeShared);

impl<'a> Running<'a> {
    fn begin(shared: &'a RuntimeShared) -> Self {
        execute::count(shared, 1);
        Self(shared)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        execute::count(self.0, -1);
    }
}

/// The host that queued the call, if it says so.
fn host_of(map: Option<&HeaderMap>) -> Option<&str> {
    let host = headers::text(map?, headers::HOST)?;
    crate::subject::Id::new(host).is_ok().then_some(host)
}

fn late() -> ToolError {
    let message = "No runtime could take the call before its deadline. It was not executed.";
    grid_error(ErrorKind::TimedOut, "late", message)
}

fn malformed(what: &str) -> ToolError {
    let message = format!("The queued call was malformed: its `{what}` is missing or wrong.");
    grid_error(ErrorKind::Configuration, "malformed", &message)
}
