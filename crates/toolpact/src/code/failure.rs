//! Turns the failures that a worker reports into errors with source lines and names of tools.

use super::error::{Finding, TracebackLine, UncaughtException};
use super::tool_failure::ToolFailure;
use super::wire::{Failure, Frame, LONGEST_SCRIPT, TypeFinding};
use super::{LimitExceeded, ScriptError, ScriptLimits, ScriptTools, SnapshotFault, hint};
use crate::Error;

/// Most findings of the type checker that are kept.
const MOST: usize = 20;

pub(super) fn explain(
    failure: Failure,
    script: &str,
    file: &str,
    limits: &ScriptLimits,
    tools: &ScriptTools,
) -> Error {
    let traceback = |frames: Vec<Frame>| {
        let lines = frames.into_iter().map(|frame| line(frame, script, file));
        lines.collect::<Vec<_>>()
    };
    let error = match failure {
        Failure::TooLong(bytes) => ScriptError::TooLong {
            bytes,
            limit: LONGEST_SCRIPT,
        },
        Failure::Syntax { message, place } => ScriptError::Syntax(Box::new(Finding {
            message,
            rule: "syntax".to_owned(),
            place,
            source: source(script, place.line),
            tools: Vec::new(),
            hint: None,
        })),
        Failure::Types(objections) => {
            let shown = objections.into_iter().take(MOST);
            ScriptError::Types(shown.map(|one| finding(one, script, tools)).collect())
        }
        Failure::Declarations(reason) => ScriptError::Declarations(reason),
        Failure::Raised {
            exception,
            message,
            frames,
        } => raised(exception, message, traceback(frames)),
        Failure::Limit { limit, frames } => ScriptError::Limit(LimitExceeded {
            limit,
            allowed: limits.words(limit),
            traceback: traceback(frames),
        }),
        Failure::Value(reason) => ScriptError::Value(reason),
        Failure::State(reason) => return SnapshotFault::Unreadable(reason).into(),
        Failure::Protocol(reason) => return Error::worker_lost(reason),
    };
    error.into()
}

fn finding(objection: TypeFinding, script: &str, tools: &ScriptTools) -> Finding {
    let source = source(script, objection.place.line);
    let hint = hint::of(&objection, &source, tools);
    let TypeFinding {
        place,
        rule,
        message,
    } = objection;
    Finding {
        tools: tools.named_in(&message),
        source,
        message,
        rule,
        place,
        hint,
    }
}

/// The interpreter has no `ToolError`: a tool's error is a `RuntimeError` with a message of a fixed form.
fn raised(exception: String, message: String, traceback: Vec<TracebackLine>) -> ScriptError {
    let failure = match &*exception {
        "RuntimeError" => ToolFailure::from_message(&message),
        _ => None,
    };
    ScriptError::Raised(Box::new(UncaughtException {
        exception: match failure {
            Some(_) => "ToolError".to_owned(),
            None => exception,
        },
        message,
        traceback,
        failure,
    }))
}

fn line(frame: Frame, script: &str, file: &str) -> TracebackLine {
    TracebackLine {
        file: file.to_owned(),
        source: source(script, frame.place.line),
        place: frame.place,
        function: frame.function,
    }
}

fn source(script: &str, line: u32) -> String {
    let line = (line as usize).saturating_sub(1);
    script.lines().nth(line).unwrap_or_default().to_owned()
}
