//! A run as one JSON object. Values are written unchanged, so that no digit is lost.

use serde::Serialize;
use serde_json::value::RawValue;
use toolpact::Error;
use toolpact::code::{Finding, RunEnd, RunReport, ScriptError, TracedCall, TracedValue};

pub(super) fn sound(ignores: bool) -> serde_json::Result<String> {
    let whole = Whole {
        ok: true,
        ignores_types: Some(ignores),
        ..Whole::default()
    };
    serde_json::to_string(&whole)
}

pub(super) fn refused(error: &Error) -> serde_json::Result<String> {
    let whole = Whole {
        error: Some(Problem::of(error)?),
        ..Whole::default()
    };
    serde_json::to_string(&whole)
}

pub(super) fn ran(ran: &RunReport) -> serde_json::Result<String> {
    let mut whole = Whole {
        ok: ran.end.is_ok(),
        printed: Some(&ran.printed),
        ignores_types: Some(ran.ignores),
        trace: Some(ran.trace.iter().map(Called::of).collect::<Result<_, _>>()?),
        ..Whole::default()
    };
    match &ran.end {
        Ok(RunEnd::Value(value)) => whole.value = Some(raw(value.text())?),
        Ok(RunEnd::Stopped(_)) => whole.stopped = Some(true),
        Err(error) => whole.error = Some(Problem::of(error)?),
    }
    serde_json::to_string(&whole)
}

#[derive(Default, Serialize)]
struct Whole<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignores_types: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<Called<'a>>>,
}

#[derive(Serialize)]
struct Called<'a> {
    tool: &'a str,
    args: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
    ms: u128,
}

#[derive(Serialize)]
struct Problem<'a> {
    code: &'a str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Found<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exception: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_error: Option<Failed<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    line: u32,
    column: u32,
    rule: &'a str,
    message: &'a str,
    source: &'a str,
    tools: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct Failed<'a> {
    code: &'a str,
    message: &'a str,
    details: Box<RawValue>,
    retryable: bool,
}

impl<'a> Called<'a> {
    fn of(record: &'a TracedCall) -> serde_json::Result<Self> {
        let (value, error) = match &record.outcome {
            Some(Ok(value)) => (Some(traced(value)?), None),
            Some(Err(error)) => (None, Some(raw(&error.to_json())?)),
            None => (None, None),
        };
        Ok(Self {
            tool: &record.tool,
            args: traced(&record.args)?,
            value,
            error,
            ms: record.took.as_millis(),
        })
    }
}

impl<'a> Problem<'a> {
    fn of(error: &'a Error) -> serde_json::Result<Self> {
        let findings = match error.script() {
            Some(ScriptError::Syntax(finding)) => std::slice::from_ref(&**finding),
            Some(ScriptError::Types(findings)) => findings,
            _ => &[],
        };
        let raised = match error.script() {
            Some(ScriptError::Raised(raised)) => Some(&**raised),
            _ => None,
        };
        let failed = raised.and_then(|raised| raised.failure.as_ref());
        let failed = failed.map(|failure| {
            Ok::<_, serde_json::Error>(Failed {
                code: &failure.code,
                message: &failure.message,
                details: raw(&failure.details)?,
                retryable: failure.retryable,
            })
        });
        Ok(Self {
            code: error.code(),
            message: error.to_string(),
            findings: findings.iter().map(Found::of).collect(),
            exception: raised.map(|raised| &*raised.exception),
            tool_error: failed.transpose()?,
        })
    }
}

impl<'a> Found<'a> {
    fn of(finding: &'a Finding) -> Self {
        Self {
            line: finding.place.line,
            column: finding.place.column,
            rule: &finding.rule,
            message: &finding.message,
            source: &finding.source,
            tools: &finding.tools,
            hint: finding.hint.as_deref(),
        }
    }
}

/// A value of the trace. One that was not kept is an object of one key that names no value.
fn traced(value: &TracedValue) -> serde_json::Result<Box<RawValue>> {
    match value {
        TracedValue::Whole(value) => raw(value.text()),
        other => raw(&format!("{{\"omitted_bytes\":{}}}", other.bytes())),
    }
}

fn raw(json: &str) -> serde_json::Result<Box<RawValue>> {
    // On one line, like the rest.
    RawValue::from_string(json.replace('\n', ""))
}
