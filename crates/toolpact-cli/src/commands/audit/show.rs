//! A line of an audit for people.

use std::time::Duration;

use anstyle::Style;
use toolpact::observe::LoggedCall;
use toolpact_audit::{Entry, Event, has_failed};
use toolpact_core::json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::output::{BOLD, ERROR, FINE, WARNING, printable};

/// Most characters of arguments and results.
const SHOWN: usize = 100;

const DIM: Style = Style::new().dimmed();

pub(super) fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Call(call) => self::call(call),
        Entry::Event { time, event } => {
            let (is_bad, text) = self::event(event);
            let style = if is_bad { WARNING } else { DIM };
            format!("{} {style}{}{style:#}", when(time), printable(&text))
        }
        _ => String::new(),
    }
}

fn call(call: &LoggedCall) -> String {
    let style = match &*call.outcome {
        "SUCCESS" => FINE,
        _ if has_failed(call) => ERROR,
        _ => WARNING,
    };
    let principal = call.principal.as_ref().map(ToString::to_string);
    let principal = principal.unwrap_or_else(|| "anonymous".to_owned());
    let (outcome, principal) = (column(&call.outcome, 18), column(&principal, 12));
    let (tool, time_taken) = (column(&call.tool, 20), took(call.took));
    let (time, details) = (when(&call.time), details(call));
    format!(
        "{time} {style}{outcome}{style:#} {principal} {BOLD}{tool}{BOLD:#} {time_taken:>9}{details}"
    )
}

fn details(call: &LoggedCall) -> String {
    let mut parts = String::new();
    let mut add = |name: &str, text: Option<&str>| {
        if let Some(text) = text {
            let shown: String = printable(text).chars().take(SHOWN).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            parts.push_str(&format!("  {DIM}{name}{DIM:#} {shown}{more}"));
        }
    };
    add("call", call.call_id.as_deref());
    add("cause", call.cause.as_deref());
    let broken = call.violations.join(", ");
    add("broken", (!broken.is_empty()).then_some(&*broken));
    if let Some(decision) = &call.decision {
        let verdict = serde_json::to_string(&decision.verdict).unwrap_or_default();
        let by = decision.policies.join(", ");
        add(
            verdict.trim_matches('"'),
            Some(if by.is_empty() { "by the guard" } else { &by }),
        );
        let approval = decision.approval.as_ref().map(|approval| {
            let reason = approval.reason.as_ref();
            let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
            format!("by {}, {}{reason}", approval.by, approval.time)
        });
        add("approval", approval.as_deref());
    }
    let attempts = call.attempts.to_string();
    add("attempts", (call.attempts > 1).then_some(&*attempts));
    add("args", call.args.as_ref().map(Value::text));
    add("result", call.result.as_ref().map(Value::text));
    add("id", call.invocation.as_deref());
    parts
}

fn event(event: &Event) -> (bool, String) {
    match event {
        Event::Opened { file, .. } => (false, format!("file {file} begins")),
        Event::Started { version, process } => (
            false,
            format!("toolpact {version} starts, process {process}"),
        ),
        Event::Torn { bytes, kept, .. } => (
            true,
            format!("a line was torn, of which {bytes} bytes are in {kept}"),
        ),
        Event::Missing { expected, found } => (
            true,
            match expected {
                Some(expected) => format!("lines are missing: expected {expected}, found {found}"),
                None => format!("lines may be missing after {found}"),
            },
        ),
        Event::Lost { calls, since } => (
            true,
            format!("{calls} calls could not be recorded since {since}"),
        ),
        Event::Quarantined {
            source,
            tools,
            more,
        } => {
            let named: Vec<String> = { tools.iter() }
                .map(|one| format!("`{}` is {}", one.tool, one.change))
                .collect();
            (
                true,
                format!(
                    "{source}: in quarantine: {}{}",
                    named.join(", "),
                    and_more(*more)
                ),
            )
        }
        Event::Released {
            source,
            tools,
            more,
        } => (
            false,
            format!(
                "{source}: no more in quarantine: {}{}",
                tools.join(", "),
                and_more(*more)
            ),
        ),
        Event::Removed { name, .. } => (false, format!("{name} is removed")),
        _ => (true, format!("{event:?}")),
    }
}

fn and_more(more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

/// `2026-11-18 12:30:05.123`, in UTC.
fn when(time: &str) -> String {
    let (day, time) = time.split_once('T').unwrap_or((time, ""));
    let time = time.trim_end_matches('Z');
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, ""));
    let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
    format!(
        "{DIM}{} {}.{millis}{DIM:#}",
        printable(day),
        printable(seconds)
    )
}

fn column(text: &str, width: usize) -> String {
    let text = printable(text);
    let rest = width.saturating_sub(text.width());
    text + &" ".repeat(rest)
}

fn took(took: Duration) -> String {
    match took.as_micros() {
        micros if micros < 1000 => format!("{micros} µs"),
        micros if micros < 1_000_000 => format!("{}.{} ms", micros / 1000, micros / 100 % 10),
        micros => format!("{}.{} s", micros / 1_000_000, micros / 100_000 % 10),
    }
}
