//! Patterns that cannot be checked in linear time: they are left out, whatever dialect they come from. One pattern
//! is no reason to refuse a tool.

use crate::Pointer;
use crate::schema::unusable_pattern;

use super::loss::{Effect, Loss, LossKind};
use super::tree::{Map, Tree};
use super::walk::{any, children};

/// Leaves unusable patterns out of a schema, so that it allows more and never less. Calls `lost` with the place and
/// the pattern in words.
pub(super) fn leave_out(tree: &mut Tree, lost: &mut dyn FnMut(&Pointer, &'static str)) {
    let Tree::Object(map) = tree else { return };
    conditions(map, lost);
    if let Some(what) = map.text("pattern").and_then(unusable_pattern) {
        map.take("pattern");
        lost(&map.place().key("pattern"), what);
    }
    keys(map, lost);
    children(map, |child| leave_out(child, lost));
}

/// What is told about a pattern that was left out.
pub(super) fn loss(pointer: Pointer, what: &str) -> Loss {
    Loss {
        pointer,
        kind: LossKind::Constraint,
        effect: Effect::Wider,
        lost: what.to_owned(),
        instead: "it was left out, and is not checked".to_owned(),
    }
}

/// Without a pattern of keys, other keys have to be allowed, too.
fn keys(map: &mut Map, lost: &mut dyn FnMut(&Pointer, &'static str)) {
    let place = map.place().key("patternProperties");
    let Some(patterns) = map.map_mut("patternProperties") else {
        return;
    };
    let gone = patterns.take_all(|key| unusable_pattern(key).is_some());
    let empty = patterns.is_empty();
    for what in gone.iter().filter_map(|(key, _)| unusable_pattern(key)) {
        lost(&place, what);
    }
    if !gone.is_empty() {
        map.take("additionalProperties");
        map.take("unevaluatedProperties");
    }
    if empty {
        map.take("patternProperties");
    }
}

/// Where a schema that allows more means that less is allowed, the condition goes as a whole.
fn conditions(map: &mut Map, lost: &mut dyn FnMut(&Pointer, &'static str)) {
    for keyword in ["not", "if", "oneOf", "maxContains"] {
        let schema = match keyword {
            "maxContains" => map.get("contains"),
            _ => map.get(keyword),
        };
        let Some(what) = schema.and_then(first) else {
            continue;
        };
        let Some(schema) = map.take(keyword) else {
            continue;
        };
        match keyword {
            "oneOf" if !map.has("anyOf") => drop(map.set("anyOf", schema)),
            "if" => drop((map.take("then"), map.take("else"))),
            _ => {}
        }
        lost(&map.place().key(keyword), what);
    }
}

/// The first unusable pattern inside, in words.
fn first(tree: &Tree) -> Option<&'static str> {
    let found = std::cell::Cell::new(None);
    let has = |map: &Map| {
        let keys = map.map("patternProperties").into_iter().flat_map(Map::keys);
        let mut what = map.text("pattern").into_iter().chain(keys);
        found.set(what.find_map(unusable_pattern));
        found.get().is_some()
    };
    match tree {
        Tree::Array(items) => items.iter().find_map(first),
        tree => any(tree, &has).then(|| found.get()).flatten(),
    }
}
