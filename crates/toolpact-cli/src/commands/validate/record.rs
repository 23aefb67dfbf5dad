use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use toolpact_core::violation::{Rule, rules};
use toolpact_core::{Violation, Violations};

use super::progress::Progress;
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable, thousands};
use crate::report::{pointer_for_people, violation_json};

/// The line counts of a stream.
pub(super) struct Tally {
    pub(super) name: String,
    /// The noun for one line.
    pub(super) noun: &'static str,
    /// Without blank lines.
    pub(super) lines: usize,
    /// How many of them have an error.
    pub(super) invalid: usize,
}

impl Tally {
    pub(super) fn new(name: &str, noun: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            noun,
            lines: 0,
            invalid: 0,
        }
    }
}

/// The findings of all streams: each violation is written at once, and counted for the summary.
pub(super) struct Record {
    report: Option<(String, BufWriter<File>)>,
    quiet: bool,
    progress: Progress,
    pub(super) errors: usize,
    by_rule: BTreeMap<&'static str, usize>,
    omitted: usize,
}

impl Record {
    pub(super) fn new(
        report: Option<&Path>,
        quiet: bool,
        progress: Progress,
    ) -> anyhow::Result<Self> {
        progress.begin();
        let report = report
            .map(|path| {
                let name = path.display().to_string();
                let file = File::create(path).with_context(|| format!("cannot write {name}"))?;
                anyhow::Ok((name, BufWriter::new(file)))
            })
            .transpose()?;
        Ok(Self {
            report,
            quiet,
            progress,
            errors: 0,
            by_rule: BTreeMap::new(),
            omitted: 0,
        })
    }

    pub(super) fn line(
        &mut self,
        tally: &mut Tally,
        number: usize,
        violations: &Violations,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        if violations.is_empty() {
            return Ok(());
        }
        self.errors += violations.errors();
        self.omitted += violations.omitted();
        tally.invalid += usize::from(violations.errors() > 0);
        for violation in violations {
            *self.by_rule.entry(violation.code()).or_default() += 1;
            self.details(&tally.name, number, violation)?;
        }
        if self.quiet {
            return Ok(());
        }
        self.progress
            .suspend(|| print(&tally.name, number, violations, out))
    }

    fn details(&mut self, file: &str, line: usize, violation: &Violation) -> anyhow::Result<()> {
        let Some((name, report)) = &mut self.report else {
            return Ok(());
        };
        let mut object = violation_json(violation);
        object["file"] = file.into();
        object["line"] = line.into();
        writeln!(report, "{object}").with_context(|| format!("cannot write {name}"))
    }

    pub(super) fn summarise<'a>(
        &mut self,
        tallies: impl Iterator<Item = &'a Tally>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        self.progress.finish();
        if let Some((name, report)) = &mut self.report {
            report
                .flush()
                .with_context(|| format!("cannot write {name}"))?;
        }
        if !self.by_rule.is_empty() && !self.quiet {
            writeln!(out)?;
        }
        for tally in tallies {
            let verdict = match tally.invalid {
                0 => format!("{FINE}all valid{FINE:#}"),
                invalid => format!("{ERROR}{} invalid{ERROR:#}", thousands(invalid)),
            };
            writeln!(
                out,
                "{}: {}, {verdict}",
                printable(&tally.name),
                count(tally.lines, tally.noun)
            )?;
        }
        self.table(out)
    }

    /// The violated rules, the most frequent first.
    fn table(&self, out: &mut Output) -> anyhow::Result<()> {
        if self.by_rule.is_empty() {
            return Ok(());
        }
        let mut rows: Vec<(&Rule, usize)> = self
            .by_rule
            .iter()
            .filter_map(|(code, n)| Some((rules::find(code)?, *n)))
            .collect();
        rows.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let width = rows
            .iter()
            .map(|(rule, _)| rule.code.len())
            .max()
            .unwrap_or(0);
        writeln!(
            out,
            "\n{BOLD}{:>9}  {:width$}  rule{BOLD:#}",
            "count", "code"
        )?;
        for (rule, n) in rows {
            writeln!(
                out,
                "{:>9}  {:width$}  {}",
                thousands(n),
                rule.code,
                rule.title
            )?;
        }
        if self.omitted > 0 {
            writeln!(
                out,
                "{:>9}  more, not listed (--max-violations)",
                thousands(self.omitted)
            )?;
        }
        Ok(())
    }
}

fn print(
    name: &str,
    number: usize,
    violations: &Violations,
    out: &mut Output,
) -> anyhow::Result<()> {
    for violation in violations {
        let column = violation.location().map_or(1, |location| location.column);
        let style = match violation.severity() {
            toolpact_core::Severity::Error => ERROR,
            toolpact_core::Severity::Warning => WARNING,
        };
        let name = printable(name);
        write!(out, "{BOLD}{name}:{number}:{column}:{BOLD:#} ")?;
        write!(
            out,
            "{style}{}[{}]{style:#}",
            violation.severity(),
            violation.code()
        )?;
        if !violation.pointer().is_root() {
            write!(out, " at {}", pointer_for_people(violation))?;
        }
        write!(out, ": {}", printable(violation.message()))?;
        match violation.suggestion() {
            Some(suggestion) => writeln!(out, "; {}", printable(&suggestion.text))?,
            None => writeln!(out)?,
        }
    }
    match violations.omitted() {
        0 => Ok(()),
        more => Ok(writeln!(
            out,
            "{name}:{number}: and {} more",
            thousands(more)
        )?),
    }
}
