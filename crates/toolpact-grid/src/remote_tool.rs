//! A tool that runs elsewhere, as a definition like any other.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Message;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::task::JoinHandle;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::model::{ToolName, ToolResult};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::core::toolset::split_success;
use toolpact::define::UntypedOutput;
use toolpact::observe::trace;
use toolpact::typed::RunsOn;
use toolpact::{Context, Definition, ToolError};
use tracing::Instrument as _;

use crate::clock;
use crate::contracts::ManifestTool;
use crate::headers::CallHeaders;
use crate::host::{
    Assigned, CallCounts, Control, Ended, Heard, Host, HostShared, Key, KnownRuntime, Nobody,
    NotDurable, Outcome, Outgoing, Waiting,
};
use crate::identity::Bound;
use crate::presence::QUESTIONS;
use crate::questions;
use crate::received::{Broken, Received};
use crate::subject::{Id, random_hex};
use crate::wire::{self, Kind, LONG_BODY, grid_error};

/// A call has to be begun this soon, since it is given up soon after.
const START_WITHIN: Duration = Duration::from_secs(1);
/// The deadline of a call that has none, which no call of a session is.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// Most attempts of a call that may have run.
const ATTEMPTS_AFTER_LOSS: u32 = 3;

/// A tool of the manifest, for calls.
pub(crate) struct RemoteTool {
    host: Host,
    contract: Arc<Contract>,
    name: Arc<str>,
    /// What the runtimes that have it are listed under.
    key: Box<str>,
    /// Whether it is in the manifest: what runtimes have registered has no queue.
    is_own: bool,
    digest: Box<str>,
    may_repeat: bool,
    counts: Arc<CallCounts>,
}

/// How an attempt ended.
enum Attempt {
    Done(Result<UntypedOutput, ToolError>),
    /// It surely did not begin.
    NotBegun(ToolError),
    /// Nobody knows.
    Lost(ToolError),
}

impl RemoteTool {
    pub(crate) fn definition(host: Host, tool: &ManifestTool) -> Definition {
        let name = tool.contract.name().as_str().into();
        Self::with_key(host, tool, name, true)
    }

    /// A tool that runtimes have registered.
    pub(crate) fn registered(host: Host, tool: &ManifestTool, key: Box<str>) -> Definition {
        Self::with_key(host, tool, key, false)
    }

    fn with_key(host: Host, tool: &ManifestTool, key: Box<str>, is_own: bool) -> Definition {
        let effects = tool.contract.effects();
        let name = tool.contract.name().as_str();
        let remote = Arc::new(Self {
            counts: host.shared().counts.get(&key).cloned().unwrap_or_default(),
            key,
            is_own,
            host,
            contract: Arc::clone(&tool.contract),
            name: name.into(),
            digest: tool.digest.clone(),
            may_repeat: effects.may_execute_again(),
        });
        let body = move |args: Value, context: Context| {
            let remote = Arc::clone(&remote);
            async move {
                let began = Instant::now();
                let result = remote.call(&args, &context).await;
                remote.counts.count(began, result.is_err());
                result
            }
        };
        // It only waits, so nothing needs to be protected from it.
        Definition::new((*tool.contract).clone(), body).runs_on(RunsOn::Caller)
    }

    async fn call(
        self: &Arc<Self>,
        args: &Value,
        context: &Context,
    ) -> Result<UntypedOutput, ToolError> {
        let host = self.host.shared();
        let name = self.contract.name().as_str();
        let body = Bytes::from(format!(r#"{{"name":"{name}","args":{args}}}"#));
        if body.len() + HEADROOM > host.client.max_payload() {
            let message = "The arguments are longer than a message on the grid can be.";
            return Err(grid_error(
                ErrorKind::WrongArgument,
                "arguments_too_long",
                message,
            ));
        }
        match host.is_durable(&self.contract, self.is_own, context) {
            Ok(how) => {
                let (contract, digest) = (&self.contract, &self.digest);
                // Ordinary calls do not carry its state.
                let call = host.call_durably(&how, contract, digest, body, context);
                return Box::pin(call).await;
            }
            Err(NotDurable::Refused(error)) => return Err(error),
            Err(NotDurable::Ordinary) => {}
        }
        let deadline = context
            .deadline()
            .or_else(|| Instant::now().checked_add(LONGEST));
        let invocation = random_hex().map_err(ToolError::internal)?;
        let mut headers = CallHeaders {
            invocation: invocation.into(),
            attempt: 0,
            digest: self.digest.clone(),
            deadline: deadline.map_or(u64::MAX, clock::unix),
            start_by: 0,
            correlation: context.call_id().map(Box::from),
            identity: None,
            questions: None,
            trace: trace::outgoing(),
        };
        let (mut tried, mut last, mut losses) = (Vec::<Id>::new(), None, 0);
        loop {
            if !host.is_connected() {
                return Err(last.unwrap_or_else(disconnected));
            }
            let assigned = match host.runtimes.pick(&self.key, &tried) {
                Ok(assigned) => assigned,
                Err(why) => return Err(last.unwrap_or_else(|| nobody(why))),
            };
            headers.attempt += 1;
            headers.start_by = clock::now().saturating_add(clock::millis(START_WITHIN));
            headers.start_by = headers.start_by.min(headers.deadline);
            tried.push(assigned.0.id.clone());
            match self
                .attempt(&assigned, &mut headers, body.clone(), context)
                .await
            {
                Attempt::Done(result) => return result,
                // That a runtime has left says less than why another refused.
                Attempt::NotBegun(error) if reason(&error).as_deref() == Some(NO_RUNTIME) => {
                    last = last.or(Some(error));
                }
                Attempt::NotBegun(error) => last = Some(error),
                Attempt::Lost(error) => {
                    losses += 1;
                    if !self.may_repeat || losses >= ATTEMPTS_AFTER_LOSS {
                        return Err(error);
                    }
                    last = Some(error);
                }
            }
        }
    }

    async fn attempt(
        self: &Arc<Self>,
        assigned: &Assigned,
        headers: &mut CallHeaders,
        body: Bytes,
        context: &Context,
    ) -> Attempt {
        let host = self.host.shared();
        let runtime = &assigned.0;
        if let Some(key) = &host.key {
            let bound = Bound {
                call: headers,
                runtime: runtime.id.as_str(),
                tool: self.contract.name().as_str(),
            };
            headers.identity = Some(key.sign(&bound, context.principal()));
        }
        headers.questions = match runtime.has(QUESTIONS) {
            true => questions::askable(context),
            false => None,
        };
        let Some(key) = Key::new(&headers.invocation, headers.attempt) else {
            return Attempt::NotBegun(disconnected());
        };
        let began = Instant::now();
        let waiting = host.in_flight.wait_for(key);
        host.send(Outgoing {
            key,
            runtime: Arc::clone(runtime),
            tool: Arc::clone(&self.name),
            headers: headers.clone(),
            body,
        });
        let sent = SentCall {
            host: Arc::clone(host),
            runtime: Arc::clone(runtime),
            key,
            is_over: false,
        };
        let attempt = self.listen(sent, waiting, context).await;
        if !matches!(attempt, Attempt::NotBegun(_)) {
            runtime
                .calls
                .count(began, matches!(attempt, Attempt::Lost(_)));
        }
        match &attempt {
            Attempt::Done(_) => runtime.breaker.succeed(),
            Attempt::Lost(_) => runtime.breaker.fail(Instant::now()),
            Attempt::NotBegun(error) => match reason(error).as_deref() {
                Some(NO_RUNTIME) => runtime.is_gone(),
                Some("draining") => runtime.drains(),
                _ => {}
            },
        }
        attempt
    }

    /// Takes what the runtime sends until the call is over.
    async fn listen(
        self: &Arc<Self>,
        mut sent: SentCall,
        mut waiting: Waiting,
        context: &Context,
    ) -> Attempt {
        let mut received = Received::new(sent.host.result_bytes);
        let heard = waiting.next().await;
        let first = match self.heard(heard, &mut sent, &mut received) {
            ControlFlow::Break(attempt) => return attempt,
            ControlFlow::Continue(first) => first,
        };
        // What is said before an outcome is taken whether or not the caller reads: so all of it is counted, as what tools say
        // that run here. Most calls have nothing like that.
        let threads = sent.host.threads.clone();
        let (tool, context) = (Arc::clone(self), context.clone());
        let taking = async move { tool.take(first, sent, waiting, received, &context).await };
        let taking = AbortOnDrop(threads.spawn(taking.in_current_span()));
        taking.ended().await
    }

    /// Takes a message that came before the outcome, and all that come after it.
    async fn take(
        &self,
        first: (Kind, Message),
        mut sent: SentCall,
        mut waiting: Waiting,
        mut received: Received,
        context: &Context,
    ) -> Attempt {
        let mut answers = FuturesUnordered::new();
        let (mut kind, mut message) = first;
        loop {
            let body = message.payload.clone();
            if body.len() >= LONG_BODY {
                tokio::task::yield_now().await;
            }
            match received.take(kind, message, context).await {
                Ok(Some(credit)) => sent.credit(credit),
                Ok(None) => {}
                Err(Broken::Protocol(what)) => return Attempt::Lost(malformed(what)),
                // What the runtime still does is of no use, and it is told.
                Err(Broken::Refused(error)) => return Attempt::Done(Err(error)),
            }
            if kind == Kind::Question {
                if answers.len() >= questions::MOST_OPEN {
                    return Attempt::Lost(malformed("more questions than may be open"));
                }
                let (number, asking) = (received.number(), context.passing_on());
                answers.push(async move { (number, questions::pass_on(asking, body).await) });
            }
            let heard = loop {
                tokio::select! {
                    biased;
                    heard = waiting.next() => break heard,
                    Some((number, answer)) = answers.next(), if !answers.is_empty() => {
                        sent.answer(number, answer);
                    }
                }
            };
            (kind, message) = match self.heard(heard, &mut sent, &mut received) {
                ControlFlow::Break(attempt) => return attempt,
                ControlFlow::Continue(next) => next,
            };
        }
    }

    /// How the call has ended, or a message that comes before that.
    fn heard(
        &self,
        heard: Result<Heard, Ended>,
        sent: &mut SentCall,
        received: &mut Received,
    ) -> ControlFlow<Attempt, (Kind, Message)> {
        let ended = match heard {
            Ok(Heard::Message(kind @ (Kind::Refused | Kind::Result), message)) => {
                match received.outcome(kind, message) {
                    Ok(outcome) => self.over(outcome, received),
                    Err(what) => Attempt::Lost(malformed(what)),
                }
            }
            Ok(Heard::Message(kind, message)) => return ControlFlow::Continue((kind, message)),
            Ok(Heard::Outcome(outcome)) => self.over(outcome, received),
            Ok(Heard::NoResponders) => Attempt::NotBegun(nobody(Nobody::Absent)),
            Ok(Heard::NotSent) => Attempt::NotBegun(disconnected()),
            // Should it go on after all, it is told not to.
            Err(ended) => return ControlFlow::Break(Attempt::Lost(lost(ended))),
        };
        sent.is_over = true;
        ControlFlow::Break(ended)
    }

    fn over(&self, outcome: Outcome, received: &mut Received) -> Attempt {
        match outcome.is_refused {
            true => Attempt::NotBegun(refusal(&outcome)),
            false => Attempt::Done(self.result(outcome, received.text.take())),
        }
    }

    /// The result as it would be here. The session checks it against the contract.
    fn result(&self, outcome: Outcome, text: Option<String>) -> Result<UntypedOutput, ToolError> {
        if let Some((name, content)) = outcome.content {
            let content = Value::from_text(content).ok();
            let content = content.filter(|_| *name == *self.contract.name().as_str());
            let content = content.ok_or_else(|| malformed("a result that is none"))?;
            return Ok(output(content, text));
        }
        if let Some((name, content)) = split_success(&outcome.body)
            && name == self.contract.name().as_str()
            && let Ok(content) = Value::from_json(content)
        {
            return Ok(output(content, text));
        }
        let result = ToolResult::from_json(&outcome.body)
            .map_err(|violations| malformed("a result that is none").with_source(violations))?;
        let whole = || outcome.error.as_deref().and_then(wire::read_error);
        let content = content_of(result, self.contract.name(), whole)?;
        Ok(output(content, text))
    }
}

/// The content of a result of this tool, or its error, of which there may be more than ADM has a place for.
pub(crate) fn content_of(
    result: ToolResult,
    tool: &ToolName,
    whole: impl FnOnce() -> Option<ToolError>,
) -> Result<Value, ToolError> {
    if result.name() != tool {
        return Err(malformed("the result of another tool"));
    }
    match result {
        ToolResult::Success { content, .. } => Ok(content),
        ToolResult::Error { error, .. } => {
            Err(whole().unwrap_or_else(|| StandardError::from(&error).into()))
        }
    }
}

/// A content with the text that the tool made of it, as a body here would return them.
pub(crate) fn output(content: Value, text: Option<String>) -> UntypedOutput {
    match (text, content.root().as_str()) {
        // The tool returned text, and no value.
        (Some(text), Some(content)) if text.is_empty() => UntypedOutput::text(content),
        (Some(text), _) => UntypedOutput::from(content).with_text(text),
        (None, _) => content.into(),
    }
}

/// Why a call was not made: nobody has the tool.
const NO_RUNTIME: &str = "no_runtime";

/// What of a message is for headers.
pub(crate) const HEADROOM: usize = 16 << 10;

/// A call that a runtime has. Unless it is over when this is dropped, it is cancelled there.
struct SentCall {
    host: Arc<HostShared>,
    runtime: Arc<KnownRuntime>,
    key: Key,
    is_over: bool,
}

impl SentCall {
    fn credit(&self, number: u64) {
        self.tell(|runtime, invocation| Control::Credit(runtime, invocation, number));
    }

    fn answer(&self, number: u64, answer: Result<Bytes, ToolError>) {
        let most = self.host.client.max_payload().saturating_sub(HEADROOM);
        let answer = match answer {
            Ok(answer) if answer.len() > most => {
                let message = "The answer is longer than a message on the grid can be.";
                Err(grid_error(ErrorKind::Internal, "answer_too_long", message))
            }
            answer => answer,
        };
        self.tell(|runtime, invocation| Control::Answer(runtime, invocation, number, answer));
    }

    fn tell(&self, what: impl FnOnce(Id, Box<str>) -> Control) {
        let order = what(self.runtime.id.clone(), self.key.invocation());
        // The task that sends it ends with the host.
        let _ = self.host.control.send(order);
    }
}

impl Drop for SentCall {
    fn drop(&mut self) {
        if !self.is_over {
            self.tell(Control::Cancel);
        }
    }
}

/// What takes the messages of a call, as long as somebody waits for its end.
struct AbortOnDrop(JoinHandle<Attempt>);

impl AbortOnDrop {
    async fn ended(mut self) -> Attempt {
        match (&mut self.0).await {
            Ok(attempt) => attempt,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The threads of the host have ended.
                Err(_) => Attempt::Lost(runtime_lost()),
            },
        }
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn reason(error: &ToolError) -> Option<String> {
    let detail = error.as_standard().detail("grid")?;
    detail.root().as_str().map(std::borrow::Cow::into_owned)
}

/// Why a runtime did not begin a call. That it does not know its host is not the fault of our caller.
fn refusal(outcome: &Outcome) -> ToolError {
    let error = outcome.error.as_deref().and_then(wire::read_error);
    let error = error.unwrap_or_else(|| {
        let said = ToolResult::from_json(&outcome.body).ok();
        match said {
            Some(ToolResult::Error { error, .. }) => StandardError::from(&error).into(),
            _ => malformed("a refusal without a reason"),
        }
    });
    match error.kind().http_status() {
        401 | 403 => {
            let message = "The runtime of this tool does not accept calls of this server.";
            grid_error(ErrorKind::DependencyFailed, "identity_refused", message)
                .with_source(error.message())
        }
        _ => error,
    }
}

fn nobody(why: Nobody) -> ToolError {
    let (reason, message) = match why {
        Nobody::Full => return wire::full(),
        Nobody::Absent => (
            NO_RUNTIME,
            "No runtime has this tool now. The call was not made.",
        ),
        Nobody::Mute => (
            "no_permission",
            "The runtimes of this tool are not able to answer this server. The call was not made.",
        ),
        Nobody::Draining => (
            "draining",
            "The runtimes of this tool are shutting down. The call was not made.",
        ),
        Nobody::Broken => (
            "breaker_open",
            "The runtimes of this tool have failed several times, and are left alone for a while. \
             The call was not made.",
        ),
    };
    grid_error(ErrorKind::DependencyFailed, reason, message)
}

pub(crate) fn disconnected() -> ToolError {
    let message = "This server is cut off from the runtimes of the tool. The call was not made.";
    grid_error(ErrorKind::DependencyFailed, "disconnected", message)
}

fn lost(ended: Ended) -> ToolError {
    match ended {
        Ended::Silent => runtime_lost(),
        Ended::Flooded => malformed("more messages than it may send"),
    }
}

/// Nobody knows what became of a call.
pub(crate) fn runtime_lost() -> ToolError {
    let message =
        "The runtime that ran this tool is gone. Whether the call took effect is not known.";
    grid_error(ErrorKind::DependencyFailed, "runtime_lost", message)
}

pub(crate) fn malformed(what: &str) -> ToolError {
    tracing::error!(target: "toolpact::grid", what, "a runtime broke the protocol");
    let message = "The runtime of this tool answered with what is no answer. Whether the call took effect is not known.";
    grid_error(ErrorKind::DependencyFailed, "malformed", message).with_source(what)
}
