use std::collections::BTreeSet;

use super::super::delegated::Delegated;
use super::super::format::{Format, OTHERS};
use super::super::string::{Only, StringRules, Values};
use super::constraints::Constraints;
use super::{Supported, unsupported, values};

/// The rules for a string; `None` if there are no constraints.
pub(super) fn rules(constraints: &Constraints<'_>) -> Supported<Option<StringRules>> {
    let mut formats: Vec<Format> = Vec::new();
    let mut others: BTreeSet<&str> = BTreeSet::new();
    let mut delegated: Vec<String> = (constraints.patterns.iter())
        .map(|pattern| format!(r#"{{"pattern":{}}}"#, pattern.text()))
        .collect();
    for name in &constraints.formats {
        match Format::named(name) {
            Some(format) if formats.contains(&format) => {}
            Some(format) => formats.push(format),
            None => others.extend(OTHERS.iter().find(|other| other == &name)),
        }
    }
    // Each format once, however often it occurs.
    delegated.extend(
        others
            .iter()
            .map(|name| format!(r#"{{"format":"{name}"}}"#)),
    );
    let allowed = match values::strings(constraints) {
        Some(allowed) => {
            let at = constraints.values[0].0;
            Some(Values::new(allowed).ok_or_else(|| unsupported(at, "too many allowed values"))?)
        }
        None => None,
    };
    let asked = !formats.is_empty() || !delegated.is_empty() || allowed.is_some();
    if !asked && constraints.length.is_free() {
        return Ok(None);
    }
    let more = !constraints.length.is_free() || !delegated.is_empty();
    let only = match (&allowed, formats.as_slice()) {
        (Some(_), []) if !more => Only::Values,
        (None, [format]) if !more => Only::Format(*format),
        _ => Only::Other,
    };
    Ok(Some(StringRules {
        only,
        min: constraints.length.min,
        max: constraints.length.max,
        values: allowed,
        formats: formats.into(),
        delegated: (!delegated.is_empty())
            .then(|| Box::new(Delegated::new(&delegated).with_states(constraints.states))),
    }))
}
