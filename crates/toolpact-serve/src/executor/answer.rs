//! What a server answered, as a result.

use http::StatusCode;
use toolpact::ToolError;
use toolpact::core::Pointer;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, Returns};
use toolpact::define::UntypedOutput;

use super::send::Answer;

const UNUSABLE: &str = "The server behind this tool gave an answer that cannot be used.";

/// The result of a call, which is then held to the contract.
pub(super) fn produced(
    answer: &Answer,
    contract: &Contract,
    pointer: Option<&Pointer>,
    asked: &str,
) -> Result<UntypedOutput, ToolError> {
    if !answer.status.is_success() {
        return Err(failure(answer.status, asked));
    }
    let text = std::str::from_utf8(&answer.body).map_err(|error| not_text(&error, asked))?;
    let output = match answer.json {
        true if pointer.is_none() && *contract.returns() == Returns::Opaque => {
            UntypedOutput::text(text)
        }
        true => {
            let value = Value::from_json(text.as_bytes());
            let value = value.map_err(|why| ToolError::unavailable(UNUSABLE).with_source(why));
            return part(&value?, pointer);
        }
        // Not all servers say that what they send is JSON.
        false if contract.returns().is_structure() => match (Value::from_json(text), pointer) {
            (Ok(value), Some(_)) => return part(&value, pointer),
            _ => UntypedOutput::written(text, contract),
        },
        false => UntypedOutput::text(text),
    };
    Ok(output)
}

/// What operators are told is where, and what to do.
fn not_text(error: &std::str::Utf8Error, asked: &str) -> ToolError {
    let at = error.valid_up_to();
    let why = format!(
        "the answer of {asked} is not UTF-8 at byte {at}: have the server send UTF-8, and other data as Base64"
    );
    ToolError::unavailable(UNUSABLE).with_source(why)
}

/// The part of an answer that is the result.
fn part(answer: &Value, pointer: Option<&Pointer>) -> Result<UntypedOutput, ToolError> {
    let Some(pointer) = pointer else {
        return Ok(answer.clone().into());
    };
    let found = answer.root().at(pointer).ok_or_else(|| {
        let why = format!("the answer has nothing at `{pointer}`");
        ToolError::unavailable(UNUSABLE).with_source(why)
    })?;
    Ok(found.to_value().into())
}

/// What a status means to the one who called. What the server wrote is not for them.
fn failure(status: StatusCode, asked: &str) -> ToolError {
    let (kind, message) = match status.as_u16() {
        400 | 422 => (
            ErrorKind::WrongArgument,
            "The server behind this tool refused these arguments.",
        ),
        404 | 410 => (
            ErrorKind::NotFound,
            "The server behind this tool has no such thing.",
        ),
        409 | 412 => (
            ErrorKind::WrongState,
            "The server behind this tool is in a state that does not allow it.",
        ),
        429 => (
            ErrorKind::RateLimited,
            "The server behind this tool is asked too often.",
        ),
        408 | 504 => (
            ErrorKind::DependencyTimedOut,
            "The server behind this tool did not answer in time.",
        ),
        // Our credentials are no concern of the caller's.
        _ => (
            ErrorKind::DependencyFailed,
            "The server behind this tool failed.",
        ),
    };
    let error = ToolError::new(kind, message).with_detail("status", i64::from(status.as_u16()));
    // What was asked is for operators to know: it may be the address that is wrong.
    error.with_source(match kind {
        ErrorKind::NotFound => format!("{asked} is not there"),
        _ => format!("{asked} answered {status}"),
    })
}
