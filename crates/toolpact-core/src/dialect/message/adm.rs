//! ADM messages. Those that others write may have an identifier, and ours have none.

use crate::json::report::Report;
use crate::json::{Kind, Limits, Value, Writer};
use crate::model::{CALL_ID, FunctionCall, ToolName, ToolResult};
use crate::{Pointer, Violations};

use super::{Answer, CallId, arguments};

const ARGS: &str = "args";

pub(super) fn call(name: &ToolName, args: &Value) -> Value {
    let mut writer = Writer::default();
    writer.begin_object().key("name").string(name.as_str());
    writer.key(ARGS).raw(args.text()).end_object();
    Value::trusted(writer)
}

/// As strict as ADM, except that arguments may be JSON text.
pub(super) fn read_call(message: &Value) -> Result<(Option<CallId>, ToolName, Value), Violations> {
    let root = message.root();
    let text = root.get(ARGS).filter(|args| args.kind() == Kind::String);
    let mut report = Report::new(1);
    let read = match text {
        Some(text) => arguments::read(Some(text), ARGS, &mut report)?,
        None => None,
    };
    let call = match read {
        Some(args) => FunctionCall::from_value(&with_args(message, &args))?,
        None => FunctionCall::from_value(message)?,
    };
    Ok((id(message), call.name().clone(), call.args().clone()))
}

/// The same message with other arguments.
fn with_args(message: &Value, args: &Value) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    for (key, value) in message.root().members() {
        let value = if key == ARGS { args.root() } else { value };
        writer.key(&key).raw(value.text());
    }
    writer.end_object();
    Value::trusted(writer)
}

pub(super) fn read_result(message: &Value, name: Option<&ToolName>) -> Result<Answer, Violations> {
    let result = ToolResult::from_value(message)?;
    if let Some(name) = name.filter(|name| *name != result.name()) {
        let mut report = Report::new(Limits::default().violations);
        if let Some(node) = message.root().get("name") {
            crate::model::report_mismatch(node, result.name(), name, &mut report);
        }
        return Err(report.finish_value(message, &Pointer::root()));
    }
    Ok(Answer {
        id: id(message),
        ..result.into()
    })
}

/// The identifier, which has been checked.
fn id(message: &Value) -> Option<CallId> {
    let id = message.root().get(CALL_ID)?.as_str()?;
    Some((&*id).into())
}
