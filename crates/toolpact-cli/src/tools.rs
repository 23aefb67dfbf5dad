//! From the words of the command line to contracts, whatever dialect the tools are in.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use toolpact_core::Violations;
use toolpact_core::dialect::{self, Dialect, ImportedTool};
use toolpact_core::json::{Document, Limits};

use crate::files::{self, Source};
use crate::output::{ERROR, Output, printable};
use crate::report::{FileReport, Human, Reporter};
use crate::status::Status;

/// The tools that could be read.
pub(crate) struct Tools {
    pub(crate) list: Vec<ImportedTool>,
    /// Those that could not be, by name, and why.
    pub(crate) left_out: Vec<(String, String)>,
    pub(crate) status: Status,
}

/// Reads all tools. What is wrong is told on standard error, and the rest goes on.
pub(crate) fn load(words: &[PathBuf], from: Option<Dialect>, limits: &Limits) -> Tools {
    let mut tools = Tools {
        list: Vec::new(),
        left_out: Vec::new(),
        status: Status::Fine,
    };
    let mut names = HashSet::new();
    let status =
        files::find(words).for_each(|source| one(source, from, limits, &mut names, &mut tools));
    tools.status = tools.status.max(status);
    tools
}

fn one(
    source: &Source,
    from: Option<Dialect>,
    limits: &Limits,
    names: &mut HashSet<String>,
    tools: &mut Tools,
) -> anyhow::Result<Status> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, limits);
    let file = source.name();
    let read = match from {
        Some(dialect) => dialect.import(&document),
        None => dialect::import(&document),
    };
    let import = match read {
        Ok(import) => import,
        Err(violations) => {
            // A file that was found and has nothing to do with tools is none of our business.
            if source.found
                && from.is_none()
                && !document.text().is_empty()
                && is_unknown(&violations)
            {
                return Ok(Status::Fine);
            }
            tell(&file, &document, &violations)?;
            return Ok(Status::Wrong);
        }
    };
    let mut status = Status::Fine;
    for bad in import.left_out() {
        let reason = first_reason(&bad.violations);
        complain_about(&bad.name, &file, &bad.violations)?;
        tools.left_out.push((bad.name.to_string(), reason));
        status = Status::Wrong;
    }
    for imported in import.tools().iter().cloned() {
        let name = imported.contract.name().to_string();
        if names.insert(name.clone()) {
            tools.list.push(imported);
        } else {
            let reason = format!("another file has a tool of this name; {file} is not the first");
            say_left_out(&name, &reason)?;
            tools.left_out.push((name, reason));
            status = Status::Wrong;
        }
    }
    Ok(status)
}

fn is_unknown(violations: &Violations) -> bool {
    violations
        .iter()
        .all(|violation| violation.code() == "unknown-document")
}

fn tell(file: &str, document: &Document, violations: &Violations) -> anyhow::Result<()> {
    let report = FileReport {
        name: file,
        text: document.text(),
        kinds: &[],
        violations,
        paths: None,
    };
    Human.file(&report, &mut Output::stderr())
}

/// The first thing that is wrong, as a sentence.
fn first_reason(violations: &Violations) -> String {
    let first = violations
        .iter()
        .find(|v| v.severity() == toolpact_core::Severity::Error);
    first.map_or_else(String::new, |violation| {
        format!("{}: {}", violation.pointer(), violation.message())
    })
}

fn complain_about(name: &str, file: &str, violations: &Violations) -> anyhow::Result<()> {
    let mut out = Output::stderr();
    let (name, file) = (printable(name), printable(file));
    writeln!(out, "{ERROR}left out:{ERROR:#} {name} ({file})")?;
    let errors = violations
        .iter()
        .filter(|v| v.severity() == toolpact_core::Severity::Error);
    for violation in errors.take(5) {
        writeln!(out, "  {}", printable(&violation.to_string()))?;
    }
    Ok(())
}

/// Names a tool that is not part of the result.
pub(crate) fn say_left_out(name: &str, reason: &str) -> anyhow::Result<()> {
    let (name, reason) = (printable(name), printable(reason));
    writeln!(
        Output::stderr(),
        "{ERROR}left out:{ERROR:#} {name}: {reason}"
    )?;
    Ok(())
}
