//! The type of a value in words: `array of string or null`.

use toolpact_core::schema::view::{Part, Sources, View};
use toolpact_core::schema::{JsonType, Keyword};

use super::Phrase;

/// The most values and alternatives that are shown.
const SHOWN: usize = 40;
/// The deepest nesting of types that is shown: `array of array of …`.
const DEPTH: usize = 4;
/// The most alternatives in words; if they have fields, the rows list them all.
const ALTERNATIVES: usize = 8;

/// The type of a view.
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
    let named = types.iter().map(|one| match one {
        JsonType::Array => array(sources, view, depth),
        JsonType::Object => object(sources, view, depth),
        scalar => Phrase::words(scalar.name()),
    });
    if types.is_empty() {
        return chosen(sources, view, depth).unwrap_or_else(|| Phrase::words("any value"));
    }
    alternatives(named)
}

/// `always "a"`, `one of "a", "b"`.
fn values(view: &View<'_>) -> Option<Phrase> {
    if let Some(value) = view.get(Keyword::Const) {
        return Some(Phrase::words("always ").then_code(value.node().text()));
    }
    let list = view.get(Keyword::Enum)?;
    let count = list.node().items().count();
    let begin = match count {
        1 => "always ",
        _ => "one of ",
    };
    let more = count.saturating_sub(SHOWN);
    let codes = list.node().items().map(|value| Phrase::code(value.text()));
    let values = Phrase::join(codes.take(SHOWN), ", ");
    let values = Phrase::words(begin).and(values);
    Some(match more {
        0 => values,
        more => values.then(format!(" and {more} more")),
    })
}

/// The types that are allowed. Without `type`, the keywords decide which one is meant, unless
/// alternatives do.
pub(super) fn types(view: &View<'_>) -> Vec<JsonType> {
    let likely = || view.likely_type().filter(|_| view.choices().is_empty());
    view.types()
        .unwrap_or_else(|| likely().into_iter().collect())
}

/// Whether only null is allowed.
pub(super) fn is_null(view: &View<'_>) -> bool {
    types(view) == [JsonType::Null]
}

fn array<'v>(sources: &Sources<'v>, view: &View<'v>, depth: usize) -> Phrase {
    let items = view.rest(Keyword::Items);
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
    let others = view.rest(Keyword::AdditionalProperties);
    if view.get(Keyword::Properties).is_some() || others.is_empty() || depth == 0 {
        return Phrase::words("object");
    }
    let words = inside(sources, &sources.view(others), depth - 1);
    of_what("map of ", words)
}

fn of_what(begin: &str, what: Phrase) -> Phrase {
    if what.to_string().contains(" or ") {
        Phrase::words(format!("{begin}(")).and(what).then(")")
    } else {
        Phrase::words(begin).and(what)
    }
}

/// What the first list of alternatives allows, if there are words for it.
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
