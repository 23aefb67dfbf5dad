//! Views of a result that are assembled from JSON.

use serde::Serialize;
use serde_json::value::RawValue;
use toolpact_core::json::Value;
use toolpact_core::model::{ErrorObject, ToolName, ToolResult};
use toolpact_core::returns::types::{ListResult, StandardResult as _};
use toolpact_core::returns::{ErrorKind, Outcome, Reports, Returns, StandardError, StandardType};

use crate::ToolError;

/// What a result that was checked says came of the work.
pub(crate) fn outcome(returns: &Returns, value: impl FnOnce() -> Option<Value>) -> Outcome {
    let reports = match returns {
        Returns::Standard { standard, .. } => standard.reports(),
        _ => Reports::Nothing,
    };
    // Most types have no other, which need not be read for it.
    if !matches!(reports, Reports::Batch | Reports::Status) {
        return Outcome::Success;
    }
    let outcome = value().and_then(|value| returns.outcome(value.root()).ok());
    outcome.unwrap_or(Outcome::Success)
}

/// For a result that was checked and cannot be written any more.
pub(crate) fn unwritable(name: ToolName) -> ToolResult {
    let error = StandardError::new(ErrorKind::Internal, "");
    ToolResult::Error {
        name,
        error: ErrorObject::from(&error),
    }
}

/// The result that reported the failure, or else `{"success": false, "error": …}`, with what a list
/// needs besides.
pub(crate) fn error_envelope(returns: &Returns, error: &ToolError) -> Value {
    if let Some(result) = error.result() {
        return result.clone();
    }
    let error = error.as_standard();
    if let Returns::Standard {
        standard: StandardType::ListResult,
        ..
    } = returns
        && let Ok(list) = ListResult::<Value>::failure(error.clone()).to_value()
    {
        return list;
    }
    let json = format!(r#"{{"success":false,"error":{}}}"#, error.to_json());
    Value::from_json(json).unwrap_or_else(|_| Value::from(()))
}

/// `{"tool": …, "input": …, "output": …}`
pub(crate) fn record(tool: &str, input: &[u8], key: &str, outcome: &[u8]) -> Value {
    #[derive(Serialize)]
    struct Record<'a> {
        tool: &'a str,
        input: Option<Box<RawValue>>,
        #[serde(flatten)]
        outcome: std::collections::BTreeMap<&'a str, Option<Box<RawValue>>>,
    }
    let raw = |json: &[u8]| {
        let text = String::from_utf8_lossy(json).into_owned();
        RawValue::from_string(text).ok()
    };
    let record = Record {
        tool,
        input: raw(input),
        outcome: [(key, raw(outcome))].into(),
    };
    let json = serde_json::to_string(&record).unwrap_or_default();
    Value::from_json(json).unwrap_or_else(|_| Value::from(()))
}

/// The text of an ADM result with this content, which is JSON.
pub(crate) fn adm_success(name: &str, content: &[u8]) -> Vec<u8> {
    let (mut out, after) = adm_around(name);
    out.reserve_exact(content.len() + after.len());
    out.extend_from_slice(content);
    out.extend_from_slice(after);
    out
}

/// What is around the content of such a result.
pub(crate) fn adm_around(name: &str) -> (Vec<u8>, &'static [u8]) {
    // The name of a tool needs no escapes.
    let before = format!(r#"{{"name":"{name}","status":"SUCCESS","content":"#);
    (before.into_bytes(), b"}")
}

/// The text of a result with an error. A name that no tool can have is written as it is.
pub(crate) fn adm_failure(name: &str, error: &StandardError) -> Vec<u8> {
    let object = ErrorObject::from(error);
    match ToolName::new(name) {
        Ok(name) => ToolResult::Error {
            name,
            error: object,
        }
        .to_json()
        .into_bytes(),
        Err(_) => {
            let name = Value::from(name);
            let error = object.to_json();
            format!(r#"{{"name":{name},"status":"ERROR","error":{error}}}"#).into_bytes()
        }
    }
}
