//! What a worker says of a failure, with the lines of the script and in terms of tools.

use super::error::{Finding, TracebackLine, UncaughtException};
use super::tool_failure::ToolFailure;
use super::wire::{Failure, Frame, LONGEST_SCRIPT, TypeFinding};
use super::{CodeError, LimitExceeded, ScriptLimits, ScriptTools, SnapshotError};

/// Most objections of the type checker that are told.
const MOST: usize = 20;

pub(super) fn explain(
    failure: Failure,
    script: &str,
    file: &str,
    limits: &ScriptLimits,
    tools: &ScriptTools,
) -> CodeError {
    let traceback = |frames: Vec<Frame>| {
        let lines = frames.into_iter().map(|frame| line(frame, script, file));
        lines.collect::<Vec<_>>()
    };
    match failure {
        Failure::TooLong(bytes) => CodeError::TooLong {
            bytes,
            limit: LONGEST_SCRIPT,
        },
        Failure::Syntax { message, place } => CodeError::Syntax(Box::new(Finding {
            message,
            rule: "syntax".to_owned(),
            place,
            source: source(script, place.line),
            tools: Vec::new(),
        })),
        Failure::Types(objections) => {
            let shown = objections.into_iter().take(MOST);
            CodeError::Types(shown.map(|one| finding(one, script, tools)).collect())
        }
        Failure::Declarations(reason) => CodeError::Declarations(reason),
        Failure::Raised {
            exception,
            message,
            frames,
        } => raised(exception, message, traceback(frames)),
        Failure::Limit { limit, frames } => CodeError::Limit(LimitExceeded {
            limit,
            allowed: limits.words(limit),
            traceback: traceback(frames),
        }),
        Failure::Value(reason) => CodeError::Value(reason),
        Failure::State(reason) => CodeError::Snapshot(SnapshotError::Unreadable(reason)),
        Failure::Protocol(reason) => CodeError::WorkerLost(reason),
    }
}

fn finding(objection: TypeFinding, script: &str, tools: &ScriptTools) -> Finding {
    let TypeFinding {
        place,
        rule,
        message,
    } = objection;
    Finding {
        tools: tools.spoken_of(&message),
        source: source(script, place.line),
        message,
        rule,
        place,
    }
}

/// An error of a tool is called what scripts call it.
fn raised(exception: String, message: String, traceback: Vec<TracebackLine>) -> CodeError {
    let failure = match &*exception {
        "RuntimeError" => ToolFailure::from_message(&message),
        _ => None,
    };
    CodeError::Raised(Box::new(UncaughtException {
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
