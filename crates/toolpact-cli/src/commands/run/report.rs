//! Reports a run, as text and as JSON.

use std::io::Write as _;

use toolpact::Error;
use toolpact::code::{RunEnd, RunReport, TracedCall, TracedValue};

use super::json;
use crate::output::{ERROR, FINE, Output, WARNING, visible};
use crate::status::Status;

/// A script that was only checked, and is valid.
pub(super) fn sound(ignores: bool, as_json: bool, out: &mut Output) -> anyhow::Result<Status> {
    if as_json {
        writeln!(out, "{}", json::sound(ignores)?)?;
        return Ok(Status::Fine);
    }
    warn_of_ignores(ignores)?;
    writeln!(out, "{FINE}ok{FINE:#}: the script keeps to the contracts")?;
    Ok(Status::Fine)
}

/// A script that could not start, or was refused.
pub(super) fn error(error: &Error, as_json: bool, out: &mut Output) -> anyhow::Result<Status> {
    match as_json {
        true => writeln!(out, "{}", json::refused(error)?)?,
        false => tell(error)?,
    }
    Ok(status_of(error))
}

/// A script that ran.
pub(super) fn ran(
    ran: &RunReport,
    as_json: bool,
    trace: bool,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let status = ran.end.as_ref().err().map_or(Status::Fine, status_of);
    if as_json {
        writeln!(out, "{}", json::ran(ran)?)?;
        return Ok(status);
    }
    write!(out, "{}", visible(&ran.printed))?;
    if !ran.printed.is_empty() && !ran.printed.ends_with('\n') {
        writeln!(out)?;
    }
    out.flush()?;
    warn_of_ignores(ran.ignores)?;
    if trace {
        ran.trace.iter().try_for_each(tell_call)?;
    }
    match &ran.end {
        Ok(RunEnd::Value(value)) if value.text() != "null" => {
            writeln!(out, "{}", visible(&value.to_pretty()))?;
        }
        Ok(_) => {}
        Err(error) => tell(error)?,
    }
    Ok(status)
}

fn status_of(error: &Error) -> Status {
    match error.is_script_fault() {
        true => Status::Wrong,
        false => Status::CouldNotRun,
    }
}

fn tell(error: &Error) -> anyhow::Result<()> {
    let code = error.code();
    let text = visible(&error.to_string());
    // The code is not repeated.
    let text = text.strip_prefix(&format!("{code}: ")).unwrap_or(&text);
    // A traceback begins on a line of its own.
    let gap = if text.starts_with("Traceback") {
        "\n"
    } else {
        " "
    };
    writeln!(
        Output::stderr(),
        "{ERROR}error[{code}]:{ERROR:#}{gap}{text}"
    )?;
    Ok(())
}

fn warn_of_ignores(ignores: bool) -> anyhow::Result<()> {
    if ignores {
        let what = "comments in the script kept the type checker from looking";
        writeln!(Output::stderr(), "{WARNING}warning:{WARNING:#} {what}")?;
    }
    Ok(())
}

fn tell_call(record: &TracedCall) -> anyhow::Result<()> {
    let outcome = match &record.outcome {
        Some(Ok(value)) => format!("-> {}", traced(value)),
        Some(Err(error)) => format!("!! {}: {}", error.code(), short(error.message())),
        None => "-- not answered".to_owned(),
    };
    let (tool, args, ms) = (&record.tool, traced(&record.args), record.took.as_millis());
    let line = visible(&format!("{tool} {args} {outcome}"));
    writeln!(Output::stderr(), "{line} ({ms} ms)")?;
    Ok(())
}

fn traced(value: &TracedValue) -> String {
    match value {
        TracedValue::Whole(value) => short(value.text()),
        other => format!("({} bytes)", other.bytes()),
    }
}

/// Enough to recognise it.
fn short(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.replace('\n', " ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
