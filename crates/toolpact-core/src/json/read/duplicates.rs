//! Duplicate keys of objects.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::index::{Entry, NodeId, Shape};
use super::super::string;
use crate::json::report::{Place, Report};
use crate::text::shorten;
use crate::violation::rules::json as rules;

/// Reports each duplicate key of an object. `text` is the JSON text.
pub(in crate::json) fn report_duplicate_keys(
    entries: &[Entry],
    text: &str,
    object: NodeId,
    report: &mut Report,
) {
    if all_differ(entries, text, object) {
        return;
    }
    for (key, name) in duplicate_keys(entries, text, object) {
        report.add(&rules::DUPLICATE_KEY, Place::Key(key), |finding| {
            finding
                .say(format!(
                    "expected each key once, found `{}` again in the same object",
                    shorten(&name)
                ))
                .advise("remove one of them, or rename it");
        });
    }
}

/// Fast path: whether a small object without escaped keys has no duplicates. It allocates nothing.
fn all_differ(entries: &[Entry], text: &str, object: NodeId) -> bool {
    let mut keys = [""; 8];
    let (mut count, mut key) = (0, object + 1);
    while key < entries[object as usize].next {
        let entry = entries[key as usize];
        let name = &text[entry.start as usize..entry.end as usize];
        if entry.shape != Shape::Plain || count == keys.len() || keys[..count].contains(&name) {
            return false;
        }
        keys[count] = name;
        count += 1;
        key = entries[key as usize + 1].next;
    }
    true
}

/// Compared by decoded value: `"a"` and `"\u0061"` are one key.
fn duplicate_keys<'a>(
    entries: &[Entry],
    text: &'a str,
    object: NodeId,
) -> Vec<(NodeId, Cow<'a, str>)> {
    let mut keys = Vec::new();
    let mut key = object + 1;
    while key < entries[object as usize].next {
        let entry = entries[key as usize];
        let inner = &text[entry.start as usize + 1..entry.end as usize - 1];
        keys.push((key, string::decode(inner)));
        key = entries[key as usize + 1].next;
    }
    // Most objects are small, and comparing a few names is faster than hashing them.
    if keys.len() <= 8 {
        let repeats = |i: usize| keys[..i].iter().any(|(_, name)| *name == keys[i].1);
        return (1..keys.len())
            .filter(|i| repeats(*i))
            .map(|i| keys[i].clone())
            .collect();
    }
    let mut seen = HashSet::with_capacity(keys.len());
    keys.into_iter()
        .filter(|(_, name)| !seen.insert(name.clone()))
        .collect()
}
