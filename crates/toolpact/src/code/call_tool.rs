//! Makes the calls that a script requests.

use std::pin::Pin;
use std::time::Duration;

use serde_json::value::RawValue;
use toolpact_core::contract::Contract;
use toolpact_core::json::{Kind, Node, Value, Whole};
use toolpact_core::returns::{ErrorKind, StandardError};
use toolpact_core::stubs::{success_value, whole_result};

use super::arguments::{ArgumentError, bind};
use super::tool_failure::ToolFailure;
use super::wire::{CallResult, Exception, Outcome, ToolCall};
use super::{ScriptTools, TracedCall};
use crate::Completed;

/// A call that has finished.
pub(super) struct FinishedCall {
    id: u32,
    /// Its index in the trace.
    place: usize,
    /// Whether the script wants the whole result.
    is_whole: bool,
    completed: Completed,
}

/// Begins a call, or says what is wrong with its arguments as Python words it.
pub(super) fn make(
    call: &ToolCall,
    tools: &ScriptTools,
    trace: &mut Vec<TracedCall>,
) -> Result<Pin<Box<dyn Future<Output = FinishedCall> + Send>>, ArgumentError> {
    let Some(function) = tools.function(&call.function) else {
        let message = format!("there is no tool {}()", call.function);
        return Err(ArgumentError(message));
    };
    let args = bind(&function, call)?;
    let is_whole = function.is_whole;
    let (id, place, session) = (call.id, trace.len(), tools.session().clone());
    let request = crate::Call::new(function.name, args.clone());
    trace.push(TracedCall {
        tool: function.name.to_owned(),
        args,
        outcome: None,
        took: Duration::ZERO,
    });
    Ok(Box::pin(async move {
        let completed = session.call(request).await;
        FinishedCall {
            id,
            place,
            is_whole,
            completed,
        }
    }))
}

/// What the script gets of a call. It is added to the trace.
pub(super) fn answer_of(
    made: FinishedCall,
    trace: &mut [TracedCall],
    tools: &ScriptTools,
) -> CallResult {
    let FinishedCall {
        id,
        place,
        is_whole,
        completed,
    } = made;
    let contract = completed.contract();
    let result = value_of(&completed, contract, is_whole);
    let outcome = match &result {
        Ok(value) => match RawValue::from_string(value.text().to_owned()) {
            Ok(raw) => match too_large(value.root(), &mut Vec::new()) {
                None => Outcome::Value(raw),
                Some(wrong) => Outcome::Raise(Exception::ValueError, wrong),
            },
            Err(error) => Outcome::Raise(Exception::ValueError, error.to_string()),
        },
        Err(error) => Outcome::Raise(Exception::ToolError, message(error, &completed, tools)),
    };
    if let Some(record) = trace.get_mut(place) {
        record.took = completed.took();
        record.outcome = Some(result);
    }
    CallResult { id, outcome }
}

fn value_of(
    completed: &Completed,
    contract: Option<&Contract>,
    is_whole: bool,
) -> Result<Value, StandardError> {
    if let Some(error) = completed.error() {
        return Err(error.to_standard());
    }
    let unwritable = || StandardError::new(ErrorKind::Internal, "");
    // As the tool wrote it, if it is known: parsing and writing it again can lose digits.
    let written = completed.output::<Value>().cloned();
    let value = written.or_else(|| completed.to_value());
    let value = value.ok_or_else(unwritable)?;
    Ok(match contract {
        None => value,
        Some(contract) if is_whole => whole_result(contract.returns(), &value),
        Some(contract) => success_value(contract.returns(), &value),
    })
}

fn message(error: &StandardError, completed: &Completed, tools: &ScriptTools) -> String {
    let session = tools.session();
    let entry = session.get(completed.name()).map(|entry| entry.contract());
    match completed.contract().or(entry) {
        Some(contract) => ToolFailure::of(error, contract).to_message(),
        None => format!("{}: {}", error.code(), error.message()),
    }
}

/// The first integer in a value that is beyond 64 bits and so would not survive the round trip.
fn too_large(node: Node<'_>, path: &mut Vec<String>) -> Option<String> {
    match node.kind() {
        Kind::Number => {
            let number = node.as_number()?;
            let is_integer = !number.text().contains(['.', 'e', 'E']);
            let fits = number.whole() != Whole::TooLarge || number.text().parse::<u64>().is_ok();
            (is_integer && !fits).then(|| {
                let at = path.concat();
                format!(
                    "the result has the integer {} at {}, which is beyond 64 bits",
                    number.text(),
                    if at.is_empty() { "its root" } else { &at }
                )
            })
        }
        Kind::Array => node.items().enumerate().find_map(|(place, item)| {
            path.push(format!("/{place}"));
            let found = too_large(item, path);
            path.pop();
            found
        }),
        Kind::Object => node.members().find_map(|(key, value)| {
            path.push(format!("/{}", key.replace('~', "~0").replace('/', "~1")));
            let found = too_large(value, path);
            path.pop();
            found
        }),
        _ => None,
    }
}
