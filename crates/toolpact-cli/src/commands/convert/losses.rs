//! What was lost, for people and for programs.

use std::io::Write;

use serde_json::{Value, json};
use toolpact_core::dialect::{Effect, Export, ExportedTool, Loss};

use super::LossFormat;
use crate::output::{BOLD, Output, WARNING, count, printable};
use crate::tools::{Tools, say_left_out};

/// Whether a loss changes which calls are valid, in a way that callers notice.
pub(crate) fn is_serious(loss: &Loss) -> bool {
    loss.matters()
}

pub(super) fn tell(format: LossFormat, tools: &Tools, export: &Export) -> anyhow::Result<()> {
    let mut out = Output::stderr();
    match format {
        LossFormat::Text => text(tools, export, &mut out),
        LossFormat::Json => {
            writeln!(out, "{}", json(tools, export))?;
            Ok(())
        }
    }
}

fn text(tools: &Tools, export: &Export, out: &mut Output) -> anyhow::Result<()> {
    for bad in export.left_out() {
        say_left_out(&bad.name, &bad.reason, out)?;
    }
    for tool in &tools.list {
        let losses = &tool.losses;
        let title = format!("{}, read as {}", tool.name, tool.dialect);
        section(&title, losses, out)?;
    }
    for tool in export.tools() {
        let title = format!("{} in {}", tool.contract().name(), export.dialect());
        section(&title, tool.losses(), out)?;
    }
    Ok(())
}

/// The losses of one tool, those that matter most first.
pub(crate) fn section(title: &str, losses: &[Loss], out: &mut Output) -> anyhow::Result<()> {
    if losses.is_empty() {
        return Ok(());
    }
    let serious = losses.iter().filter(|loss| is_serious(loss)).count();
    write!(
        out,
        "{BOLD}{}{BOLD:#}: {}",
        printable(title),
        count(losses.len(), "loss").replace("losss", "losses")
    )?;
    match serious {
        0 if losses.iter().any(Loss::changes_calls) => {
            writeln!(out, ", none of which callers notice")?;
        }
        0 => writeln!(out, ", none of which changes a call")?,
        1 => writeln!(out, ", {WARNING}1 changes which calls are valid{WARNING:#}")?,
        n => writeln!(
            out,
            ", {WARNING}{n} change which calls are valid{WARNING:#}"
        )?,
    }
    let mut sorted: Vec<&Loss> = losses.iter().collect();
    sorted.sort_by_key(|loss| (!is_serious(loss), loss.effect() == Effect::Documentation));
    for loss in sorted {
        writeln!(out, "  {}", printable(&loss.to_string()))?;
    }
    Ok(())
}

fn json(tools: &Tools, export: &Export) -> Value {
    let unread = tools.left_out.iter();
    let unread = unread.map(|bad| json!({"tool": bad.name, "reason": bad.reason}));
    let unwritten = export.left_out().iter();
    let unwritten = unwritten.map(|bad| json!({"tool": &*bad.name, "reason": bad.reason}));
    json!({
        "to": export.dialect().as_str(),
        "left_out": unread.chain(unwritten).collect::<Vec<_>>(),
        "read": tools.list.iter().flat_map(|tool| {
            let (name, from) = (&*tool.name, tool.dialect.as_str());
            tool.losses.iter().map(move |loss| {
                let mut loss = loss_json(name, loss);
                loss["from"] = from.into();
                loss
            })
        }).collect::<Vec<_>>(),
        "losses": export.tools().iter().flat_map(losses_json).collect::<Vec<_>>(),
    })
}

fn losses_json(tool: &ExportedTool) -> impl Iterator<Item = Value> {
    let name = tool.contract().name().as_str();
    tool.losses().iter().map(move |loss| loss_json(name, loss))
}

/// One loss as JSON.
pub(crate) fn loss_json(tool: &str, loss: &Loss) -> Value {
    json!({
        "tool": tool,
        "pointer": loss.pointer().to_string(),
        "kind": loss.kind().as_str(),
        "effect": loss.effect().as_str(),
        "changes_calls": loss.changes_calls(),
        "matters": is_serious(loss),
        "lost": loss.lost(),
        "instead": loss.instead(),
    })
}
