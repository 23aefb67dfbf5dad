//! The fast path report: which tools are checked in one pass, and why others are not.

use std::io::Write;

use serde_json::{Value, json};
use toolpact_core::document::AnyDocument;
use toolpact_core::returns::Level;
use toolpact_core::toolset::Path;

use crate::output::{BOLD, Output, printable};

/// How the calls and the results of one tool are checked.
pub(crate) struct ToolPaths {
    tool: String,
    arguments: Path,
    result: Path,
}

impl ToolPaths {
    /// The paths of every tool in a document.
    pub(crate) fn of(document: &AnyDocument) -> Vec<Self> {
        let functions = document.functions(Level::Meaning);
        functions
            .into_iter()
            .map(|function| Self {
                tool: function.name().to_owned(),
                arguments: function.arguments_path(),
                result: function.result_path(),
            })
            .collect()
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "tool": self.tool,
            "arguments": json_of(&self.arguments),
            "result": json_of(&self.result),
        })
    }
}

/// For people.
pub(super) fn print(file: &str, paths: &[ToolPaths], out: &mut Output) -> anyhow::Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    writeln!(out, "{file}:")?;
    for paths in paths {
        writeln!(out, "  {BOLD}{}{BOLD:#}", printable(&paths.tool))?;
        writeln!(out, "    arguments: {}", paths.arguments)?;
        writeln!(out, "    result: {}", paths.result)?;
    }
    Ok(writeln!(out)?)
}

fn json_of(path: &Path) -> Value {
    match path {
        Path::Fast => json!({ "path": "fast" }),
        Path::Explained(uncovered) => json!({
            "path": "explained",
            "why": uncovered.why,
            "pointer": uncovered.pointer.to_string(),
        }),
        _ => json!({ "path": "unchecked" }),
    }
}
