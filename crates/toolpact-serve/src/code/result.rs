//! What came of a script, as the result of a tool.

use serde::Serialize;
use serde_json::value::RawValue;
use toolpact::code::{Finding, RunEnd, RunReport, ScriptError, TracedCall};
use toolpact::core::json::Value;
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::{Error, ToolError};

/// The result, as the contract has it.
#[derive(Serialize)]
struct Done<'a> {
    /// As it is written, so that no digit is lost.
    value: Box<RawValue>,
    printed: &'a str,
    calls: Vec<Called<'a>>,
}

#[derive(Serialize)]
struct Called<'a> {
    tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Found<'a> {
    line: u32,
    column: u32,
    rule: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct Failed<'a> {
    code: &'a str,
    message: &'a str,
    retryable: bool,
}

pub(super) fn of(report: RunReport) -> Result<Value, ToolError> {
    let RunReport {
        end,
        printed,
        trace,
        ..
    } = report;
    let calls: Vec<Called<'_>> = trace.iter().map(Called::of).collect();
    match end {
        Ok(end) => {
            let value = match &end {
                RunEnd::Value(value) => value.text(),
                RunEnd::Stopped(_) => "null",
            };
            let value = RawValue::from_string(value.to_owned())?;
            to_value(&Done {
                value,
                printed: &printed,
                calls,
            })
        }
        Err(error) => Err(failure(&error, &printed, &calls)),
    }
}

/// The error of a script says where it is, and what was done before.
fn failure(error: &Error, printed: &str, calls: &[Called<'_>]) -> ToolError {
    let Some(script) = error.script() else {
        return ToolError::new(ErrorKind::Internal, "").with_source(error.to_string());
    };
    let kind = match script {
        // The same script would fail again.
        ScriptError::Limit(_) => ErrorKind::BusinessRule,
        ScriptError::Declarations(_) => {
            return ToolError::new(ErrorKind::Internal, "").with_source(error.to_string());
        }
        _ => ErrorKind::WrongArgument,
    };
    let mut failed =
        StandardError::new(kind, &script.to_string()).with_detail("reason", script.code());
    if let Some(place) = script.position() {
        failed = failed.with_detail("line", i64::from(place.line));
    }
    let mut add = |key: &str, value: Result<Value, ToolError>| {
        if let Ok(value) = value {
            failed = failed.clone().with_detail(key, value);
        }
    };
    let findings = match script {
        ScriptError::Syntax(finding) => std::slice::from_ref(&**finding),
        ScriptError::Types(findings) => findings,
        _ => &[],
    };
    if !findings.is_empty() {
        let findings: Vec<Found<'_>> = findings.iter().map(Found::of).collect();
        add("findings", to_value(&findings));
    }
    if let ScriptError::Raised(raised) = script
        && let Some(failure) = &raised.failure
    {
        let failed = Failed {
            code: &failure.code,
            message: &failure.message,
            retryable: failure.retryable,
        };
        add("tool_error", to_value(&failed));
    }
    if !printed.is_empty() {
        add("printed", Ok(Value::from(printed)));
    }
    if !calls.is_empty() {
        add("calls", to_value(calls));
    }
    failed.into()
}

fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, ToolError> {
    Ok(Value::from_json(serde_json::to_vec(value)?)?)
}

impl<'a> Called<'a> {
    fn of(call: &'a TracedCall) -> Self {
        let error = call
            .outcome
            .as_ref()
            .and_then(|outcome| outcome.as_ref().err());
        Self {
            tool: &call.tool,
            error: error.map(StandardError::code),
        }
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding) -> Self {
        Self {
            line: finding.place.line,
            column: finding.place.column,
            rule: &finding.rule,
            message: &finding.message,
            hint: finding.hint.as_deref(),
        }
    }
}
