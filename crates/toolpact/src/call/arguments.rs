//! Arguments before a tool runs.

use serde::Serialize;
use toolpact_core::json::{Node, Value};
use toolpact_core::repair::{Repair, Repaired, repair};
use toolpact_core::returns::{ErrorKind, StandardError};
use toolpact_core::violation::{Token, nearest};
use toolpact_core::{Violation, Violations};

use crate::ToolError;
use crate::registry::RegisteredTool;

pub(super) enum Checked {
    /// As they are.
    Good,
    /// After they were repaired.
    Repaired(Value, Vec<Repair>),
    Bad(Violations),
}

pub(super) fn check(entry: &RegisteredTool, args: &[u8], repairs: bool) -> Checked {
    let function = entry.function();
    let Err(violations) = function.check_json(args) else {
        return Checked::Good;
    };
    let value = repairs.then(|| Value::from_json(args).ok()).flatten();
    let repaired = value.map(|args| repair(entry.contract().parameters(), &args));
    match repaired {
        Some(Repaired { value, repairs, .. }) if function.accepts(value.text().as_bytes()) => {
            Checked::Repaired(value, repairs)
        }
        _ => Checked::Bad(violations),
    }
}

/// Most violations in one message.
const SHOWN: usize = 10;

#[derive(Serialize)]
struct ViolationDetail<'a> {
    at: String,
    rule: &'a str,
    message: &'a str,
}

/// The error for the model: every violation, its place, and what to write instead.
pub(super) fn refusal(entry: &RegisteredTool, violations: &Violations) -> ToolError {
    let known = known(entry);
    let errors = || {
        let errors = violations.iter();
        errors.filter(|v| v.severity() == toolpact_core::Severity::Error)
    };
    let missing = errors().all(|v| v.code() == "value-missing-key");
    let kind = match missing {
        true => ErrorKind::MissingArgument,
        false => ErrorKind::WrongArgument,
    };
    let mut lines: Vec<String> = errors().take(SHOWN).map(|v| line(v, &known)).collect();
    if let more @ 1.. = violations.errors().saturating_sub(SHOWN) {
        lines.push(format!("and {more} more"));
    }
    let details: Vec<ViolationDetail<'_>> = errors().take(SHOWN).map(details).collect();
    let details = serde_json::to_string(&details)
        .ok()
        .and_then(|json| Value::from_json(json).ok());
    let error = StandardError::new(kind, &lines.join("\n"));
    match details {
        Some(details) => error.with_detail("violations", details).into(),
        None => error.into(),
    }
}

fn line(violation: &Violation, known: &[String]) -> String {
    let place = match violation.pointer().is_root() {
        true => String::new(),
        false => format!("{}: ", violation.pointer()),
    };
    let advice = violation.suggestion().map(|s| s.text.clone());
    let advice = advice.or_else(|| meant(violation, known));
    let advice = advice
        .map(|advice| format!("; {advice}"))
        .unwrap_or_default();
    format!("{place}{}{advice}", violation.message())
}

/// The parameter that an unknown argument may stand for.
fn meant(violation: &Violation, known: &[String]) -> Option<String> {
    let tokens = violation.pointer().tokens();
    let [Token::Key(key)] = tokens.as_slice() else {
        return None;
    };
    let near = nearest(key, known.iter().map(String::as_str))
        .filter(|_| violation.code() == "value-unknown-key");
    near.map(|near| format!("did you mean `{near}`?"))
}

/// The names of the arguments that a tool takes.
fn known(entry: &RegisteredTool) -> Vec<String> {
    let schema = entry.contract().parameters().to_json_schema();
    let properties = schema.root().get("properties");
    let names = properties.into_iter().flat_map(Node::members);
    names.map(|(name, _)| name.into_owned()).collect()
}

fn details(violation: &Violation) -> ViolationDetail<'_> {
    ViolationDetail {
        at: violation.pointer().to_string(),
        rule: violation.code(),
        message: violation.message(),
    }
}
