//! How often lint is wrong about tools that are as they should be.
//!
//! Nobody attacks anybody with the public tools, so an alarm about them is false, unless it was read by hand and
//! held to be right: `lint-right.txt` has each of those with the reason.

#![expect(clippy::panic, reason = "this is how a test fails")]

use super::Source;
use super::findings::tool_of;
use super::table::compare;
use conformance::reports;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use toolpact_core::violation::rules;

/// Of all tools, in percent.
const MOST_FALSE: f64 = 2.0;
/// Fewer tools show nothing.
const FEWEST: usize = 300;

/// A rule, a source, and the tool of the source that it is about, or the part that tools share.
type Alarm = (&'static str, &'static str, String);

pub(super) fn is_seldom_wrong(sources: &[Source]) {
    let tools: usize = sources.iter().map(|source| source.tools).sum();
    assert!(tools >= FEWEST, "{tools}");
    assert!(sources.iter().all(|source| source.lint.omitted() == 0));
    let alarms = alarms(sources);
    let right = right();
    let is_right = |(rule, source, tool): &Alarm| {
        right.contains(&(rule.to_string(), (*source).to_owned(), tool.clone()))
    };
    let stale: Vec<_> = right
        .iter()
        .filter(|(rule, source, tool)| {
            !alarms
                .iter()
                .any(|(r, s, t)| (*r, *s, t) == (rule.as_str(), source.as_str(), tool))
        })
        .collect();
    assert!(
        stale.is_empty(),
        "held to be right, but no alarm any more: {stale:?}"
    );
    let mut table = format!(
        "Lint of {tools} public tools of {} servers and APIs: alarms, of these right, false of all tools\n",
        sources.len()
    );
    let mut all_false: BTreeSet<(&str, &str)> = BTreeSet::new();
    for rule in rules::FAMILIES
        .iter()
        .flat_map(|family| family.rules)
        .filter(|rule| rule.code.starts_with("lint-"))
    {
        let own: Vec<&Alarm> = alarms
            .iter()
            .filter(|(code, _, _)| *code == rule.code)
            .collect();
        let wrong: Vec<&&Alarm> = own.iter().filter(|alarm| !is_right(alarm)).collect();
        let share = percent(wrong.len(), tools);
        let when = if rule.on_request { "if asked for" } else { "" };
        writeln!(
            table,
            "{:<28} {:>5} {:>5} {share:>6.2} %  {when}",
            rule.code,
            own.len(),
            own.len() - wrong.len()
        )
        .unwrap();
        if !rule.on_request {
            assert!(share < MOST_FALSE, "{}\n{wrong:#?}", rule.code);
            all_false.extend(
                wrong
                    .iter()
                    .map(|(_, source, tool)| (*source, tool.as_str())),
            );
        }
    }
    let share = percent(all_false.len(), tools);
    writeln!(
        table,
        "tools with a false alarm of a rule that need not be asked for: {}, {share:.2} %",
        all_false.len()
    )
    .unwrap();
    for (source, tool) in &all_false {
        writeln!(table, "  {source} {tool}").unwrap();
    }
    reports::write("lint", &table);
    assert!(share < MOST_FALSE, "{table}");
    compare("lint.txt", &table);
}

/// Each tool once for a rule.
fn alarms(sources: &[Source]) -> BTreeSet<Alarm> {
    let all = sources.iter().flat_map(|source| {
        let found = source.lint.iter();
        found.map(|finding| (finding.code(), source.name, tool_of(finding)))
    });
    all.collect()
}

/// The alarms that were read by hand and held to be right.
fn right() -> BTreeSet<(String, String, String)> {
    let lines = include_str!("lint-right.txt").lines();
    let alarms = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    alarms
        .map(|line| {
            alarm(line)
                .unwrap_or_else(|| panic!("expected `rule source tool: reason`, found {line}"))
        })
        .collect()
}

fn alarm(line: &str) -> Option<(String, String, String)> {
    let (alarm, reason) = line.split_once(": ")?;
    let mut words = alarm.splitn(3, ' ').map(str::to_owned);
    let all = (words.next()?, words.next()?, words.next()?);
    (reason.split(' ').count() > 2).then_some(all)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "there are thousands, not quadrillions"
)]
fn percent(some: usize, all: usize) -> f64 {
    some as f64 * 100.0 / all as f64
}
