//! What is told of tools in quarantine: in the log, a line each, and in the audit, one line.

use toolpact::core::lock::{Difference, DifferenceKind};
use toolpact::core::model::Digest;
use toolpact_audit::{AuditEvents, Event, QuarantinedTool};

use super::LOGGED;

/// Tells what is not as the lock says, and was not told before.
pub(super) fn tell(
    source: &str,
    now: &[Difference],
    before: &[Difference],
    events: Option<&AuditEvents>,
) {
    let new: Vec<&Difference> = now.iter().filter(|one| !before.contains(one)).collect();
    new.iter().take(LOGGED).for_each(|one| log(source, one));
    if let Some(more @ 1..) = new.len().checked_sub(LOGGED) {
        tracing::warn!(source, more, "more tools are not as the lock says");
    }
    let (quarantined, rest) = split(new.into_iter().filter(|one| one.is_there()));
    if !quarantined.is_empty() {
        record(
            events,
            &Event::Quarantined {
                source: source.to_owned(),
                tools: quarantined.into_iter().map(recorded).collect(),
                more: rest,
            },
        );
    }
    let is_still = |one: &Difference| {
        now.iter()
            .any(|other| other.is_there() && other.tool == one.tool)
    };
    let released = before.iter().filter(|one| one.is_there() && !is_still(one));
    let (released, rest) = split(released);
    if let Some(first) = released.first() {
        tracing::info!(source, tool = %first.tool, "tools are in quarantine no more");
        record(
            events,
            &Event::Released {
                source: source.to_owned(),
                tools: released.iter().map(|one| one.tool.to_string()).collect(),
                more: rest,
            },
        );
    }
}

fn log(source: &str, difference: &Difference) {
    let (tool, kind) = (&difference.tool, difference.kind.as_str());
    let text = |digest: Option<Digest>| digest.map(|digest| digest.to_string());
    let (locked, found) = (text(difference.locked), text(difference.found));
    match &difference.kind {
        DifferenceKind::Removed | DifferenceKind::RenamedTo(_) => {
            let why = difference.to_string();
            tracing::warn!(source, %tool, kind, why, locked, "a tool of the lock is not there");
        }
        _ => {
            let why = difference.to_string();
            tracing::warn!(
                source, %tool, kind, why, locked, found,
                "a tool is in quarantine, since it is not what the lock says; `toolpact lock` shows what is another, \
                 and accepts it"
            );
        }
    }
}

/// The first of them, and how many more there are.
fn split<'d>(all: impl Iterator<Item = &'d Difference>) -> (Vec<&'d Difference>, usize) {
    let mut all: Vec<&Difference> = all.collect();
    let more = all.len().saturating_sub(LOGGED);
    all.truncate(LOGGED);
    (all, more)
}

fn recorded(difference: &Difference) -> QuarantinedTool {
    let text = |digest: Option<Digest>| digest.map(|digest| digest.to_string());
    let places = difference.places.iter().take(LOGGED);
    QuarantinedTool {
        tool: difference.tool.to_string(),
        change: difference.kind.as_str().to_owned(),
        locked: text(difference.locked),
        found: text(difference.found),
        places: places.map(ToString::to_string).collect(),
    }
}

fn record(events: Option<&AuditEvents>, event: &Event) {
    if let Some(events) = events {
        events.write(event);
    }
}
