//! Shows what is another than a lock says.

use std::io::Write as _;

use toolpact_core::lock::{Difference, DifferenceKind, Lock};

use super::Changed;
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable};

/// Most places of a tool that are named.
const PLACES: usize = 8;

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
            writeln!(out, "  {WARNING}renamed{WARNING:#}  {tool}, which was {was}")?;
        }
        DifferenceKind::RenamedTo(now) => {
            writeln!(out, "  {WARNING}renamed{WARNING:#}  {tool}, which is {now} now")?;
        }
        _ => {
            writeln!(out, "  {WARNING}changed{WARNING:#}  {tool}")?;
            for place in difference.places.iter().take(PLACES) {
                writeln!(out, "             {}", printable(&place.to_string()))?;
            }
            if let Some(more @ 1..) = difference.places.len().checked_sub(PLACES) {
                writeln!(out, "             and {more} more")?;
            }
        }
    }
    Ok(())
}
