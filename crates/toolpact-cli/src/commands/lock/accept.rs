//! Takes what was accepted into a lock.

use toolpact_core::lock::{Difference, DifferenceKind, Lock, LockedSource};
use toolpact_core::violation::nearest;

use super::Changed;

/// Takes the differences of these names, or all, and returns how many that were. Nothing is taken if one of the names
/// means nothing.
pub(super) fn accept(
    lock: &mut Lock,
    changed: &[Changed<'_>],
    unknown: &[String],
    names: Option<&[String]>,
) -> Result<usize, Vec<String>> {
    if let Some(names) = names {
        let wrong = meaningless(changed, unknown, names);
        if !wrong.is_empty() {
            return Err(wrong);
        }
    }
    let is_wanted = |label: &str, tool: Option<&str>| {
        names.is_none_or(|names| names.iter().any(|name| means(name, label, tool)))
    };
    let mut accepted = 0;
    for one in changed {
        let label = &one.source.label;
        let was_there = lock.source(label).is_some();
        let source = lock.source_mut(label);
        for difference in &one.differences {
            if is_wanted(label, Some(difference.tool.as_str())) {
                take(source, one, difference);
                accepted += 1;
            }
        }
        if source.tools().len() == 0 && !was_there && !is_wanted(label, None) {
            lock.remove_source(label);
        }
    }
    for label in unknown.iter().filter(|label| is_wanted(label, None)) {
        lock.remove_source(label);
        accepted += 1;
    }
    Ok(accepted)
}

fn take(source: &mut LockedSource, changed: &Changed<'_>, difference: &Difference) {
    let name = difference.tool.as_str();
    match &difference.kind {
        DifferenceKind::Removed | DifferenceKind::RenamedTo(_) => source.remove(name),
        _ => {
            let contracts = changed.source.contracts.iter().flatten();
            if let Some(contract) = contracts
                .into_iter()
                .find(|one| one.name().as_str() == name)
            {
                source.set(contract.clone());
            }
        }
    }
}

/// What is said of names that are of nothing that has changed.
fn meaningless(changed: &[Changed<'_>], unknown: &[String], names: &[String]) -> Vec<String> {
    let labels = changed.iter().map(|one| &*one.source.label);
    let labels = labels.chain(unknown.iter().map(String::as_str));
    let tools = changed.iter().flat_map(|one| {
        let tools = one.differences.iter();
        tools.map(|difference| (&*one.source.label, Some(difference.tool.as_str())))
    });
    let known: Vec<(&str, Option<&str>)> = labels.map(|label| (label, None)).chain(tools).collect();
    let is_known = |name: &&String| known.iter().any(|(label, tool)| means(name, label, *tool));
    let wrong = names.iter().filter(|name| !is_known(name));
    let wrong = wrong.map(|name| {
        let meant = nearest(
            name,
            known.iter().map(|(label, tool)| tool.unwrap_or(label)),
        );
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        format!("expected the name of a tool or a source that has changed, found `{name}`{meant}")
    });
    wrong.collect()
}

/// Whether a word means a tool, by its name in its source or the one that calls use, or all of a source.
fn means(word: &str, label: &str, tool: Option<&str>) -> bool {
    let toolset = label.split_once(':').map(|(_, name)| name);
    word == label
        || tool.is_some_and(|tool| {
            let own = toolset.and_then(|toolset| word.strip_prefix(toolset)?.strip_prefix("__"));
            word == tool || own == Some(tool)
        })
}
