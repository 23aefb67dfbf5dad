//! The report of a replay for people.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use anstyle::Style;
use toolpact_audit::{Difference, Verdict};
use toolpact_core::json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::run::{ReplayedCall, Report};
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable};

/// Most characters of a value.
const SHOWN: usize = 60;

/// Most places that are told of a call, and most calls of a tool.
const MOST: usize = 10;

const DIM: Style = Style::new().dimmed();

/// One line for each tool, and below it what has changed.
pub(super) fn write(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let mut calls: BTreeMap<&str, Vec<&ReplayedCall>> = BTreeMap::new();
    for call in &report.calls {
        calls.entry(&call.tool).or_default().push(call);
    }
    for tool in &report.tools {
        calls.entry(&tool.name).or_default();
    }
    let width = calls.keys().map(|name| printable(name).width()).max();
    for (name, calls) in calls {
        tool(report, name, &calls, width.unwrap_or(0), out)?;
    }
    for name in &report.added {
        writeln!(
            out,
            "{DIM}new, and not in the record: {}{DIM:#}",
            printable(name)
        )?;
    }
    summary(report, out)
}

fn tool(
    report: &Report,
    name: &str,
    calls: &[&ReplayedCall],
    width: usize,
    out: &mut Output,
) -> anyhow::Result<()> {
    let of_tool = report.tools.iter().find(|tool| tool.name == name);
    let contract = of_tool
        .map(|tool| tool.verdict)
        .filter(|verdict| verdict.is_change());
    if calls.is_empty() && contract.is_none() {
        return Ok(());
    }
    let mut parts = counts(calls.iter().map(|call| call.verdict));
    if let Some(verdict) = contract
        && !calls.iter().any(|call| call.verdict == verdict)
    {
        parts.push(styled(verdict, verdict.words()));
    }
    let shown = printable(name);
    let space = " ".repeat(width.saturating_sub(shown.width()));
    let made = count(calls.len(), "call");
    writeln!(
        out,
        "{BOLD}{shown}{BOLD:#}{space}  {made:<9}  {}",
        parts.join(", ")
    )?;
    let differences = of_tool.map(|tool| &*tool.differences).unwrap_or_default();
    for difference in differences.iter().take(MOST) {
        writeln!(out, "  the contract {}", line_of(difference))?;
    }
    if let more @ 1.. = differences.len().saturating_sub(MOST) {
        writeln!(out, "  and {}", count(more, "more place"))?;
    }
    details(calls, out)
}

/// The calls that changed, and why others were not made: each reason once.
fn details(calls: &[&ReplayedCall], out: &mut Output) -> anyhow::Result<()> {
    let changed: Vec<_> = calls
        .iter()
        .filter(|call| call.verdict.is_change())
        .collect();
    for call in changed.iter().take(MOST) {
        self::call(call, out)?;
    }
    if let more @ 1.. = changed.len().saturating_sub(MOST) {
        writeln!(out, "  and {}", count(more, "more call"))?;
    }
    let compared = || {
        calls
            .iter()
            .filter_map(|call| Some(&call.judged.as_ref()?.compared))
    };
    let volatile: BTreeSet<&String> = compared().flat_map(|compared| &compared.volatile).collect();
    let redacted: BTreeSet<&String> = compared().flat_map(|compared| &compared.redacted).collect();
    if !volatile.is_empty() {
        writeln!(out, "  {DIM}volatile: {}{DIM:#}", list(&volatile))?;
    }
    if !redacted.is_empty() {
        writeln!(
            out,
            "  {DIM}redacted, so not compared: {}{DIM:#}",
            list(&redacted)
        )?;
    }
    let mut not_made: BTreeMap<&str, usize> = BTreeMap::new();
    let left = calls
        .iter()
        .filter(|call| call.verdict == Verdict::NotReplayed);
    for reason in left.flat_map(|call| &call.reasons) {
        *not_made.entry(reason).or_default() += 1;
    }
    for (reason, times) in not_made {
        let (calls, reason) = (count(times, "call"), printable(reason));
        writeln!(out, "  {DIM}{calls} not replayed: {reason}{DIM:#}")?;
    }
    Ok(())
}

fn list(places: &BTreeSet<&String>) -> String {
    let shown = places
        .iter()
        .take(MOST)
        .map(|place| printable(whole(place)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match places.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn call(call: &ReplayedCall, out: &mut Output) -> anyhow::Result<()> {
    let args = call.args.as_ref().map(short).unwrap_or_default();
    let words = styled(call.verdict, call.verdict.words());
    writeln!(
        out,
        "  {args}  {words}  {DIM}{}{DIM:#}",
        printable(&call.place)
    )?;
    let compared = call.judged.as_ref().map(|judged| &judged.compared);
    let changed = compared
        .map(|compared| &*compared.changed)
        .unwrap_or_default();
    for difference in changed.iter().take(MOST) {
        writeln!(out, "    {}", line_of(difference))?;
    }
    let more = compared.map_or(0, |compared| compared.more);
    if let more @ 1.. = changed.len().saturating_sub(MOST) + more {
        writeln!(out, "    and {}", count(more, "more place"))?;
    }
    for reason in &call.reasons {
        writeln!(out, "    {}", printable(reason))?;
    }
    Ok(())
}

fn line_of(difference: &Difference) -> String {
    let side = |value: &Option<Value>| value.as_ref().map_or_else(|| "nothing".to_owned(), short);
    let place = printable(whole(&difference.place));
    format!(
        "{place}: {} before, {} now",
        side(&difference.before),
        side(&difference.now)
    )
}

/// The root has no name.
fn whole(place: &str) -> &str {
    match place {
        "" => "(all of it)",
        place => place,
    }
}

fn short(value: &Value) -> String {
    let text = printable(value.text());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn summary(report: &Report, out: &mut Output) -> anyhow::Result<()> {
    let made = count(report.replayed(), "call");
    let verdicts = report.calls.iter().map(|call| call.verdict);
    let (left, done): (Vec<_>, Vec<_>) =
        verdicts.partition(|verdict| *verdict == Verdict::NotReplayed);
    let parts = [
        counts(done.into_iter()).join(", "),
        counts(left.into_iter()).join(""),
    ];
    let parts: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    let parts = parts.join("; ");
    let changed = report.tools.iter().filter(|tool| tool.verdict.is_change());
    match (report.is_fine(), report.replayed()) {
        (true, _) => writeln!(out, "{FINE}fine:{FINE:#} {made} made again: {parts}")?,
        (false, 0) if changed.count() == 0 => {
            let none = "no call was made again, so nothing is known";
            writeln!(
                out,
                "{WARNING}nothing to compare:{WARNING:#} {none}: {parts}"
            )?;
        }
        (false, _) => writeln!(out, "{ERROR}changed:{ERROR:#} {made} made again: {parts}")?,
    }
    Ok(())
}

/// `3 same, 1 failed`, from the best to the worst.
fn counts(verdicts: impl Iterator<Item = Verdict>) -> Vec<String> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
    }
    let counts = counts.into_iter();
    counts
        .map(|(verdict, times)| styled(verdict, &format!("{times} {}", verdict.words())))
        .collect()
}

fn styled(verdict: Verdict, words: &str) -> String {
    let style = match verdict {
        Verdict::Same | Verdict::Volatile => FINE,
        Verdict::NotReplayed => DIM,
        _ => ERROR,
    };
    format!("{style}{words}{style:#}")
}
