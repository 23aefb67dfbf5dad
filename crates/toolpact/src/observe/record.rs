//! What is counted and written down of every call.

use toolpact_core::Violation;
use toolpact_core::json::Value;

use super::CallRecord;
use crate::ToolError;
use crate::call::{Answer, Order};
use crate::session::Inner;

pub(crate) fn record(session: &Inner, order: &Order<'_>, answer: &Answer) {
    let error = answer.result.as_ref().err();
    let asked = error.is_some_and(ToolError::is_later);
    // A question is no failure.
    let error = error.filter(|_| !asked);
    match &answer.entry {
        Some(entry) if asked => entry.metrics().count_question(),
        Some(entry) => {
            let kind = error.map(ToolError::kind);
            entry.metrics().count(kind, answer.took);
        }
        None => {}
    }
    if let Some(error) = error.filter(|error| error.source().is_some()) {
        tracing::warn!(target: "toolpact", tool = order.name, ?error, "a call failed");
    }
    let Some(log) = session.registry.log() else {
        return;
    };
    let args = Value::from_json(order.args).ok();
    log.write(&CallRecord {
        session: session.id,
        call_id: order.id,
        tool: order.name,
        toolset: answer.entry.as_ref().map(|entry| entry.toolset()),
        digest: answer.entry.as_ref().map(|entry| entry.digest()),
        asked,
        error: error.map(ToolError::code),
        cause: error.and_then(cause),
        violations: answer.violations.iter().map(broken).collect(),
        repairs: answer.repairs.iter().map(ToString::to_string).collect(),
        took: answer.took,
        args: args.as_ref(),
    });
}

/// What only the logs are told. The rules that a result broke are told without what they found.
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
