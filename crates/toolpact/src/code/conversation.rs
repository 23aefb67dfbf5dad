//! The host's side of the conversation with a worker about one script.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use toolpact_core::json::Value;
use toolpact_core::memory::MemoryShare;

use super::call_tool::{FinishedCall, HeldAnswer, answer_of, make, refusal_of, share_of};
use super::failure::explain;
use super::report::RunEnd;
use super::snapshot::{Saved, Snapshot};
use super::time_budget::TimeBudget;
use super::trace::Trace;
use super::wire::{
    Begin, CallResult, Exception, Failure, Outcome, Reply, Request, Resume, ToolCall,
};
use super::worker::{Lost, Worker};
use super::{
    LimitExceeded, LimitKind, RunOptions, RunReport, ScriptError, ScriptLimits, ScriptTools,
};
use crate::{Error, ToolError};

/// A worker that uses more memory than this is not reused.
const RETIRED_AT: usize = 384 << 20;

/// How long after the time limit of the script the worker is killed. It enforces the limit itself, so
/// this is for when it cannot.
const GRACE: Duration = Duration::from_secs(1);

pub(super) struct Conversation<'a> {
    pub(super) ignores: bool,
    script: &'a str,
    tools: &'a ScriptTools,
    options: &'a RunOptions,
    limits: ScriptLimits,
    printed: String,
    trace: Trace,
    running: FuturesUnordered<Pin<Box<dyn Future<Output = FinishedCall> + Send>>>,
    waits: WaitingFor,
    /// How many results the worker was sent.
    sent: usize,
    clock: TimeBudget,
    stopping: bool,
    /// When stopping: calls that were not made, and results that were not sent.
    unmade: Vec<ToolCall>,
    ungiven: Vec<CallResult>,
    /// What these take of the memory for results.
    shares: Vec<Arc<MemoryShare>>,
}

/// What the worker waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitingFor {
    Nothing,
    One(u32),
    Any,
}

/// How a phase of the conversation ended.
pub(super) struct ConversationEnd {
    /// Whether the worker can be reused.
    pub(super) is_clean: bool,
    /// `None` if there is no end yet.
    pub(super) result: Result<Option<RunEnd>, Error>,
}

/// Whether the conversation goes on.
type Next = Option<ConversationEnd>;

impl<'a> Conversation<'a> {
    pub(super) fn new(script: &'a str, tools: &'a ScriptTools, options: &'a RunOptions) -> Self {
        Self {
            ignores: false,
            script,
            tools,
            options,
            limits: options.limits,
            printed: String::new(),
            trace: Trace::new(options.limits.trace),
            running: FuturesUnordered::new(),
            waits: WaitingFor::Nothing,
            sent: 0,
            clock: TimeBudget::new(options.limits.time.saturating_add(GRACE)),
            stopping: false,
            unmade: Vec::new(),
            ungiven: Vec::new(),
            shares: Vec::new(),
        }
    }

    pub(super) fn resumed(
        script: &'a str,
        tools: &'a ScriptTools,
        options: &'a RunOptions,
        saved: &Saved,
    ) -> Self {
        Self {
            ignores: saved.ignores,
            limits: saved.limits,
            printed: saved.printed.clone(),
            trace: Trace::resumed(saved.records(), saved.limits.trace),
            clock: TimeBudget::new(saved.time_left),
            waits: saved.waits(),
            ..Self::new(script, tools, options)
        }
    }

    /// Has the worker check the script.
    pub(super) async fn check(&mut self, worker: &mut Worker, begin: Begin) -> ConversationEnd {
        if let Err(lost) = worker.send(&Request::Begin(begin)).await {
            return self.lost(lost);
        }
        match tokio::time::timeout(self.limits.check, worker.reply()).await {
            Err(_) => self.exceeded(LimitKind::Check),
            Ok(Ok(Reply::Checked { ignores })) => {
                self.ignores = ignores;
                ConversationEnd {
                    is_clean: true,
                    result: Ok(None),
                }
            }
            Ok(Ok(Reply::Failed(failure))) => self.failed(failure),
            Ok(Ok(_)) => unexpected_reply(),
            Ok(Err(lost)) => self.lost(lost),
        }
    }

    /// Handles the messages of the worker and makes the calls of the script, until it ends.
    pub(super) async fn run(&mut self, worker: &mut Worker) -> ConversationEnd {
        loop {
            if let Some(ended) = self.step(worker).await {
                return ended;
            }
            if self.stopping && self.waits != WaitingFor::Nothing && self.running.is_empty() {
                return self.save(worker).await;
            }
        }
    }

    async fn step(&mut self, worker: &mut Worker) -> Next {
        self.clock.run_if(self.waits == WaitingFor::Nothing);
        let stop = self.options.stop.clone();
        tokio::select! {
            reply = worker.reply() => match reply {
                Ok(reply) => self.handle(reply, worker).await,
                Err(lost) => Some(self.lost(lost)),
            },
            Some(made) = self.running.next(), if !self.running.is_empty() => {
                let answer = answer_of(made, &mut self.trace, self.tools);
                self.answer(answer, worker).await
            }
            () = self.clock.is_over() => Some(self.exceeded(LimitKind::Time)),
            () = stop.cancelled(), if !self.stopping => {
                self.stopping = true;
                None
            }
        }
    }

    async fn handle(&mut self, reply: Reply, worker: &mut Worker) -> Next {
        match reply {
            Reply::Printed(text) => {
                self.printed.push_str(&text);
                // The worker enforces the limit, but is not trusted to.
                let is_too_much = self.printed.len() > self.limits.output;
                is_too_much.then(|| self.exceeded(LimitKind::Output))
            }
            Reply::Call(call) => self.called(call, worker).await,
            Reply::Waiting { answers } => {
                // Otherwise a result is on its way, and the worker will go on.
                if answers == self.sent {
                    self.waits = WaitingFor::Any;
                }
                None
            }
            Reply::Done { value, memory } => {
                let value = Value::from_json(value.get());
                Some(ConversationEnd {
                    is_clean: memory < RETIRED_AT,
                    result: value
                        .map(|value| Some(RunEnd::Value(value)))
                        .map_err(|violations| ScriptError::Value(violations.to_string()).into()),
                })
            }
            Reply::Failed(failure) => Some(self.failed(failure)),
            Reply::Ready { .. }
            | Reply::Unconfined(_)
            | Reply::Checked { .. }
            | Reply::Saved(_) => Some(unexpected_reply()),
        }
    }

    async fn called(&mut self, call: ToolCall, worker: &mut Worker) -> Next {
        if !call.is_task {
            self.waits = WaitingFor::One(call.id);
        }
        let number = self.trace.len() + self.unmade.len() + 1;
        if number > self.limits.calls {
            return Some(self.exceeded(LimitKind::Calls));
        }
        self.stopping |= self.options.stop_at_call.is_some_and(|at| number >= at);
        if self.stopping {
            return self.put_off(call, worker).await;
        }
        self.start(&call, worker).await
    }

    /// Keeps a call for the run that goes on with this one.
    async fn put_off(&mut self, call: ToolCall, worker: &mut Worker) -> Next {
        match share_of(&call, self.tools) {
            Ok(share) => {
                self.shares.extend(share.map(Arc::new));
                self.unmade.push(call);
                None
            }
            Err(spent) => self.refuse(&call, &spent, worker).await,
        }
    }

    async fn start(&mut self, call: &ToolCall, worker: &mut Worker) -> Next {
        let share = match share_of(call, self.tools) {
            Ok(share) => share,
            Err(spent) => return self.refuse(call, &spent, worker).await,
        };
        match make(call, self.tools, share, &mut self.trace) {
            Ok(made) => {
                self.running.push(made);
                if let (Some(calls), Some(call)) = (&self.options.calls, self.trace.calls().last())
                {
                    // Nobody may listen any more.
                    let _ = calls.send(call.tool.clone());
                }
                None
            }
            Err(wrong) => {
                let outcome = Outcome::Raise(Exception::TypeError, wrong.0);
                self.answer(HeldAnswer::small(call.id, outcome), worker)
                    .await
            }
        }
    }

    /// Tells the script that there is no memory for its call now.
    async fn refuse(&mut self, call: &ToolCall, why: &ToolError, worker: &mut Worker) -> Next {
        let outcome = refusal_of(call, why, &mut self.trace, self.tools);
        self.answer(HeldAnswer::small(call.id, outcome), worker)
            .await
    }

    async fn answer(&mut self, held: HeldAnswer, worker: &mut Worker) -> Next {
        let HeldAnswer { answer, share } = held;
        if self.stopping {
            self.ungiven.push(answer);
            self.shares.extend(share);
            return None;
        }
        if matches!(self.waits, WaitingFor::Any) || self.waits == WaitingFor::One(answer.id) {
            self.waits = WaitingFor::Nothing;
        }
        self.sent += 1;
        let sent = worker.send(&Request::Answer(answer)).await;
        sent.err().map(|lost| self.lost(lost))
    }

    /// Resumes a run that was saved.
    pub(super) async fn resume(&mut self, worker: &mut Worker, saved: Saved) -> ConversationEnd {
        let resume = Resume {
            state: saved.state,
            file: saved.file,
            tools: self
                .tools
                .functions()
                .map(|one| one.alias.to_owned())
                .collect(),
            budget: self.limits.budget(),
            calls: self.trace.len() + saved.unmade.len(),
            printed: self.printed.len(),
        };
        if let Err(lost) = worker.send(&Request::Resume(resume)).await {
            return self.lost(lost);
        }
        for answer in saved.ungiven {
            let held = HeldAnswer {
                answer,
                share: None,
            };
            if let Some(ended) = self.answer(held, worker).await {
                return ended;
            }
        }
        for call in saved.unmade {
            if let Some(ended) = self.start(&call, worker).await {
                return ended;
            }
        }
        self.run(worker).await
    }

    async fn save(&mut self, worker: &mut Worker) -> ConversationEnd {
        if let Err(lost) = worker.send(&Request::Save).await {
            return self.lost(lost);
        }
        let state = match tokio::time::timeout(self.limits.check, worker.reply()).await {
            Ok(Ok(Reply::Saved(state))) => state,
            Ok(Ok(Reply::Failed(failure))) => return self.failed(failure),
            Ok(Ok(_)) => return unexpected_reply(),
            Ok(Err(lost)) => return self.lost(lost),
            Err(_) => return self.exceeded(LimitKind::Time),
        };
        let saved = Saved {
            owner: self.tools.session().principal().key(),
            state,
            script: self.script.to_owned(),
            file: self.options.file.clone(),
            digests: self.tools.digests(),
            limits: self.limits,
            time_left: self.clock.left(),
            printed: self.printed.clone(),
            trace: self.trace.calls().iter().map(Into::into).collect(),
            ignores: self.ignores,
            waits_for: match self.waits {
                WaitingFor::One(id) => Some(id),
                WaitingFor::Any | WaitingFor::Nothing => None,
            },
            unmade: std::mem::take(&mut self.unmade),
            ungiven: std::mem::take(&mut self.ungiven),
        };
        let snapshot = Snapshot::new(saved);
        ConversationEnd {
            is_clean: true,
            result: Ok(Some(RunEnd::Stopped(snapshot))),
        }
    }

    fn lost(&self, lost: Lost) -> ConversationEnd {
        match lost {
            Lost::Memory => self.exceeded(LimitKind::Memory),
            Lost::Other(reason) => ended_badly(Error::worker_lost(reason)),
        }
    }

    fn exceeded(&self, limit: LimitKind) -> ConversationEnd {
        let allowed = self.limits.words(limit);
        let traceback = Vec::new();
        ended_badly(
            ScriptError::Limit(LimitExceeded {
                limit,
                allowed,
                traceback,
            })
            .into(),
        )
    }

    fn failed(&self, failure: Failure) -> ConversationEnd {
        let is_clean = !matches!(
            failure,
            Failure::Limit { .. } | Failure::State(_) | Failure::Protocol(_)
        );
        let error = explain(
            failure,
            self.script,
            &self.options.file,
            &self.limits,
            self.tools,
        );
        ConversationEnd {
            is_clean,
            result: Err(error),
        }
    }

    pub(super) fn finish(self, ended: ConversationEnd) -> RunReport {
        let nothing = || Error::worker_lost("it says nothing of the end");
        let end = ended.result.and_then(|end| end.ok_or_else(nothing));
        self.into_report(end)
    }

    pub(super) fn into_report(self, end: Result<RunEnd, Error>) -> RunReport {
        RunReport {
            end,
            printed: self.printed,
            trace: self.trace.into_calls(),
            ignores: self.ignores,
        }
    }
}

fn unexpected_reply() -> ConversationEnd {
    let reason = "it said something that makes no sense then";
    ended_badly(Error::worker_lost(reason))
}

fn ended_badly(error: Error) -> ConversationEnd {
    ConversationEnd {
        is_clean: false,
        result: Err(error),
    }
}
