//! For pull requests.

use std::io::Write;

use toolpact_core::diff::{Change, WitnessKind};

use super::{Report, around, sorted, title};
use crate::output::{Output, count, visible};

pub(super) fn write(report: &Report<'_>, out: &mut Output) -> anyhow::Result<()> {
    let tools = count(report.diff.tools().len(), "tool");
    let bump = report.diff.version_bump();
    writeln!(
        out,
        "**{tools}**: {}. Next version: **{bump}**.",
        report.counts()
    )?;
    for tool in report.changed() {
        writeln!(out, "\n### {}: {}\n", code(&title(tool)), tool.verdict())?;
        for change in sorted(tool) {
            write_change(change, out)?;
        }
    }
    Ok(())
}

fn write_change(change: &Change, out: &mut Output) -> anyhow::Result<()> {
    let (verdict, concern) = (change.verdict(), change.concern());
    writeln!(
        out,
        "- **{verdict}** for {concern}: {}",
        escaped(change.message())
    )?;
    if let Some(witness) = change.witness() {
        let words = match witness.kind() {
            WitnessKind::Call => "was accepted and is not",
            WitnessKind::Result => "is possible and was not",
            WitnessKind::Promise => "is not promised for",
        };
        let (value, reason) = (code(witness.value().text()), escaped(witness.reason()));
        writeln!(out, "  - {words}: {value}\n  - {reason}")?;
    }
    let texts = [change.before(), change.after()].map(|value| value?.root().as_str());
    if let [Some(before), Some(after)] = texts {
        let [before, after] = around(&before, &after);
        writeln!(out, "  - was {}\n  - is {}", code(&before), code(&after))?;
    }
    Ok(())
}

/// Text in a span of code, whatever is in it.
fn code(text: &str) -> String {
    let text = visible(text).replace('\n', " ");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    match text.starts_with('`') || text.ends_with('`') {
        true => format!("{fence} {text} {fence}"),
        false => format!("{fence}{text}{fence}"),
    }
}

/// Text in which only code means something.
fn escaped(text: &str) -> String {
    let (mut escaped, mut is_code) = (String::new(), false);
    // A mark that nobody closes begins no code.
    let has_code = text.matches('`').count().is_multiple_of(2);
    for c in visible(text).replace('\n', " ").chars() {
        is_code ^= has_code && c == '`';
        let means_something = matches!(
            c,
            '<' | '>' | '*' | '_' | '[' | ']' | '\\' | '|' | '#' | '@'
        );
        if means_something && !is_code {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
