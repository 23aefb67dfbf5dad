//! What every script can use besides the tools. `toolpact::code` has the declarations.

use monty_types::{ExcType, MontyException, MontyObject};
use toolpact::code::ToolFailure;
use toolpact::core::json::Value;

use crate::guard::STOP;
use crate::value::from_json;

pub(crate) const TASK: &str = "tool_task";
pub(crate) const ERROR: &str = "tool_error";

/// What a name means that the script does not define, besides the tools.
pub(crate) fn lookup(name: &str) -> Option<MontyObject> {
    match name {
        TASK | ERROR | STOP => Some(function(name)),
        _ => None,
    }
}

pub(crate) fn function(name: &str) -> MontyObject {
    MontyObject::Function {
        name: name.to_owned(),
        docstring: None,
    }
}

/// `tool_error(error)`: what a tool raised, taken apart.
pub(crate) fn tool_error(args: &[MontyObject]) -> Result<MontyObject, MontyException> {
    let [MontyObject::Exception { exc_type, arg }] = args else {
        let message = "tool_error() takes one exception".to_owned();
        return Err(MontyException::new(ExcType::TypeError, Some(message)));
    };
    let message = arg.as_deref().unwrap_or_default();
    let failure = (*exc_type == ExcType::RuntimeError)
        .then(|| ToolFailure::from_message(message))
        .flatten();
    let failure = failure.ok_or_else(|| {
        let message = format!("tool_error(): this is not of a tool: {exc_type}: {message}");
        MontyException::new(ExcType::ValueError, Some(message))
    })?;
    let details = Value::from_json(&failure.details).ok();
    let details = details.and_then(|details| from_json(details.root()).ok());
    let members = [
        ("code", MontyObject::String(failure.code)),
        ("message", MontyObject::String(failure.message)),
        (
            "details",
            details.unwrap_or_else(|| MontyObject::dict(Vec::new())),
        ),
        ("retryable", MontyObject::Bool(failure.retryable)),
    ];
    let members = members.map(|(key, value)| (MontyObject::String(key.to_owned()), value));
    Ok(MontyObject::dict(Vec::from(members)))
}
