//! For people: a paragraph for each tool that changed, the worst first.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use toolpact_core::diff::{Change, ToolDiff, Verdict, VersionBump, Witness, WitnessKind};
use toolpact_core::json::Kind;

use super::{Report, around, sorted, title};
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable};

const DIM: Style = Style::new().dimmed();
const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();

pub(super) fn write(report: &Report<'_>, out: &mut Output) -> anyhow::Result<()> {
    for tool in report.changed() {
        write_tool(tool, out)?;
    }
    let tools = count(report.diff.tools().len(), "tool");
    let style = style(report.diff.verdict());
    write!(out, "{tools}: {style}{}{style:#}", report.counts())?;
    match report.diff.version_bump() {
        VersionBump::None => writeln!(out)?,
        bump => writeln!(out, "; next version: {BOLD}{bump}{BOLD:#}")?,
    }
    Ok(())
}

fn write_tool(tool: &ToolDiff, out: &mut Output) -> anyhow::Result<()> {
    let (verdict, name) = (tool.verdict(), printable(&title(tool)));
    let style = style(verdict);
    writeln!(out, "{BOLD}{name}{BOLD:#}  {style}{verdict}{style:#}")?;
    for change in sorted(tool) {
        write_change(change, out)?;
    }
    Ok(writeln!(out)?)
}

fn write_change(change: &Change, out: &mut Output) -> anyhow::Result<()> {
    let verdict = change.verdict();
    let (style, sign) = (style(verdict), sign(verdict));
    let concern = format!("{:<9}", change.concern().name());
    let message = printable(change.message());
    writeln!(
        out,
        "  {style}{sign}{style:#} {DIM}{concern}{DIM:#} {message}"
    )?;
    if let Some(witness) = change.witness() {
        write_witness(witness, out)?;
    }
    let texts = [change.before(), change.after()].map(|value| {
        let value = value.filter(|value| value.kind() == Kind::String)?;
        value.root().as_str()
    });
    if let (Verdict::Documentation, [Some(before), Some(after)]) = (verdict, texts) {
        let [before, after] = around(&before, &after).map(|text| printable(&text));
        writeln!(out, "    {OLD}-{OLD:#} {before}")?;
        writeln!(out, "    {NEW}+{NEW:#} {after}")?;
    }
    Ok(())
}

fn write_witness(witness: &Witness, out: &mut Output) -> anyhow::Result<()> {
    let (first, second) = match witness.kind() {
        WitnessKind::Call => ("was accepted", "and is not"),
        WitnessKind::Result => ("is possible", "and was not"),
        WitnessKind::Promise => ("for the call", "not promised"),
    };
    let value = shortened(witness.value().text());
    let reason = printable(witness.reason());
    writeln!(out, "    {DIM}{first}:{DIM:#} {value}")?;
    writeln!(
        out,
        "    {DIM}{second:>width$}:{DIM:#} {reason}",
        width = first.len()
    )?;
    Ok(())
}

/// Whole witnesses are in the JSON.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    printable(&shown)
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Breaking => ERROR,
        Verdict::Unknown => WARNING,
        Verdict::Compatible | Verdict::Same => FINE,
        Verdict::Documentation => BOLD,
    }
}

fn sign(verdict: Verdict) -> char {
    match verdict {
        Verdict::Breaking => '✗',
        Verdict::Unknown => '?',
        Verdict::Compatible | Verdict::Same => '✓',
        Verdict::Documentation => '·',
    }
}
