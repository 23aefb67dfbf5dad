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
    let types = view.meant_types();
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
    listed(view).map(|values| in_words(&values))
}

/// The only values that are allowed, as JSON, if a view lists them.
fn listed(view: &View<'_>) -> Option<Vec<String>> {
    if let Some(value) = view.get(Keyword::Const) {
        return Some(vec![value.node().text().to_owned()]);
    }
    let list = view.get(Keyword::Enum)?;
    let values = list.node().items().map(|value| value.text().to_owned());
    Some(values.collect())
}

fn in_words(values: &[String]) -> Phrase {
    let begin = match values {
        [_] => "always ",
        _ => "one of ",
    };
    let more = values.len().saturating_sub(SHOWN);
    let codes = values.iter().map(Phrase::code);
    let values = Phrase::join(codes.take(SHOWN), ", ");
    let values = Phrase::words(begin).and(values);
    match more {
        0 => values,
        more => values.then(format!(" and {more} more")),
    }
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
    // Those that are values are one list: it is how an enum is written whose values are described.
    let (mut values, mut others) = (Vec::new(), Vec::new());
    for view in branches
        .into_iter()
        .map(|branch: Part<'v>| sources.view([branch]))
    {
        match listed(&view).filter(|_| !view.is_impossible()) {
            Some(more) => values.extend(more),
            None => others.push(view),
        }
    }
    let more = others.len().saturating_sub(ALTERNATIVES);
    let values = (!values.is_empty()).then(|| in_words(&values));
    let shown = others.iter().take(ALTERNATIVES);
    let words = shown.map(|view| inside(sources, view, depth - 1));
    let words = alternatives(values.into_iter().chain(words));
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
