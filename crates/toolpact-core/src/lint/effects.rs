//! Hints about effects that the words contradict.

use super::subject::Promise;
use crate::json::report::Report;
use crate::violation::rules::lint as rules;

/// What only a tool does that changes something, as names and sentences begin with it.
const CHANGES: &[&str] = &[
    "delete",
    "remove",
    "erase",
    "drop",
    "destroy",
    "purge",
    "wipe",
    "truncate",
    "overwrite",
    "uninstall",
    "revoke",
    "create",
    "insert",
    "update",
    "modify",
    "edit",
    "rename",
    "transfer",
    "pay",
    "charge",
    "refund",
    "deploy",
    "publish",
    "merge",
    "reset",
    "cancel",
    "terminate",
    "kill",
    "write",
    "append",
    "approve",
];

/// What destroys.
const DESTROYS: &[&str] = &[
    "delete",
    "erase",
    "drop",
    "destroy",
    "purge",
    "wipe",
    "truncate",
    "overwrite",
    "uninstall",
    "terminate",
    "kill",
];

/// What a tool does that only looks: a name that begins with it may go on with any word.
const LOOKS: &[&str] = &[
    "get", "list", "read", "search", "find", "fetch", "query", "describe", "show", "count",
    "check", "view", "look", "preview", "validate", "retrieve", "resolve", "is", "has", "can",
    "diff", "compare", "dry", "plan", "export",
];

/// Reports a tool that says of itself that it changes or destroys nothing, and by its words does.
pub(super) fn check(name: &str, promise: &Promise<'_>, report: &mut Report) {
    let effects = promise.contract.effects();
    let (hint, verbs) = match (effects.read_only(), effects.destructive()) {
        (Some(true), _) => ("read_only: true", CHANGES),
        (_, Some(false)) => ("destructive: false", DESTROYS),
        _ => return,
    };
    let description = promise.contract.description();
    let Some((what, verb)) = by_name(name, verbs)
        .map(|verb| ("the name", verb))
        .or_else(|| by_description(description, verbs).map(|verb| ("the description", verb)))
    else {
        return;
    };
    report.add(
        &rules::EFFECTS_CONTRADICTED,
        promise.place(&["effects"]),
        |finding| {
            finding.say(format!("`{hint}`, but by {what} the tool does {verb}"));
        },
    );
}

/// The verb of a name: its first word that is one.
fn by_name(name: &str, verbs: &'static [&str]) -> Option<&'static str> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && was_lower || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        } else {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
    }
    for word in &words {
        if LOOKS.contains(&word.as_str()) {
            return None;
        }
        if let Some(verb) = verbs.iter().find(|verb| *verb == word) {
            return Some(verb);
        }
    }
    None
}

/// The verb that a sentence of a description begins with.
fn by_description(description: &str, verbs: &'static [&str]) -> Option<&'static str> {
    const NOT: &[&str] = &[
        "not", "never", "no", "without", "nor", "cannot", "don't", "doesn't",
    ];
    const BEFORE: &[&str] = &[
        "it",
        "tool",
        "then",
        "and",
        "also",
        "permanently",
        "will",
        "this",
        "irreversibly",
        "or",
    ];
    let mut before = String::new();
    let mut last_not = usize::MAX;
    for (at, word) in description.split_whitespace().enumerate() {
        let ends = word.ends_with(['.', '!', '?']);
        let word = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        if NOT.contains(&word.as_str()) {
            last_not = at;
        }
        let begins = at == 0 || before == ".";
        let is_said = begins || BEFORE.contains(&before.as_str());
        let third = is_said.then(|| third_person(&word, verbs)).flatten();
        let found = third.or_else(|| verbs.iter().copied().find(|verb| at == 0 && word == *verb));
        if let Some(verb) = found.filter(|_| is_said && (last_not > at || at - last_not > 5)) {
            return Some(verb);
        }
        before = if ends { ".".to_owned() } else { word };
    }
    None
}

/// The verb that a word is the third person of.
fn third_person(word: &str, verbs: &'static [&str]) -> Option<&'static str> {
    let stem = word.strip_suffix('s')?;
    let other = stem.strip_suffix('e');
    let y = stem.strip_suffix("ie");
    verbs.iter().copied().find(|verb| {
        *verb == stem || Some(*verb) == other || verb.strip_suffix('y') == y && y.is_some()
    })
}
