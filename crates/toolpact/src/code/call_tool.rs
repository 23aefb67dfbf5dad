//! Makes the calls that a script requests.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use toolpact_core::contract::Contract;
use toolpact_core::json::{Kind, Node, Value, Whole};
use toolpact_core::memory::MemoryShare;
use toolpact_core::returns::{ErrorKind, StandardError};
use toolpact_core::stubs::{success_value, whole_result};

use super::ScriptTools;
use super::arguments::{ArgumentError, bind};
use super::tool_failure::ToolFailure;
use super::trace::Trace;
use super::wire::{CallResult, Exception, Outcome, ToolCall};
use crate::{Completed, ToolError};

/// A call that has finished.
pub(super) struct FinishedCall {
    id: u32,
    /// Its index in the trace.
    place: usize,
    /// Whether the script wants the whole result.
    is_whole: bool,
    completed: Completed,
}

/// An answer to the script, and what it takes of the memory for results until it is sent.
pub(super) struct HeldAnswer {
    pub(super) answer: CallResult,
    pub(super) share: Option<Arc<MemoryShare>>,
}

impl HeldAnswer {
    /// One that takes nothing.
    pub(super) fn small(id: u32, outcome: Outcome) -> Self {
        Self {
            answer: CallResult { id, outcome },
            share: None,
        }
    }
}

/// The part of the memory for results that the arguments of a call take until it has ended.
pub(super) fn share_of(
    call: &ToolCall,
    tools: &ScriptTools,
) -> Result<Option<MemoryShare>, ToolError> {
    let positional = call.args.iter();
    let all = positional.chain(call.named.iter().map(|(_, value)| value));
    let bytes = all.map(|value| value.get().len()).sum();
    let function = tools.function(&call.function);
    let entry = function.and_then(|function| tools.session().get(function.name));
    entry.map_or(Ok(None), |entry| entry.share(bytes))
}

/// Begins a call, or says what is wrong with its arguments as Python words it.
pub(super) fn make(
    call: &ToolCall,
    tools: &ScriptTools,
    share: Option<MemoryShare>,
    trace: &mut Trace,
) -> Result<Pin<Box<dyn Future<Output = FinishedCall> + Send>>, ArgumentError> {
    let Some(function) = tools.function(&call.function) else {
        let message = format!("there is no tool {}()", call.function);
        return Err(ArgumentError(message));
    };
    let args = bind(&function, call)?;
    let is_whole = function.is_whole;
    let (id, session) = (call.id, tools.session().clone());
    let place = trace.begin(function.name, &args);
    let request = crate::Call::new(function.name, args);
    Ok(Box::pin(async move {
        let completed = session.call(request).await;
        drop(share);
        FinishedCall {
            id,
            place,
            is_whole,
            completed,
        }
    }))
}

/// What the script gets of a call that is not made. It is added to the trace, without its arguments.
pub(super) fn refusal_of(
    call: &ToolCall,
    why: &ToolError,
    trace: &mut Trace,
    tools: &ScriptTools,
) -> Outcome {
    let error = why.to_standard();
    let name = tools.function(&call.function).map(|found| found.name);
    let message = message(&error, name.and_then(|name| contract_of(name, tools)));
    let place = trace.begin(name.unwrap_or(&call.function), &Value::from(()));
    trace.end(place, &Err(error), Duration::ZERO);
    Outcome::Raise(Exception::ToolError, message)
}

/// What the script gets of a call. It is added to the trace.
pub(super) fn answer_of(made: FinishedCall, trace: &mut Trace, tools: &ScriptTools) -> HeldAnswer {
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
        Err(error) => Outcome::Raise(Exception::ToolError, {
            let contract = contract.or_else(|| contract_of(completed.name(), tools));
            message(error, contract)
        }),
    };
    trace.end(place, &result, completed.took());
    HeldAnswer {
        answer: CallResult { id, outcome },
        share: completed.memory(),
    }
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

fn contract_of<'t>(name: &str, tools: &'t ScriptTools) -> Option<&'t Contract> {
    tools.session().get(name).map(|entry| entry.contract())
}

fn message(error: &StandardError, contract: Option<&Contract>) -> String {
    match contract {
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
