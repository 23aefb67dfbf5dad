//! For programs.

use std::io::Write;

use serde_json::{Value, json};
use toolpact_core::Pointer;
use toolpact_core::diff::{Change, ToolDiff, Verdict};
use toolpact_core::violation::Location;

use super::{Report, sorted};
use crate::output::Output;
use crate::report::{annotation, region, uri};

pub(super) fn json(report: &Report<'_>, out: &mut Output) -> anyhow::Result<()> {
    let mut whole = serde_json::to_value(report.diff)?;
    whole["old"] = json!(report.old.name);
    whole["new"] = json!(report.new.name);
    out.write_foreign(&serde_json::to_string_pretty(&whole)?);
    Ok(writeln!(out)?)
}

pub(super) fn sarif(report: &Report<'_>, out: &mut Output) -> anyhow::Result<()> {
    let results: Vec<Value> = each(report)
        .map(|(tool, change)| {
            json!({
                "ruleId": change.kind().code(),
                "level": level(change.verdict()),
                "message": { "text": format!("{}: {change}", tool.name()) },
                "locations": [location(report, tool, change)],
            })
        })
        .collect();
    let driver = json!({ "name": "toolpact", "version": env!("CARGO_PKG_VERSION") });
    let whole = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "results": results }],
    });
    out.write_foreign(&serde_json::to_string_pretty(&whole)?);
    Ok(writeln!(out)?)
}

pub(super) fn github(report: &Report<'_>, out: &mut Output) -> anyhow::Result<()> {
    for (tool, change) in each(report) {
        let level = match level(change.verdict()) {
            "note" => "notice",
            other => other,
        };
        let title = format!("{}: {}", tool.name(), change.verdict());
        let place = place(report, tool, change);
        let place = place.as_ref().map(|(file, place)| (*file, Some(place)));
        let line = annotation(level, place, &title, &change.to_string());
        out.write_foreign(&line);
        writeln!(out)?;
    }
    Ok(())
}

fn each<'r>(report: &'r Report<'_>) -> impl Iterator<Item = (&'r ToolDiff, &'r Change)> {
    let tools = report.changed().into_iter();
    tools.flat_map(|tool| sorted(tool).into_iter().map(move |change| (tool, change)))
}

/// As SARIF has it. What is in no file has only a name.
fn location(report: &Report<'_>, tool: &ToolDiff, change: &Change) -> Value {
    let part = part(change).map(ToString::to_string).unwrap_or_default();
    let logical = json!([{ "fullyQualifiedName": format!("{}{part}", tool.name()) }]);
    let mut whole = json!({ "logicalLocations": logical });
    if let Some((file, place)) = place(report, tool, change) {
        let file = json!({ "uri": uri(file) });
        whole["physicalLocation"] = json!({ "artifactLocation": file, "region": region(&place) });
    }
    whole
}

/// Where the change is in a file, or the tool was.
fn place<'r>(report: &Report<'r>, tool: &ToolDiff, change: &Change) -> Option<(&'r str, Location)> {
    match tool.new_name() {
        Some(name) => report.new.place(name, part(change)),
        None => report.old.place(tool.name(), part(change)),
    }
}

fn part(change: &Change) -> Option<&Pointer> {
    change.new_place().or(change.old_place())
}

/// The words of SARIF.
fn level(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Breaking => "error",
        Verdict::Unknown => "warning",
        Verdict::Compatible | Verdict::Documentation | Verdict::Same => "note",
    }
}
