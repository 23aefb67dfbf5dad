//! What `toolpact check` says of tools that work: a warning that everybody gets is noise.

use super::Source;
use conformance::reports;
use std::collections::{BTreeMap, HashSet};
use toolpact_core::violation::Token;

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

/// How many tools each code is about.
fn found(sources: &[Source]) -> BTreeMap<&'static str, usize> {
    let mut found: BTreeMap<&'static str, HashSet<(&str, String)>> = BTreeMap::new();
    for source in sources {
        for finding in &source.findings {
            let tokens = finding.pointer().tokens();
            // `/tools/3`, or `/paths/~1orders/get`.
            let is_path = matches!(tokens.first(), Some(Token::Key(key)) if **key == *"paths");
            let tool = tokens.iter().take(if is_path { 3 } else { 2 });
            let tool: Vec<_> = tool.collect();
            let tool = format!("{tool:?}");
            found
                .entry(finding.code())
                .or_default()
                .insert((source.name, tool));
        }
    }
    found
        .into_iter()
        .map(|(code, tools)| (code, tools.len()))
        .collect()
}
