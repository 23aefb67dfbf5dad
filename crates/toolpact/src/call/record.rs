//! Counts and logs every call.

use std::sync::Arc;
use std::time::Instant;

use toolpact_core::Violation;
use toolpact_core::returns::{ErrorKind, Outcome};

use super::result::CheckedOutput;
use super::run::Notes;
use super::{CallOutcome, CallRequest};
use crate::ToolError;
use crate::observe::{CALLER_GONE, CallRecord, ResultSource, next_invocation};
use crate::registry::RegisteredTool;
use crate::session::SessionState;
use crate::view;

/// Counts a call that has an answer, and logs it.
pub(super) fn record(session: &SessionState, request: &CallRequest<'_>, outcome: &CallOutcome) {
    let error = outcome.result.as_ref().err();
    match &outcome.entry {
        Some(entry) if error.is_some_and(ToolError::is_answer_pending) => {
            entry.metrics().count_question();
        }
        Some(entry) => {
            let kind = error.map(ToolError::kind);
            entry.metrics().count(kind, outcome.took);
        }
        None => {}
    }
    log(session, request, outcome);
}

/// Logs a call whose future is dropped, because its caller is gone: the tool may have done its work.
pub(super) struct Unanswered<'a> {
    session: &'a SessionState,
    request: &'a CallRequest<'a>,
    entry: Option<&'a Arc<RegisteredTool>>,
    started: Instant,
    /// What was noted of it so far.
    pub(super) notes: Notes,
    is_answered: bool,
}

impl<'a> Unanswered<'a> {
    pub(super) fn new(
        session: &'a SessionState,
        request: &'a CallRequest<'a>,
        entry: Option<&'a Arc<RegisteredTool>>,
        started: Instant,
    ) -> Self {
        Self {
            session,
            request,
            entry,
            started,
            notes: Notes::default(),
            is_answered: false,
        }
    }

    /// Nothing has to be logged here any more.
    pub(super) fn answered(mut self) -> Notes {
        self.is_answered = true;
        std::mem::take(&mut self.notes)
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        let gone = ToolError::new(ErrorKind::Cancelled, "").with_source(CALLER_GONE);
        let notes = std::mem::take(&mut self.notes);
        let outcome = CallOutcome {
            entry: self.entry.cloned(),
            result: Err(gone),
            violations: notes.violations,
            repairs: notes.repairs,
            decision: notes.decision,
            attempts: notes.attempts,
            stand_in: notes.stand_in,
            items: notes.items,
            took: self.started.elapsed(),
        };
        log(self.session, self.request, &outcome);
        // Nobody waits for it, so it is written now.
        drop(self.session.registry.log().and_then(|log| log.commit()));
    }
}

fn log(session: &SessionState, request: &CallRequest<'_>, outcome: &CallOutcome) {
    let log = session.registry.log();
    if log.is_none() && !tracing::enabled!(target: "toolpact", tracing::Level::WARN) {
        return;
    }
    let error = outcome.result.as_ref().err();
    let asked = error.is_some_and(ToolError::is_answer_pending);
    // A call that waits for an answer has not failed.
    let error = error.filter(|_| !asked);
    let invocation = next_invocation();
    let args = log.and_then(|_| request.args.json(request.name));
    let record = CallRecord {
        session: session.id,
        principal: &session.principal,
        invocation: &invocation,
        call_id: request.id,
        tool: request.name,
        toolset: outcome.entry.as_ref().map(|entry| entry.toolset()),
        digest: log.and_then(|_| outcome.entry.as_ref().map(|entry| entry.digest())),
        contract: outcome.entry.as_ref().map(|entry| entry.contract()),
        asked,
        error: error.map(ToolError::code),
        outcome: match (&outcome.result, &outcome.entry) {
            (Ok(done), Some(entry)) => Some(said(done, entry)),
            _ => None,
        },
        decision: outcome.decision.as_ref(),
        cause: error.and_then(cause),
        violations: outcome.violations.iter().map(broken).collect(),
        repairs: outcome.repairs.iter().map(ToString::to_string).collect(),
        took: outcome.took,
        attempts: outcome.attempts,
        args: args.as_deref(),
        items: &outcome.items.items,
        items_left_out: outcome.items.left_out,
        result: result(outcome).filter(|_| !asked),
    };
    trace(&record, error);
    if let Some(log) = log {
        log.write(&record);
    }
}

/// One line for people.
fn trace(record: &CallRecord<'_>, error: Option<&ToolError>) {
    let CallRecord {
        invocation: id,
        call_id: call,
        tool,
        principal,
        ..
    } = record;
    let outcome = record.outcome_word();
    let micros = u64::try_from(record.took.as_micros()).unwrap_or(u64::MAX);
    match error {
        Some(error) if error.source().is_some() => {
            tracing::warn!(target: "toolpact", id, call, tool, %principal, outcome, micros, ?error, "a call failed");
        }
        Some(_) => {
            tracing::info!(target: "toolpact", id, call, tool, %principal, outcome, micros, "a call failed");
        }
        None if record.asked => {
            tracing::info!(target: "toolpact", id, call, tool, %principal, outcome, micros, "a call asked a question");
        }
        None => {
            tracing::info!(target: "toolpact", id, call, tool, %principal, outcome, micros, "a call succeeded");
        }
    }
}

fn result(outcome: &CallOutcome) -> Option<ResultSource<'_>> {
    match (&outcome.result, &outcome.entry) {
        (Ok(output), Some(entry)) => Some(ResultSource::Output(output, entry)),
        (Ok(_), None) => None,
        (Err(error), _) => Some(ResultSource::Error(error)),
    }
}

/// What the result says came of the work.
pub(super) fn said(done: &CheckedOutput, entry: &RegisteredTool) -> Outcome {
    let value = || done.result.to_value(entry);
    view::outcome(entry.contract().returns(), value)
}

/// What only the logs have. Of a broken contract they have the rules, and nothing of the result.
fn cause(error: &ToolError) -> Option<String> {
    match error.broken() {
        Some(_) => None,
        None => error.source().map(ToString::to_string),
    }
}

/// The rule and the place, but nothing of the data.
fn broken(violation: &Violation) -> String {
    match violation.pointer().is_root() {
        true => violation.code().to_owned(),
        false => format!("{} at {}", violation.code(), violation.pointer()),
    }
}
