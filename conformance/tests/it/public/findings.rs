//! What `toolpact check` says of tools that work: a warning that everybody gets is noise.

use super::Source;
use conformance::reports;
use std::collections::{BTreeMap, HashSet};
use toolpact_core::Violation;

/// No finding is about more than a third of all tools.
pub(super) fn are_worth_acting_on(sources: &[Source]) {
    let tools: usize = sources.iter().map(|source| source.tools).sum();
    let mut report = format!(
        "Public tools: {tools} of {} servers and APIs, checked\n",
        sources.len()
    );
    for (code, with) in found(sources) {
        report += &format!("{with:>6}  of them with {code}\n");
        assert!(with * 3 <= tools, "{report}");
    }
    reports::write("public-tools", &report);
}

/// Where the tool is that a finding is about: `/tools/3`, `/paths/~1orders/get`, or a part that tools share,
/// `/components/schemas/Order`.
pub(super) fn tool_of(finding: &Violation) -> String {
    let place = finding.pointer().to_string();
    let steps = if place.starts_with("/tools/") { 2 } else { 3 };
    let end = place.match_indices('/').nth(steps).map(|(at, _)| at);
    place[..end.unwrap_or(place.len())].to_owned()
}

/// How many tools each code is about.
fn found(sources: &[Source]) -> BTreeMap<&'static str, usize> {
    let mut found: BTreeMap<&'static str, HashSet<(&str, String)>> = BTreeMap::new();
    for source in sources {
        for finding in &source.findings {
            found
                .entry(finding.code())
                .or_default()
                .insert((source.name, tool_of(finding)));
        }
    }
    found
        .into_iter()
        .map(|(code, tools)| (code, tools.len()))
        .collect()
}
