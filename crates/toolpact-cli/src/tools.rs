//! Loads the tools of files, whatever kind of document they are in, for every command that takes
//! tools.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::path::PathBuf;

use toolpact_core::dialect::{Import, ImportedTool, NotImported};
use toolpact_core::document::{AnyDocument, Detection, DocumentKind, parts};
use toolpact_core::json::{Document, Limits};
use toolpact_core::returns::Level;
use toolpact_core::toolset::Function;
use toolpact_core::violation::Checked;
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
    pub(crate) status: Status,
}

/// A tool that is left out of the result.
pub(crate) struct LeftOut {
    pub(crate) name: String,
    /// As a sentence.
    pub(crate) reason: String,
}

/// Reads all tools, each name once. Errors are reported on standard error, and the rest is read.
pub(crate) fn load(words: &[PathBuf], from: Option<DocumentKind>, limits: &Limits) -> Tools {
    load_for(words, from, limits, true)
}

/// The same; if it is not `told`, what was left out is only in the result.
pub(crate) fn load_for(
    words: &[PathBuf],
    from: Option<DocumentKind>,
    limits: &Limits,
    told: bool,
) -> Tools {
    let (mut list, mut left_out) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    let status = find(words).for_each(|source| {
        let (tools, mut status) = read(source, from, limits, told, &mut left_out)?;
        for tool in tools {
            let name = tool.contract.name().as_str();
            match names.take(name, source) {
                None => list.push(tool),
                Some(other) => {
                    let reason = format!(
                        "{other} has a tool of this name, and so has {}",
                        source.name()
                    );
                    if told {
                        say_left_out(name, &reason, &mut Output::stderr())?;
                    }
                    let name = name.to_owned();
                    left_out.push(LeftOut { name, reason });
                    status = Status::Wrong;
                }
            }
        }
        Ok(status)
    });
    // Unless something was already reported about a file.
    let is_empty = list.is_empty() && left_out.is_empty() && status == Status::Fine;
    if is_empty {
        complain(&anyhow::anyhow!("there are no tools in what was given"));
    }
    Tools {
        status: status.max(Status::wrong_if(is_empty || !left_out.is_empty())),
        list,
        files: names.0,
        left_out,
    }
}

/// The functions of all tools, prepared for calls and results. `None` if a file has errors, which
/// are then already reported, or if there are none.
pub(crate) fn functions(
    words: &[PathBuf],
    from: Option<DocumentKind>,
    level: Level,
    limits: &Limits,
    out: &mut Output,
) -> (Option<Vec<Function>>, Status) {
    let mut list = Vec::new();
    let mut names = Names::default();
    let status = find(words).for_each(|source| {
        let bytes = source.read()?;
        let document = source.parse(&bytes, limits);
        let is_readable = document.root().is_some();
        if source.found && from.is_none() && is_readable && !has_tools(&document) {
            return Ok(Status::Fine);
        }
        let checked = AnyDocument::check_each(&document, from);
        let documents = match without_others(checked, &document, from) {
            Ok(documents) => documents,
            Err(violations) => {
                report::explain(&source.name(), &document, &violations, out)?;
                return Ok(Status::Wrong);
            }
        };
        for function in documents.iter().flat_map(|one| one.functions(level)) {
            if let Some(other) = names.take(function.name(), source) {
                anyhow::bail!(
                    "the function `{}` is declared in {other} and in {}, and a call does not say which is \
                     meant; give the tools that belong together",
                    printable(function.name()),
                    source.name()
                );
            }
            list.push(function);
        }
        Ok(Status::Fine)
    });
    if list.is_empty() && status == Status::Fine {
        complain(&anyhow::anyhow!("there are no tools in what was given"));
        return (None, Status::Wrong);
    }
    ((status == Status::Fine).then_some(list), status)
}

/// The file of each name.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    /// Takes a name for a file, or returns the file that already has it.
    fn take(&mut self, name: &str, source: &Source) -> Option<&str> {
        match self.0.entry(name.to_owned()) {
            Entry::Vacant(free) => {
                free.insert(source.name());
                None
            }
            Entry::Occupied(taken) => Some(taken.into_mut()),
        }
    }
}

/// Whether a text is readable, and contains tools.
pub(crate) fn has_tools(document: &Document) -> bool {
    let has_tools = |found: Option<Detection>| found.is_some_and(|d| d.kind.dialect().is_some());
    let root = document.root();
    root.is_some_and(|root| parts(root).into_iter().any(|(_, found)| has_tools(found)))
}

/// The documents, or the violations: all of them must have tools.
fn without_others(
    checked: Checked<Vec<AnyDocument>>,
    document: &Document,
    from: Option<DocumentKind>,
) -> Result<Vec<AnyDocument>, Violations> {
    let documents = checked.into_result()?;
    let is_other = |one: &AnyDocument| one.kind().dialect().is_none();
    match documents.iter().any(is_other) {
        true => Import::read(document, from).map(|_| documents),
        false => Ok(documents),
    }
}

/// The tools of one file. Its errors are already reported; a tool that its provider runs is left
/// out without an error.
pub(crate) fn read(
    source: &Source,
    from: Option<DocumentKind>,
    limits: &Limits,
    told: bool,
    left_out: &mut Vec<LeftOut>,
) -> anyhow::Result<(Vec<ImportedTool>, Status)> {
    let bytes = source.read()?;
    let document = source.parse(&bytes, limits);
    let file = source.name();
    let import = match Import::read(&document, from) {
        Ok(import) => import,
        // A file that was found, not named, and has no tools is skipped.
        Err(violations) if source.found && from.is_none() && is_unknown(&violations) => {
            return Ok((Vec::new(), Status::Fine));
        }
        Err(violations) if told => {
            report::explain(&file, &document, &violations, &mut Output::stderr())?;
            return Ok((Vec::new(), Status::Wrong));
        }
        Err(violations) => {
            let reason = first_reason(&violations);
            left_out.push(LeftOut { name: file, reason });
            return Ok((Vec::new(), Status::Wrong));
        }
    };
    for bad in import.left_out() {
        let reason = match bad.is_hosted {
            true => NotImported::HOSTED.to_owned(),
            false => first_reason(&bad.violations),
        };
        match bad.is_hosted {
            _ if !told => {}
            true => say_left_out(
                &format!("{} ({file})", bad.name),
                NotImported::HOSTED,
                &mut Output::stderr(),
            )?,
            false => complain_about(&bad.name, &file, &bad.violations)?,
        }
        let name = bad.name.to_string();
        left_out.push(LeftOut { name, reason });
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

/// The first violation, as a sentence.
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
    match name.is_empty() {
        // The document is the tool.
        true => writeln!(out, "{ERROR}left out:{ERROR:#} {file}")?,
        false => writeln!(out, "{ERROR}left out:{ERROR:#} {name} ({file})")?,
    }
    let errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
    for violation in errors.take(5) {
        writeln!(out, "  {}", printable(&violation.to_string()))?;
    }
    Ok(())
}

/// Reports a tool that is left out of the result.
pub(crate) fn say_left_out(name: &str, reason: &str, out: &mut Output) -> anyhow::Result<()> {
    let (name, reason) = (printable(name), printable(reason));
    writeln!(out, "{ERROR}left out:{ERROR:#} {name}: {reason}")?;
    Ok(())
}
