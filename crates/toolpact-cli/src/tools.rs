//! From the words of the command line to contracts, whatever dialect the tools are in.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::path::PathBuf;

use toolpact_core::Violations;
use toolpact_core::dialect::{self, Dialect, ImportedTool};
use toolpact_core::json::{Document, Limits};

use crate::files::{Source, find};
use crate::output::{ERROR, Output, complain, printable};
use crate::report::{FileReport, Human, Reporter};
use crate::status::Status;

/// The tools that could be read.
pub(crate) struct Tools {
    pub(crate) list: Vec<ImportedTool>,
    /// The files they are from, by name.
    pub(crate) files: HashMap<String, String>,
    /// Those that could not be, by name, and why.
    pub(crate) left_out: Vec<(String, String)>,
    pub(crate) status: Status,
}

/// Reads all tools, each name once. What is wrong is told on standard error, and the rest goes on.
pub(crate) fn load(words: &[PathBuf], from: Option<Dialect>, limits: &Limits) -> Tools {
    let (mut list, mut left_out) = (Vec::new(), Vec::new());
    let mut files = HashMap::new();
    let status = find(words).for_each(|source| {
        let (tools, mut status) = read(source, from, limits, &mut left_out)?;
        for tool in tools {
            let name = tool.contract.name().to_string();
            let file = source.name();
            if let Entry::Vacant(free) = files.entry(name.clone()) {
                free.insert(file);
                list.push(tool);
                continue;
            }
            let reason = format!("another file has a tool of this name; {file} is not the first");
            say_left_out(&name, &reason)?;
            left_out.push((name, reason));
            status = Status::Wrong;
        }
        Ok(status)
    });
    let mut tools = Tools {
        list,
        files,
        left_out,
        status,
    };
    // Unless that has been said of each file.
    if tools.list.is_empty() && tools.left_out.is_empty() && tools.status == Status::Fine {
        complain(&anyhow::anyhow!("there are no tools in what was given"));
        tools.status = Status::Wrong;
    }
    tools
}

/// The tools of one file. What is wrong with it has then been told.
pub(crate) fn read(
    source: &Source,
    from: Option<Dialect>,
    limits: &Limits,
    left_out: &mut Vec<(String, String)>,
) -> anyhow::Result<(Vec<ImportedTool>, Status)> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, limits);
    let file = source.name();
    let import = match from {
        Some(dialect) => dialect.import(&document),
        None => dialect::import(&document),
    };
    let import = match import {
        Ok(import) => import,
        // A file that was found and has nothing to do with tools is none of our business.
        Err(violations) if source.found && from.is_none() && is_unknown(&violations) => {
            return Ok((Vec::new(), Status::Fine));
        }
        Err(violations) => {
            tell(&file, &document, &violations)?;
            return Ok((Vec::new(), Status::Wrong));
        }
    };
    for bad in import.left_out() {
        complain_about(&bad.name, &file, &bad.violations)?;
        left_out.push((bad.name.to_string(), first_reason(&bad.violations)));
    }
    let status = Status::wrong_if(!import.left_out().is_empty());
    Ok((import.tools().to_vec(), status))
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
