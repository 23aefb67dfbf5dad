//! Calls of tools: the request to the host, and its result as a Python value.

use std::collections::HashSet;

use monty::FunctionCall;
use monty_types::{ExcType, ExtFunctionResult, MontyException, MontyObject};
use serde_json::value::RawValue;
use toolpact::code::wire::{Exception, Outcome, ToolCall};
use toolpact::core::json::Value;

use crate::error::Error;
use crate::value::{Unfit, from_json, to_json};

/// The request for a call, or why its arguments are not JSON.
pub(crate) fn request(
    call: &FunctionCall,
    is_task: bool,
    tools: &HashSet<String>,
) -> Result<ToolCall, MontyException> {
    let type_error =
        |message: &str| MontyException::new(ExcType::TypeError, Some(message.to_owned()));
    let (function, args) = match (is_task, &*call.args) {
        (false, args) => (&call.function_name, args),
        (true, [MontyObject::Function { name, .. }, args @ ..]) if tools.contains(name) => {
            (name, args)
        }
        (true, _) => return Err(type_error("tool_task() takes a tool, then its arguments")),
    };
    let raw = |value: &MontyObject, name: &str| {
        let json = to_json(value).map_err(|unfit| unfit_error(function, name, &unfit))?;
        RawValue::from_string(json).map_err(|error| type_error(&error.to_string()))
    };
    let places = args.iter().enumerate();
    let named = call.kwargs.iter().map(|(name, value)| {
        let name = name.to_string();
        let value = raw(value, &name)?;
        Ok((name, value))
    });
    Ok(ToolCall {
        id: call.call_id,
        function: function.clone(),
        args: places
            .map(|(place, value)| raw(value, &(place + 1).to_string()))
            .collect::<Result<_, _>>()?,
        named: named.collect::<Result<_, MontyException>>()?,
        is_task,
    })
}

fn unfit_error(function: &str, argument: &str, unfit: &Unfit) -> MontyException {
    let kind = if unfit.is_value {
        ExcType::ValueError
    } else {
        ExcType::TypeError
    };
    let message = not_json(&format!("{function}() argument {argument}"), unfit);
    MontyException::new(kind, Some(message))
}

pub(crate) fn not_json(what: &str, unfit: &Unfit) -> String {
    let at = match &*unfit.path {
        "" => String::new(),
        path => format!(" at {path}"),
    };
    format!("{what} is not JSON{at}: {}", unfit.what)
}

/// The result of a call as a Python value or exception.
pub(crate) fn result(outcome: Outcome) -> ExtFunctionResult {
    let raise = |kind, message| MontyException::new(kind, Some(message)).into();
    match outcome {
        Outcome::Value(json) => {
            let value = Value::from_json(json.get()).map_err(Error::value);
            match value.and_then(|value| from_json(value.root())) {
                Ok(value) => ExtFunctionResult::Return(value),
                Err(error) => raise(ExcType::ValueError, error.to_string()),
            }
        }
        Outcome::Raise(Exception::ToolError, message) => raise(ExcType::RuntimeError, message),
        Outcome::Raise(Exception::TypeError, message) => raise(ExcType::TypeError, message),
        Outcome::Raise(Exception::ValueError, message) => raise(ExcType::ValueError, message),
    }
}
