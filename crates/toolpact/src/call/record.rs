//! Counts and logs every call.

use toolpact_core::Violation;
use toolpact_core::json::Value;
use toolpact_core::returns::Outcome;

use super::{CallOutcome, CallRequest};
use crate::ToolError;
use crate::observe::CallRecord;
use crate::session::SessionState;
use crate::view;

pub(super) fn record(session: &SessionState, request: &CallRequest<'_>, outcome: &CallOutcome) {
    let error = outcome.result.as_ref().err();
    let asked = error.is_some_and(ToolError::is_answer_pending);
    // A call that waits for an answer has not failed.
    let error = error.filter(|_| !asked);
    match &outcome.entry {
        Some(entry) if asked => entry.metrics().count_question(),
        Some(entry) => {
            let kind = error.map(ToolError::kind);
            entry.metrics().count(kind, outcome.took);
        }
        None => {}
    }
    let micros = u64::try_from(outcome.took.as_micros()).unwrap_or(u64::MAX);
    match error {
        Some(error) if error.source().is_some() => {
            tracing::warn!(target: "toolpact", tool = request.name, ?error, "a call failed");
        }
        Some(error) => {
            let code = error.code();
            tracing::info!(target: "toolpact", tool = request.name, code, micros, "a call failed");
        }
        None if asked => {}
        None => tracing::info!(target: "toolpact", tool = request.name, micros, "a call succeeded"),
    }
    let Some(log) = session.registry.log() else {
        return;
    };
    let args = request.args.json(request.name);
    let args = args.and_then(|args| Value::from_json(args).ok());
    log.write(&CallRecord {
        session: session.id,
        call_id: request.id,
        tool: request.name,
        toolset: outcome.entry.as_ref().map(|entry| entry.toolset()),
        digest: outcome.entry.as_ref().map(|entry| entry.digest()),
        asked,
        error: error.map(ToolError::code),
        outcome: said(outcome),
        cause: error.and_then(cause),
        violations: outcome.violations.iter().map(broken).collect(),
        repairs: outcome.repairs.iter().map(ToString::to_string).collect(),
        took: outcome.took,
        args: args.as_ref(),
    });
}

/// What the result says came of the work.
fn said(outcome: &CallOutcome) -> Option<Outcome> {
    let (done, entry) = (outcome.result.as_ref().ok()?, outcome.entry.as_ref()?);
    let value = || done.result.to_value(entry);
    Some(view::outcome(entry.contract().returns(), value))
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
