//! What would be lost in each of the target dialects.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Export, Loss};
use toolpact_core::document::DocumentKind;
use toolpact_core::json::Limits;

use crate::commands::convert::{is_serious, loss_json};
use crate::output::{BOLD, ERROR, FINE, Output, WARNING, count, printable};
use crate::report::Format;
use crate::status::Status;
use crate::tools::{self, Tools};

/// What to report.
pub(super) struct Targets<'a> {
    pub(super) dialects: &'a [Dialect],
    pub(super) files: &'a [PathBuf],
    pub(super) from: Option<DocumentKind>,
    pub(super) format: Format,
    pub(super) deny_warnings: bool,
}

pub(super) fn run(
    targets: &Targets<'_>,
    limits: &Limits,
    out: &mut Output,
) -> anyhow::Result<Status> {
    anyhow::ensure!(
        matches!(targets.format, Format::Human | Format::Json),
        "--targets goes with --format human and json only"
    );
    let tools = tools::load(targets.files, targets.from, limits);
    let contracts: Vec<&Contract> = tools.list.iter().map(|t| &t.contract).collect();
    let exports = targets.dialects.iter();
    let exports: Vec<Export> = exports
        .map(|d| d.export(contracts.iter().copied()))
        .collect();
    match targets.format {
        Format::Json => writeln!(out, "{}", to_json(&tools, &exports))?,
        _ => human(&exports, contracts.len(), out)?,
    }
    let left_out = exports.iter().any(|export| !export.left_out().is_empty());
    let denied = targets.deny_warnings && exports.iter().any(|e| serious(e).next().is_some());
    Ok(tools.status.max(Status::wrong_if(left_out || denied)))
}

/// The losses that change which calls are valid, each with its tool.
fn serious(export: &Export) -> impl Iterator<Item = (&str, &Loss)> {
    export.tools().iter().flat_map(|tool| {
        let losses = tool.losses().iter().filter(|loss| is_serious(loss));
        losses.map(|loss| (tool.contract().name().as_str(), loss))
    })
}

fn human(exports: &[Export], tools: usize, out: &mut Output) -> anyhow::Result<()> {
    for export in exports {
        let dialect = export.dialect();
        let bad = export.left_out().len();
        let losses = serious(export).count();
        write!(
            out,
            "{BOLD}{dialect}{BOLD:#}: {}",
            count(tools - bad, "tool")
        )?;
        match losses {
            0 => write!(out, ", {FINE}no calls change meaning{FINE:#}")?,
            1 => write!(out, ", {WARNING}1 loss that changes calls{WARNING:#}")?,
            n => write!(out, ", {WARNING}{n} losses that change calls{WARNING:#}")?,
        }
        match bad {
            0 => writeln!(out)?,
            n => writeln!(out, ", {ERROR}{n} left out{ERROR:#}")?,
        }
        for bad in export.left_out() {
            writeln!(
                out,
                "  {ERROR}{}{ERROR:#}: {}",
                bad.name,
                printable(&bad.reason)
            )?;
        }
        for (tool, loss) in serious(export) {
            writeln!(out, "  {tool}: {}", printable(&loss.to_string()))?;
        }
    }
    Ok(())
}

fn to_json(tools: &Tools, exports: &[Export]) -> Value {
    let targets: Vec<Value> = exports
        .iter()
        .map(|export| {
            let losses = export.tools().iter().flat_map(|tool| {
                let name = tool.contract().name().as_str();
                tool.losses().iter().map(move |loss| loss_json(name, loss))
            });
            let left_out = export.left_out().iter();
            let left_out = left_out.map(|bad| json!({"tool": &*bad.name, "reason": bad.reason}));
            json!({
                "dialect": export.dialect().as_str(),
                "tools": export.tools().len(),
                "left_out": left_out.collect::<Vec<_>>(),
                "losses": losses.collect::<Vec<_>>(),
            })
        })
        .collect();
    let unread = tools.left_out.iter();
    let unread = unread.map(|bad| json!({"tool": bad.name, "reason": bad.reason}));
    json!({"unread": unread.collect::<Vec<_>>(), "for": targets})
}
