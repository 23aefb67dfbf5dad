//! Calls of tools that are not there.

use toolpact_core::returns::{ErrorKind, StandardError};

use crate::ToolError;

/// Most names that are listed.
const LISTED: usize = 20;

pub(super) fn tool<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> ToolError {
    let names: Vec<&str> = names.collect();
    let shown: String = name.chars().take(64).collect();
    let near = nearest(name, &names).map(|near| format!(" Did you mean `{near}`?"));
    let listed: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let there = match listed.len() {
        0 => " There are none.".to_owned(),
        _ => format!(" There are: {}{more}.", listed.join(", ")),
    };
    let message = format!(
        "There is no tool `{shown}`.{}{there}",
        near.unwrap_or_default()
    );
    StandardError::new(ErrorKind::UnknownTool, &message).into()
}

/// The name that is most like this one, if any is.
pub(super) fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    // Comparing takes time in proportion to both lengths.
    if name.len() > 64 {
        return None;
    }
    // Who forgets the toolset means `orders__search` with `search`.
    let likeness = |other: &str| {
        let own = other.split_once("__").map_or(other, |(_, own)| own);
        strsim::jaro_winkler(name, other).max(strsim::jaro_winkler(name, own))
    };
    let near = names.iter().map(|other| (likeness(other), *other));
    let best = near.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > 0.8).then_some(best.1)
}
