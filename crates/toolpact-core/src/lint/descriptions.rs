//! Descriptions that teach nothing.

use super::Selection;
use super::subject::Promise;
use super::texts::{Role, Text};
use crate::json::report::Report;
use crate::text::shorten;
use crate::violation::rules::lint as rules;

/// What stands where a description will be.
const PLACEHOLDERS: &[&str] = &[
    "todo",
    "tbd",
    "fixme",
    "xxx",
    "n/a",
    "na",
    "none",
    "null",
    "undefined",
    "description",
    "string",
    "test",
    "foo",
    "placeholder",
    "no description",
    "no description available",
    "no description provided",
    "description here",
    "your description here",
    "add description",
    "add description here",
    "insert description here",
    "lorem ipsum",
    "to be done",
    "to be defined",
    "to be determined",
    "wip",
    "tool description",
    "describe me",
    "desc",
];

/// Reports a text that is there in place of another.
pub(super) fn placeholder(text: &Text<'_>, selection: &Selection, report: &mut Report) {
    if text.role != Role::Prose || !text.is_description() || !selection.has(&rules::PLACEHOLDER) {
        return;
    }
    let words = text.value.trim();
    if words.len() > 40 {
        return;
    }
    let plain = words
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let is_marked = ["todo:", "fixme:", "tbd:", "lorem ipsum"]
        .iter()
        .any(|mark| words.to_lowercase().starts_with(mark));
    if plain.is_empty() && !words.is_empty() || PLACEHOLDERS.contains(&plain.as_str()) || is_marked
    {
        report.add(&rules::PLACEHOLDER, text.place(), |finding| {
            finding.say(format!(
                "{} says nothing yet: `{}`",
                text.describe(),
                shorten(words)
            ));
        });
    }
}

/// Words that say nothing by themselves.
const EMPTY: &[&str] = &[
    "a", "an", "the", "this", "that", "tool", "function", "method", "endpoint", "api", "for", "of",
    "to", "in", "on", "and", "or", "by", "with", "is", "it", "its", "s", "your", "used",
];

/// Reports a tool whose description says no more than its name.
pub(super) fn vague(name: &str, promise: &Promise<'_>, report: &mut Report) {
    let description = promise.contract.description();
    if description.len() > 200 {
        return;
    }
    let name = stems(name);
    let says = stems(description);
    if says.iter().all(|word| name.contains(word)) {
        report.add(
            &rules::VAGUE_DESCRIPTION,
            promise.place(&["description"]),
            |finding| {
                finding.say(format!(
                    "the description says no more than the name: `{}`",
                    shorten(description)
                ));
            },
        );
    }
}

/// The words that say something, without their endings.
fn stems(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_lower = false;
    for c in text.chars() {
        if c.is_uppercase() && was_lower {
            spaced.push(' ');
        }
        was_lower = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let words = spaced.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !EMPTY.contains(word));
    words.map(stem).collect()
}

fn stem(word: &str) -> String {
    let endings = ["ies", "es", "s", "ing", "ed", "e", "y"];
    let ending = endings
        .iter()
        .find(|ending| word.len() > ending.len() + 2 && word.ends_with(*ending));
    let ending = ending.map_or(0, |ending| ending.len());
    word.get(..word.len() - ending).unwrap_or(word).to_owned()
}
