//! Tools of others that a description speaks of.

use super::names::Names;
use super::texts::{Role, Text};
use crate::json::report::Report;
use crate::text::shorten;
use crate::violation::rules::lint as rules;

/// Most names that are looked up for a text.
const MOST: usize = 200;

/// Longest name of a tool.
const LONGEST: usize = 128;

/// Reports a text that says something of a tool that is not among those with these names: "the `send_email`
/// tool". `own` has the texts of the tool, whose parameters have names, too.
pub(super) fn check(
    text: &Text<'_>,
    reads: &str,
    own: &[Text<'_>],
    names: &Names,
    report: &mut Report,
) {
    if text.role != Role::Prose || !reads.contains("tool") {
        return;
    }
    let is_ours = |name: &str| {
        let is_parameter =
            |text: &Text<'_>| text.role == Role::Name && text.value.eq_ignore_ascii_case(name);
        names.has(name) || own.iter().any(is_parameter)
    };
    let Some(name) = tools_in(reads).take(MOST).find(|name| !is_ours(name)) else {
        return;
    };
    report.add(&rules::FOREIGN_TOOL, text.place(), |finding| {
        finding.say(format!(
            "{} is about the tool `{}`, which is not among these tools",
            text.describe(),
            shorten(name)
        ));
    });
}

/// The names of tools in a text: those beside the word.
fn tools_in(reads: &str) -> impl Iterator<Item = &str> {
    let words = || reads.split_whitespace();
    let pairs = words().zip(words().skip(1));
    pairs.filter_map(|(first, second)| {
        let is_tool = |word: &str| matches!(bare(word), "tool" | "tools" | "function" | "mcp_tool");
        if is_tool(second) && !first.ends_with(['.', ',', ';', ':', ')']) {
            return identifier(first);
        }
        if is_tool(first) && first.ends_with(char::is_alphabetic) {
            return identifier(second);
        }
        None
    })
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

/// A word that can only be a name: parts that are joined, `send_email`.
fn identifier(word: &str) -> Option<&str> {
    let name = bare(word);
    let is_name =
        name.len() <= LONGEST && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let parts = name.split('_').filter(|part| !part.is_empty()).count();
    (is_name && parts > 1).then_some(name)
}
