//! The type of a value in words: `array of string or null`.

use super::Phrase;
use crate::schema::view::{Part, Sources, View};

/// Values and alternatives are shown up to this number.
const SHOWN: usize = 40;
/// Types inside of types are shown this deep: `array of array of …`.
const DEPTH: usize = 4;
/// At most so many alternatives in words; where they have fields, the rows tell them all.
const ALTERNATIVES: usize = 8;

pub(super) const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "object", "array", "null",
];

/// The type of what a view asks for.
pub(super) fn of<'v>(sources: &Sources<'v>, view: &View<'v>) -> Phrase {
    inside(sources, view, DEPTH)
}

fn inside<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> Phrase {
    if view.is_impossible() {
        return Phrase::words("nothing: no value is allowed");
    }
    if let Some(values) = values(view) {
        return values;
    }
    let types = types(view);
    let named = types.iter().map(|name| match *name {
        "array" => array(sources, view, depth),
        "object" => object(sources, view, depth),
        name => Phrase::words(name),
    });
    match types.is_empty() {
        false => alternatives(named),
        true => chosen(sources, view, depth).unwrap_or_else(|| Phrase::words("any value")),
    }
}

/// `always "a"`, `one of "a", "b"`.
fn values(view: &View<'_>) -> Option<Phrase> {
    if let Some(value) = view.get("const") {
        return Some(Phrase::words("always ").then_code(value.node.text()));
    }
    let list = view.get("enum")?;
    let count = list.node.items().count();
    let begin = match count {
        1 => "always ",
        _ => "one of ",
    };
    let more = count.saturating_sub(SHOWN);
    let codes = list.node.items().map(|value| Phrase::code(value.text()));
    let values = Phrase::join(codes.take(SHOWN), ", ");
    let values = Phrase::words(begin).and(values);
    Some(match more {
        0 => values,
        more => values.then(format!(" and {more} more")),
    })
}

/// The types that are allowed, null last. Where none is said, the keywords tell which one is meant.
pub(crate) fn types(view: &View<'_>) -> Vec<&'static str> {
    let mut allowed = TYPES.to_vec();
    for part in view.all("type") {
        let (one, list) = (part.node.as_str(), part.node.items());
        let said: Vec<_> = list
            .filter_map(crate::json::Node::as_str)
            .chain(one)
            .collect();
        let says = |name: &str| said.iter().any(|said| said == name);
        allowed.retain(|name| says(name) || *name == "integer" && says("number"));
    }
    // Every integer is a number, so it is not said twice.
    if allowed.contains(&"number") {
        allowed.retain(|name| *name != "integer");
    }
    if view.get("type").is_none() {
        allowed = meant(view).into_iter().collect();
    }
    allowed
}

fn meant(view: &View<'_>) -> Option<&'static str> {
    match view.choices().is_empty() {
        true => clue(view),
        false => None,
    }
}

/// The type that the keywords are for.
pub(crate) fn clue(view: &View<'_>) -> Option<&'static str> {
    const CLUES: [(&str, &str); 14] = [
        ("properties", "object"),
        ("additionalProperties", "object"),
        ("patternProperties", "object"),
        ("required", "object"),
        ("items", "array"),
        ("prefixItems", "array"),
        ("minItems", "array"),
        ("maxItems", "array"),
        ("minLength", "string"),
        ("maxLength", "string"),
        ("pattern", "string"),
        ("format", "string"),
        ("minimum", "number"),
        ("maximum", "number"),
    ];
    let clue = CLUES
        .iter()
        .find(|(keyword, _)| view.get(keyword).is_some());
    clue.map(|(_, name)| *name)
}

fn array<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> Phrase {
    let items = view.rest("items");
    if items.is_empty() || depth == 0 {
        return Phrase::words("array");
    }
    let items = sources.view(items);
    let words = inside(sources, &items, depth - 1);
    if values(&items).is_some() {
        return Phrase::words("array, each ").and(words);
    }
    of_what("array of ", words)
}

/// An object without keys of its own is a map.
fn object<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> Phrase {
    let others = view.rest("additionalProperties");
    if view.get("properties").is_some() || others.is_empty() || depth == 0 {
        return Phrase::words("object");
    }
    let words = inside(sources, &sources.view(others), depth - 1);
    of_what("map of ", words)
}

fn of_what(begin: &str, what: Phrase) -> Phrase {
    match what.to_string().contains(" or ") {
        true => Phrase::words(format!("{begin}(")).and(what).then(")"),
        false => Phrase::words(begin).and(what),
    }
}

/// What the first list of alternatives allows, if that can be said.
fn chosen<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> Option<Phrase> {
    let list = view.choices().into_iter().next()?;
    let branches = list.items();
    if depth == 0 || branches.is_empty() {
        return None;
    }
    let more = branches.len().saturating_sub(ALTERNATIVES);
    let shown = branches.into_iter().take(ALTERNATIVES);
    let words = shown.map(|branch: Part<'v>| inside(sources, &sources.view([branch]), depth - 1));
    let words = alternatives(words);
    Some(match more {
        0 => words,
        more => words.then(format!(" or {more} more")),
    })
}

/// Each once, null last.
fn alternatives(words: impl Iterator<Item = Phrase>) -> Phrase {
    let mut each: Vec<Phrase> = Vec::new();
    for phrase in words {
        if !each.contains(&phrase) {
            each.push(phrase);
        }
    }
    each.sort_by_key(|phrase| *phrase == Phrase::words("null"));
    Phrase::join(each, " or ")
}
