//! Parameters of requests, and what is wrong with them.

use rmcp::model::{ErrorData, JsonObject, ProtocolVersion};
use toolpact::core::json::Value;

/// What the parameters of a method look like, for the methods that a version has.
pub(super) fn expected(method: &str, version: Option<&ProtocolVersion>) -> Option<&'static str> {
    let sessions = version.is_none_or(ProtocolVersion::has_initialize);
    Some(match method {
        "tools/call" => "an object with the text `name` and the object `arguments`",
        "tools/list" => "an object with the text `cursor`, or nothing",
        "initialize" if sessions => {
            "an object with `protocolVersion`, `capabilities`, and `clientInfo` with `name` and \
             `version`"
        }
        "subscriptions/listen" if !sessions => "an object with the object `notifications`",
        _ => return None,
    })
}

pub(super) fn malformed(method: &str, expected: &str) -> ErrorData {
    let message = format!("expected the `params` of `{method}` to be {expected}");
    ErrorData::invalid_params(message, None)
}

/// The arguments of a call as a value that can be checked.
pub(super) fn value(arguments: Option<JsonObject>) -> Result<Value, ErrorData> {
    let json = match arguments {
        Some(arguments) => serde_json::to_string(&arguments).map_err(|_| unreadable())?,
        None => "{}".to_owned(),
    };
    Value::from_json(json).map_err(|_| unreadable())
}

fn unreadable() -> ErrorData {
    ErrorData::invalid_params("expected `arguments` to be an object", None)
}
