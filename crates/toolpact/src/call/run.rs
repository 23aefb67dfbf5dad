//! A call, step by step: look up, check arguments, admit, run, check the result, count.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use toolpact_core::Violations;
use toolpact_core::json::Value;
use toolpact_core::repair::Repair;
use toolpact_core::returns::ErrorKind;

use super::arguments::{self, Checked};
use super::execute::{StopConditions, cancelled, deadline_passed, execute};
use super::record::Unanswered;
use super::result::{CheckedOutput, Keep, ResultChecker};
use super::typed_input::{Arguments, CallArgs};
use super::{
    Enforcement, Gates, GuardDecision, Permits, Retries, Verdict, catch_panic, record, unknown_tool,
};
use crate::context::{Responders, Values};
use crate::elicitation::SharedResponder;
use crate::executor;
use crate::observe::{self, HeardItems, Span};
use crate::registry::RegisteredTool;
use crate::session::{ClientInfo, HandOver, SessionState};
use crate::typed::RunsOn;
use crate::unread_updates::Unread;
use crate::updates::Updates;
use crate::{Context, ToolError};

/// The timeout of a call that has none.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A call to make, with everything that its caller said about it.
pub(crate) struct CallRequest<'a> {
    pub(crate) name: &'a str,
    pub(crate) args: CallArgs<'a>,
    pub(crate) id: Option<&'a str>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) enforcement: Option<Enforcement>,
    pub(crate) repair: Option<bool>,
    pub(crate) keep: Keep,
    pub(crate) updates: Option<mpsc::Sender<Unread>>,
    pub(crate) responder: Option<SharedResponder>,
    pub(crate) refused: Option<&'a str>,
    pub(crate) client: Option<ClientInfo>,
    pub(crate) values: Option<&'a Values>,
}

impl CallRequest<'_> {
    /// The responders of the call and of its session.
    pub(super) fn responders(&self, session: &SessionState) -> Responders {
        [self.responder.clone(), session.responder.clone()]
    }

    /// Whether its tool is not run here.
    fn hand_over(&self) -> Option<&HandOver> {
        HandOver::of(self.values.filter(|values| !values.is_empty())?)
    }

    /// The values of the session, and before them those of the call.
    fn values(&self, session: &SessionState) -> Values {
        let mut values = Arc::clone(&session.values);
        if let Some(own) = self.values.filter(|own| !own.is_empty()) {
            let own = own.iter().map(|(kind, value)| (*kind, Arc::clone(value)));
            Arc::make_mut(&mut values).extend(own);
        }
        values
    }
}

/// The result of a call, with what was noted on the way.
pub(crate) struct CallOutcome {
    pub(crate) entry: Option<Arc<RegisteredTool>>,
    pub(crate) result: Result<CheckedOutput, ToolError>,
    pub(crate) violations: Violations,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) decision: Option<GuardDecision>,
    pub(crate) attempts: u32,
    /// What answered in place of the tool.
    pub(crate) stand_in: Option<&'static str>,
    pub(crate) items: HeardItems,
    pub(crate) took: Duration,
}

/// Makes a call. There is always an outcome, and it is logged before the caller has it.
pub(crate) async fn run(session: &SessionState, request: CallRequest<'_>) -> CallOutcome {
    let started = Instant::now();
    let log = session.registry.log();
    let entry = session.find(request.name).cloned();
    let mut unanswered = Unanswered::new(session, &request, entry.as_ref(), started);
    let notes = &mut unanswered.notes;
    let result = match log.map_or(Ok(()), |log| log.begin()) {
        Ok(()) => steps(session, entry.as_ref(), &request, started, notes).await,
        Err(refused) => Err(refused),
    };
    let notes = unanswered.answered();
    let mut outcome = CallOutcome {
        entry: entry.clone(),
        result,
        violations: notes.violations,
        repairs: notes.repairs,
        decision: notes.decision,
        attempts: notes.attempts,
        stand_in: notes.stand_in,
        items: notes.items,
        took: started.elapsed(),
    };
    record::record(session, &request, &outcome);
    if let Some(committing) = log.and_then(|log| log.commit())
        && let Err(error) = committing.await
    {
        outcome.result = Err(error);
    }
    outcome
}

async fn steps(
    session: &SessionState,
    entry: Option<&Arc<RegisteredTool>>,
    request: &CallRequest<'_>,
    started: Instant,
    notes: &mut Notes,
) -> Result<CheckedOutput, ToolError> {
    let Some(entry) = entry else {
        let registry = &session.registry;
        let quarantined = registry.quarantined(request.name, &session.principal);
        return Err(
            quarantined.unwrap_or_else(|| unknown_tool::error(request.name, session.names()))
        );
    };
    let span = Span::new(session, entry, request.id);
    let steps = Steps {
        session,
        entry,
        request,
        started,
    };
    let result = match span.is_disabled() {
        true => steps.all(notes).await,
        false => span.around(steps.all(notes)).await,
    };
    span.end(&result, |done| record::said(done, entry).as_str());
    result
}

/// What is noted on the way to a result.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) violations: Violations,
    pub(super) repairs: Vec<Repair>,
    pub(super) decision: Option<GuardDecision>,
    pub(super) attempts: u32,
    pub(super) stand_in: Option<&'static str>,
    pub(super) items: HeardItems,
}

/// The steps of a call of a tool that exists.
pub(super) struct Steps<'a> {
    pub(super) session: &'a SessionState,
    pub(super) entry: &'a Arc<RegisteredTool>,
    pub(super) request: &'a CallRequest<'a>,
    started: Instant,
}

impl Steps<'_> {
    async fn all(&self, notes: &mut Notes) -> Result<CheckedOutput, ToolError> {
        self.gates().count(self.started)?;
        if let Some(reason) = self.request.refused {
            notes.decision = Some(GuardDecision {
                verdict: Verdict::Denied,
                policies: Vec::new(),
                approval: None,
            });
            return Err(ToolError::new(ErrorKind::NotAllowed, reason));
        }
        let repaired = self.check(notes)?;
        let mut deadline = self.deadline(self.started);
        if self.session.registry.guard().is_some() {
            let args = match (&repaired, &self.request.args) {
                (Some(args), _) => Cow::Borrowed(args),
                (None, CallArgs::Value(args)) => Cow::Borrowed(*args),
                (None, args) => {
                    let json = args.json(self.request.name).unwrap_or_default();
                    Cow::Owned(Value::from_json(json)?)
                }
            };
            deadline = self.ask(&args, deadline, &mut notes.decision).await?;
        }
        let repaired = repaired.as_ref().map(|args| args.text().as_bytes());
        let product = self.attempts(repaired, deadline, notes).await;
        let product = product.inspect_err(|error| {
            notes.violations = error.broken().cloned().unwrap_or_default();
        })?;
        if !product.violations.is_empty() {
            notes.violations = product.violations.clone();
            self.entry.metrics().count_warning();
        }
        Ok(product)
    }

    /// The repaired arguments, if they had to be repaired.
    fn check(&self, notes: &mut Notes) -> Result<Option<Value>, ToolError> {
        let default = self.session.registry.repairs();
        let repair = self.request.repair.unwrap_or(default);
        let checked = match &self.request.args {
            CallArgs::Json(args) => arguments::check(self.entry, args, repair),
            CallArgs::Value(args) => arguments::check(self.entry, args.text().as_bytes(), repair),
            CallArgs::Typed(input) => input.check(self.entry, repair, self.wants_json())?,
        };
        match checked {
            Checked::Good => Ok(None),
            Checked::Repaired(args, repairs) => {
                self.entry.metrics().count_repair();
                notes.repairs = repairs;
                Ok(Some(args))
            }
            Checked::Bad(violations) => {
                let error = arguments::refusal(self.entry, &violations);
                notes.violations = violations;
                Err(error)
            }
        }
    }

    /// Whether something looks at the JSON of arguments: the guard before the call, a second attempt,
    /// or the log after it.
    fn wants_json(&self) -> bool {
        let registry = &self.session.registry;
        registry.guard().is_some()
            || registry.log().is_some()
            || self.entry.limits().retries != Retries::none()
    }

    /// The deadline: by the timeout of the contract, else of the tool, which begins `from` then, and no later than
    /// the whole call may end.
    pub(super) fn deadline(&self, from: Instant) -> Option<Instant> {
        let contract = self.entry.contract().timeout();
        let tool = contract.or(self.entry.limits().timeout);
        let usual = self.request.timeout.is_none().then_some(TIMEOUT);
        let tool = tool.or(usual).and_then(|timeout| from.checked_add(timeout));
        [tool, self.latest()].into_iter().flatten().min()
    }

    /// When the whole call has to be done, by what its caller and the session say.
    pub(super) fn latest(&self) -> Option<Instant> {
        let timeouts = [self.request.timeout, self.session.limits.timeout];
        let timeout = timeouts.into_iter().flatten().min();
        let end = timeout.and_then(|timeout| self.started.checked_add(timeout));
        let all = [end, self.request.deadline, self.session.life.end()];
        all.into_iter().flatten().min()
    }

    async fn attempts(
        &self,
        repaired: Option<&[u8]>,
        deadline: Option<Instant>,
        notes: &mut Notes,
    ) -> Result<CheckedOutput, ToolError> {
        let retries = &self.entry.limits().retries;
        loop {
            let before = notes.attempts;
            notes.attempts += 1;
            let result = self.attempt(repaired, deadline, notes).await;
            let Err(error) = result else { return result };
            // The caller may try again itself.
            if self.request.hand_over().is_some() {
                return Err(error);
            }
            let Some(wait) = retries.next(before, self.entry.contract(), &error) else {
                return Err(error);
            };
            let again = Instant::now().checked_add(wait);
            let again = again.filter(|again| deadline.is_none_or(|deadline| *again < deadline));
            let Some(again) = again else {
                return Err(error);
            };
            self.pause(again).await?;
        }
    }

    /// Waits, unless the call is cancelled.
    async fn pause(&self, until: Instant) -> Result<(), ToolError> {
        let Some(executor) = executor::shared() else {
            return Ok(());
        };
        tokio::select! {
            () = executor.until(until) => Ok(()),
            () = self.cancelled() => Err(ToolError::new(ErrorKind::Cancelled, "")),
        }
    }

    async fn attempt(
        &self,
        repaired: Option<&[u8]>,
        deadline: Option<Instant>,
        notes: &mut Notes,
    ) -> Result<CheckedOutput, ToolError> {
        let permits = self.admit(deadline).await?;
        let log = self.session.registry.log();
        let keeps_items = log.is_some_and(|log| log.wants_items());
        let updates =
            self.request.updates.clone().and_then(|sender| {
                Updates::new(sender, self.checker(), self.request.id, keeps_items)
            });
        let values = self.request.values(self.session);
        let responders = self.request.responders(self.session);
        let principal = self.session.principal.clone();
        let context = Context::new(
            self.request.id,
            principal,
            self.request.client.clone(),
            deadline,
            values,
            updates,
            responders,
        );
        let body = Arc::clone(self.entry.body());
        let args = match (repaired, &self.request.args) {
            (Some(json), _) => Arguments::Json(json),
            (None, CallArgs::Json(json)) => Arguments::Json(json),
            (None, CallArgs::Value(args)) => Arguments::Json(args.text().as_bytes()),
            (None, CallArgs::Typed(input)) => input.arguments()?,
        };
        let start = || body.start(args, context.clone(), self.checker());
        let (work, place) = match self.request.hand_over() {
            Some(hand_over) => {
                let own = self
                    .request
                    .args
                    .json(self.request.name)
                    .unwrap_or_default();
                let args = repaired.unwrap_or(&own);
                let work = hand_over.work(args, deadline, self.checker())?;
                (work, RunsOn::Caller)
            }
            None => {
                let work = catch_panic(self.entry.contract().name().as_str(), start)??;
                (work, self.entry.runs_on())
            }
        };
        let stop = StopConditions {
            deadline,
            caller: self.request.cancel.as_ref(),
            session: &self.session.closed,
            context: context.clone(),
        };
        let result = execute(
            observe::instrumented(work),
            (self.entry, place),
            permits,
            stop,
        )
        .await;
        context.end();
        notes.stand_in = context.stand_in();
        notes.items = context
            .updates()
            .map(Updates::take_items)
            .unwrap_or_default();
        result
    }

    fn checker(&self) -> ResultChecker {
        let request = self.request.enforcement;
        let default = || self.session.registry.enforcement();
        let sizes = [
            self.entry.limits().result_bytes,
            self.session.limits.result_bytes,
        ];
        ResultChecker {
            entry: Arc::clone(self.entry),
            enforcement: match self.request.keep {
                Keep::Given => Enforcement::Off,
                _ => request.or(self.entry.enforcement()).unwrap_or_else(default),
            },
            keep: self.request.keep,
            most: sizes.into_iter().min().unwrap_or(usize::MAX),
        }
    }

    /// Waits for permits, unless the call is cancelled or too late already.
    async fn admit(&self, deadline: Option<Instant>) -> Result<Permits, ToolError> {
        let given_up = self
            .request
            .cancel
            .as_ref()
            .is_some_and(CancellationToken::is_cancelled);
        if given_up || self.session.is_over() {
            return Err(ToolError::new(ErrorKind::Cancelled, ""));
        }
        // A call whose deadline has passed is not begun.
        if deadline.is_some_and(|deadline| deadline <= self.started) {
            return Err(ToolError::new(ErrorKind::TimedOut, ""));
        }
        let gates = self.gates();
        if let Some(permits) = gates.enter_now() {
            return Ok(permits);
        }
        self.within(deadline, gates.enter()).await
    }

    fn gates(&self) -> Gates<'_> {
        Gates {
            tool: self.entry.gate(),
            session: &self.session.gate,
            principal: match &self.session.principal_gates {
                Some(gates) => [gates.of(self.entry.qualified_name()), gates.all.as_ref()],
                None => [None, None],
            },
            registry: self.session.registry.gate(),
        }
    }

    /// Waits for something, until the deadline or a cancellation.
    pub(super) async fn within<T>(
        &self,
        deadline: Option<Instant>,
        wait: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        tokio::select! {
            biased;
            done = wait => done,
            () = self.cancelled() => Err(ToolError::new(ErrorKind::Cancelled, "")),
            () = deadline_passed(deadline) => Err(ToolError::new(ErrorKind::TimedOut, "")),
        }
    }

    pub(super) async fn cancelled(&self) {
        tokio::select! {
            () = cancelled(self.request.cancel.as_ref()) => {}
            () = self.session.closed.cancelled() => {}
        }
    }
}
