//! Shows what is another than a lock says.

use std::io::Write as _;

use toolpact_core::diff::ToolDiff;
use toolpact_core::lock::{Difference, DifferenceKind, Lock};

use super::Changed;
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable};

/// Most changes of a tool that are told one by one.
const SHOWN: usize = 10;

pub(super) fn write(
    lock: &Lock,
    changed: &[Changed<'_>],
    unknown: &[String],
    out: &mut Output,
) -> anyhow::Result<()> {
    for one in changed {
        let label = printable(&one.source.label);
        let new = match lock.source(&one.source.label) {
            Some(_) => "",
            None => ", which is not in the lock",
        };
        writeln!(out, "{BOLD}{label}{BOLD:#}{new}")?;
        for difference in &one.differences {
            write_one(difference, out)?;
            if let Some(diff) = meaning(lock, one, difference) {
                write_meaning(&diff, out)?;
            }
        }
    }
    for label in unknown {
        let tools = lock.source(label).map_or(0, |source| source.tools().len());
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}, which is not in the config: {}",
            printable(label),
            count(tools, "tool")
        )?;
    }
    Ok(())
}

fn write_one(difference: &Difference, out: &mut Output) -> anyhow::Result<()> {
    let tool = printable(difference.tool.as_str());
    match &difference.kind {
        DifferenceKind::Added => writeln!(out, "  {FINE}added{FINE:#}    {tool}")?,
        DifferenceKind::Removed => writeln!(out, "  {ERROR}removed{ERROR:#}  {tool}")?,
        DifferenceKind::RenamedFrom(was) => {
            writeln!(
                out,
                "  {WARNING}renamed{WARNING:#}  {tool}, which was {was}"
            )?;
        }
        DifferenceKind::RenamedTo(now) => {
            writeln!(
                out,
                "  {WARNING}renamed{WARNING:#}  {tool}, which is {now} now"
            )?;
        }
        _ => writeln!(out, "  {WARNING}changed{WARNING:#}  {tool}")?,
    }
    Ok(())
}

/// What a change means for those who use a tool that was there.
fn meaning(lock: &Lock, changed: &Changed<'_>, difference: &Difference) -> Option<ToolDiff> {
    let was = match &difference.kind {
        DifferenceKind::RenamedFrom(was) => was,
        DifferenceKind::Changed => &difference.tool,
        _ => return None,
    };
    let old = lock.source(&changed.source.label)?.get(was.as_str())?;
    let mut new = changed.source.contracts.iter().flatten();
    let new = new.find(|new| new.name() == &difference.tool)?;
    Some(ToolDiff::between(old.contract(), new))
}

fn write_meaning(diff: &ToolDiff, out: &mut Output) -> anyhow::Result<()> {
    for change in diff.changes().iter().take(SHOWN) {
        writeln!(out, "             {}", printable(&change.to_string()))?;
    }
    if let Some(more @ 1..) = diff.changes().len().checked_sub(SHOWN) {
        writeln!(out, "             and {}", count(more, "other change"))?;
    }
    Ok(())
}
