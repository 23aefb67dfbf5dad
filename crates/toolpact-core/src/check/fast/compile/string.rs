use std::collections::BTreeSet;

use super::super::format::Format;
use super::super::leaf::Leaf;
use super::super::string::{Only, StringRules, Values};
use super::facts::Facts;
use super::{Covered, gap, values};

/// The formats that are left to the `jsonschema` crate. It takes no notice of unknown ones.
const OTHERS: [&str; 13] = [
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "uri",
    "uri-reference",
    "uri-template",
];

/// What is asked of a string; `None` if nothing is.
pub(super) fn rules(facts: &Facts<'_>) -> Covered<Option<StringRules>> {
    let mut formats: Vec<Format> = Vec::new();
    let mut others: BTreeSet<&str> = BTreeSet::new();
    let mut leaf: Vec<String> = (facts.patterns.iter())
        .map(|pattern| format!(r#"{{"pattern":{}}}"#, pattern.text()))
        .collect();
    for name in &facts.formats {
        match Format::named(name) {
            Some(format) if formats.contains(&format) => {}
            Some(format) => formats.push(format),
            None => others.extend(OTHERS.iter().find(|other| other == &name)),
        }
    }
    // Each once, however often it is asked for.
    leaf.extend(
        others
            .iter()
            .map(|name| format!(r#"{{"format":"{name}"}}"#)),
    );
    let allowed = match values::strings(facts) {
        Some(allowed) => {
            let at = facts.values[0].0;
            Some(Values::new(allowed).ok_or_else(|| gap(at, "too many allowed values"))?)
        }
        None => None,
    };
    let asked = !formats.is_empty() || !leaf.is_empty() || allowed.is_some();
    if !asked && facts.length.is_free() {
        return Ok(None);
    }
    let more = !facts.length.is_free() || !leaf.is_empty();
    let only = match (&allowed, formats.as_slice()) {
        (Some(_), []) if !more => Only::Values,
        (None, [format]) if !more => Only::Format(*format),
        _ => Only::Other,
    };
    Ok(Some(StringRules {
        only,
        min: facts.length.min,
        max: facts.length.max,
        values: allowed,
        formats: formats.into(),
        leaf: (!leaf.is_empty()).then(|| Box::new(Leaf::new(&leaf).with_states(facts.states))),
    }))
}
