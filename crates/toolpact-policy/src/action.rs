//! Tools as actions, and the groups they are in.

use toolpact::registry::RegisteredTool;
use toolpact_core::contract::Contract;

use crate::config::ToolEffects;

/// The prefixes of groups of actions. No tool can have such a name, since it has a colon.
const SOURCE: &str = "source:";
const EFFECTS: &str = "effects:";
const TOOLS: &str = "tools:";

/// The action of a tool: its name with that of its toolset in front, as clients of a server use it.
#[must_use]
pub fn action_of(tool: &RegisteredTool) -> String {
    let name = tool.contract().name();
    match tool.toolset() {
        "" => name.to_string(),
        toolset => format!("{toolset}__{name}"),
    }
}

/// The group of all tools of a source.
pub(crate) fn of_source(source: &str) -> String {
    format!("{SOURCE}{source}")
}

/// The group of all tools with these effects.
pub(crate) fn of_effects(effects: ToolEffects) -> String {
    format!("{EFFECTS}{}", effects.as_str())
}

/// The group of all tools whose names match a pattern.
pub(crate) fn of_pattern(pattern: &str) -> String {
    format!("{TOOLS}{pattern}")
}

/// The pattern of such a group.
#[cfg(feature = "cedar")]
pub(crate) fn pattern_of(group: &str) -> Option<&str> {
    group.strip_prefix(TOOLS)
}

/// The groups that a tool is in.
pub(crate) fn groups_of(
    action: &str,
    source: &str,
    contract: &Contract,
    patterns: &[String],
) -> Vec<String> {
    let source = (!source.is_empty()).then(|| of_source(source));
    let effects = ToolEffects::ALL.into_iter();
    let effects = effects.filter(|effects| effects.are_of(contract));
    let patterns = patterns.iter().filter(|pattern| matches(pattern, action));
    source
        .into_iter()
        .chain(effects.map(of_effects))
        .chain(patterns.map(|pattern| of_pattern(pattern)))
        .collect()
}

/// Whether a name matches a pattern, in which `*` stands for any text.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(first) else {
        return false;
    };
    let Some((middle, last)) = rest.rsplit_once('*') else {
        return name.ends_with(rest);
    };
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("search", "search", true),
            ("search", "search_all", false),
            ("*", "anything", true),
            ("search_*", "search_orders", true),
            ("search_*", "search_", true),
            ("search_*", "research_orders", false),
            ("*_orders", "search_orders", true),
            ("*_orders", "search_orders_", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("a*a", "a", false),
            ("a*b*b", "ab", false),
            ("**", "x", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
