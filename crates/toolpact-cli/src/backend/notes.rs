//! What those see who debug a tool: why its call failed, with all that models are not told.

use toolpact::{Completed, ToolError};
use toolpact_core::Violation;
use toolpact_core::returns::ErrorKind;

/// One note a line; none if the call succeeded, or its answer says it all.
pub(super) fn of(completed: &Completed) -> Vec<String> {
    let Some(error) = completed.error() else {
        return Vec::new();
    };
    if error.kind() == ErrorKind::ContractViolation && !completed.violations().is_empty() {
        return completed.violations().iter().map(broken).collect();
    }
    of_cause(error)
}

/// The rule, the place in what the tool gave, what was expected and what was found.
fn broken(violation: &Violation) -> String {
    let place = match violation.pointer().is_root() {
        true => String::new(),
        false => format!(" at {}", violation.pointer()),
    };
    let advice = violation
        .suggestion()
        .map(|suggestion| format!("; {}", suggestion.text));
    let (code, message) = (violation.code(), violation.message());
    format!("{code}{place}: {message}{}", advice.unwrap_or_default())
}

fn of_cause(error: &ToolError) -> Vec<String> {
    let Some(source) = error.source() else {
        return Vec::new();
    };
    let mut notes: Vec<String> = source.to_string().lines().map(str::to_owned).collect();
    let program = source.downcast_ref::<toolpact::Error>();
    match program.and_then(toolpact::Error::stderr) {
        None => {}
        Some("") => notes.push("it wrote nothing to standard error".to_owned()),
        Some(stderr) => {
            notes.push("standard error ends:".to_owned());
            notes.extend(stderr.lines().map(|line| format!("  {line}")));
        }
    }
    notes
}
