//! The tools of files, whatever kind of document they are in. Every command that takes tools loads
//! them here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::path::PathBuf;

use toolpact_core::dialect::{Import, ImportedTool};
use toolpact_core::document::DocumentKind;
use toolpact_core::json::Limits;
use toolpact_core::{Severity, Violations};

use crate::files::{Source, find};
use crate::output::{ERROR, Output, complain, printable};
use crate::report;
use crate::status::Status;

/// The tools that could be read.
pub(crate) struct Tools {
    pub(crate) list: Vec<ImportedTool>,
    /// The files they are from, by name.
    pub(crate) files: HashMap<String, String>,
    /// Those that could not be read.
    pub(crate) left_out: Vec<LeftOut>,
    /// Whether there are tools, and nothing is wrong with the files. Tools that their provider runs
    /// are left out, and valid.
    pub(crate) are_valid: bool,
    pub(crate) status: Status,
}

/// A tool that is not part of the result.
pub(crate) struct LeftOut {
    pub(crate) name: String,
    pub(crate) reason: String,
}

/// Reads all tools, each name once. What is wrong is told on standard error, and the rest goes on.
pub(crate) fn load(words: &[PathBuf], from: Option<DocumentKind>, limits: &Limits) -> Tools {
    let (mut list, mut left_out) = (Vec::new(), Vec::new());
    let mut files: HashMap<String, String> = HashMap::new();
    let status = find(words).for_each(|source| {
        let (tools, mut status) = read(source, from, limits, &mut left_out)?;
        for tool in tools {
            let file = source.name();
            match files.entry(tool.contract.name().to_string()) {
                Entry::Vacant(free) => {
                    free.insert(file);
                    list.push(tool);
                }
                Entry::Occupied(taken) => {
                    let reason =
                        format!("{} has a tool of this name, and so has {file}", taken.get());
                    say_left_out(taken.key(), &reason)?;
                    left_out.push(LeftOut {
                        name: taken.key().clone(),
                        reason,
                    });
                    status = Status::Wrong;
                }
            }
        }
        Ok(status)
    });
    // Unless something has been said of each file.
    let is_empty = list.is_empty() && left_out.is_empty() && status == Status::Fine;
    if is_empty {
        complain(&anyhow::anyhow!("there are no tools in what was given"));
    }
    Tools {
        are_valid: !list.is_empty() && status == Status::Fine,
        status: status.max(Status::wrong_if(is_empty || !left_out.is_empty())),
        list,
        files,
        left_out,
    }
}

/// The tools of one file. What is wrong with it has then been told; a tool that its provider runs is
/// left out without being wrong.
pub(crate) fn read(
    source: &Source,
    from: Option<DocumentKind>,
    limits: &Limits,
    left_out: &mut Vec<LeftOut>,
) -> anyhow::Result<(Vec<ImportedTool>, Status)> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, limits);
    let file = source.name();
    let import = match Import::read(&document, from) {
        Ok(import) => import,
        // A file that was found and has no tools in it is none of our business.
        Err(violations) if source.found && from.is_none() && is_unknown(&violations) => {
            return Ok((Vec::new(), Status::Fine));
        }
        Err(violations) => {
            report::explain(&file, &document, &violations, &mut Output::stderr())?;
            return Ok((Vec::new(), Status::Wrong));
        }
    };
    for bad in import.left_out() {
        complain_about(&bad.name, &file, &bad.violations)?;
        left_out.push(LeftOut {
            name: bad.name.to_string(),
            reason: first_reason(&bad.violations),
        });
    }
    let is_broken = import.left_out().iter().any(|bad| !bad.is_hosted);
    let status = Status::wrong_if(is_broken);
    Ok((import.tools().to_vec(), status))
}

fn is_unknown(violations: &Violations) -> bool {
    violations
        .iter()
        .all(|violation| violation.code() == "unknown-document")
}

/// The first thing that is wrong, as a sentence.
fn first_reason(violations: &Violations) -> String {
    let mut errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
    errors.next().map_or_else(String::new, |violation| {
        format!("{}: {}", violation.pointer(), violation.message())
    })
}

fn complain_about(name: &str, file: &str, violations: &Violations) -> anyhow::Result<()> {
    let mut out = Output::stderr();
    let (name, file) = (printable(name), printable(file));
    writeln!(out, "{ERROR}left out:{ERROR:#} {name} ({file})")?;
    let errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
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
