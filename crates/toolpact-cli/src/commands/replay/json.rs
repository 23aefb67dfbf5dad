//! The report of a replay for programs.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use toolpact_audit::{Difference, Verdict};

use super::run::{ReplayedCall, Report};

/// All of it.
pub(super) fn write(report: &Report) -> anyhow::Result<String> {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for call in &report.calls {
        *counts.entry(call.verdict).or_default() += 1;
    }
    let tools = report.tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "verdict": tool.verdict,
            "contract": tool.differences.iter().map(difference).collect::<Vec<_>>(),
        })
    });
    let whole = json!({
        "fine": report.is_fine(),
        "replayed": report.replayed(),
        "verdicts": counts,
        "tools": tools.collect::<Vec<_>>(),
        "added": report.added,
        "calls": report.calls.iter().map(json_call).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&whole)?)
}

fn json_call(call: &ReplayedCall) -> Json {
    let compared = call.judged.as_ref().map(|judged| &judged.compared);
    let mut whole = json!({
        "tool": call.tool,
        "place": call.place,
        "args": call.args,
        "verdict": call.verdict,
        "reasons": call.reasons,
    });
    if let Some(compared) = compared {
        whole["changed"] = compared.changed.iter().map(difference).collect();
        whole["more"] = compared.more.into();
        whole["volatile"] = compared.volatile.iter().map(String::as_str).collect();
        whole["redacted"] = compared.redacted.iter().map(String::as_str).collect();
    }
    whole
}

fn difference(difference: &Difference) -> Json {
    let mut told = json!({"place": difference.place});
    for (key, value) in [("before", &difference.before), ("now", &difference.now)] {
        if let Some(value) = value {
            told[key] = json!(value);
        }
    }
    told
}
