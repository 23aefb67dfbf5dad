use std::io::Write;

use serde_json::{Value, json};
use toolpact_core::Violation;

use super::{FileReport, Reporter, Summary, ToolPaths, level};
use crate::output::Output;

/// `{"files": […], "summary": {…}}`, a file a line.
#[derive(Default)]
pub(super) struct Json {
    files: usize,
}

impl Reporter for Json {
    fn begin(&mut self, out: &mut Output) -> anyhow::Result<()> {
        Ok(write!(out, "{{\"files\": [")?)
    }

    fn file(&mut self, file: &FileReport<'_>, out: &mut Output) -> anyhow::Result<()> {
        let comma = if self.files == 0 { "" } else { "," };
        self.files += 1;
        let kinds: Vec<&str> = file.kinds.iter().map(|kind| kind.as_str()).collect();
        let violations: Vec<Value> = file.violations.iter().map(violation).collect();
        let mut report = json!({
            "path": file.name,
            "kinds": kinds,
            "violations": violations,
            "omitted": file.violations.omitted(),
        });
        if let Some(paths) = file.paths {
            report["paths"] = paths.iter().map(ToolPaths::json).collect();
        }
        Ok(write!(out, "{comma}\n{report}")?)
    }

    fn end(&mut self, summary: &Summary, out: &mut Output) -> anyhow::Result<()> {
        let summary = json!({
            "documents": summary.files,
            "errors": summary.errors,
            "warnings": summary.warnings,
            "skipped": summary.passed_over,
            "unread": summary.unread,
            "fixed": summary.fixed,
            "fixable": summary.fixable,
        });
        Ok(writeln!(out, "\n], \"summary\": {summary}}}")?)
    }
}

/// A violation as JSON. What is absent is left out.
pub(crate) fn violation(violation: &Violation) -> Value {
    let mut object = json!({
        "code": violation.code(),
        "severity": level(violation.severity()),
        "message": violation.message(),
        "pointer": violation.pointer().to_string(),
    });
    if let Some(pointer) = violation.schema_pointer() {
        object["schema_pointer"] = pointer.to_string().into();
    }
    if let Some(location) = violation.location() {
        object["line"] = location.line.into();
        object["column"] = location.column.into();
        object["span"] = json!([location.span.start, location.span.end]);
    }
    if let Some(suggestion) = violation.suggestion() {
        object["suggestion"] = suggestion.text.clone().into();
        if let Some(fix) = &suggestion.fix {
            let span = [fix.span.start, fix.span.end];
            object["fix"] = json!({ "span": span, "replacement": fix.replacement });
        }
    }
    object
}
