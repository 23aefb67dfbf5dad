//! Merges alternatives that are objects into one.

use indexmap::IndexSet;

use crate::Pointer;
use crate::dialect::loss::LossKind;
use crate::dialect::step::Log;
use crate::dialect::tree::{Map, Tree};
use crate::schema::is_annotation;

/// One object that allows whatever any of these allow, and possibly more.
pub(super) fn union_of_objects(branches: &[Map], place: &Pointer) -> Map {
    let mut union = Map::at(place);
    union.set("type", Tree::string("object"));
    union.set("properties", Tree::Object(properties(branches, place)));
    let required = branches
        .first()
        .and_then(|first| first.array("required"))
        .unwrap_or_default();
    let asks_for = |map: &Map, name| {
        map.array("required")
            .is_some_and(|list| list.contains(name))
    };
    let required: Vec<Tree> = required
        .iter()
        .filter(|name| branches.iter().all(|map| asks_for(map, name)))
        .cloned()
        .collect();
    if !required.is_empty() {
        union.set("required", Tree::Array(required));
    }
    if branches.iter().all(is_closed) {
        union.set("additionalProperties", Tree::Bool(false));
    }
    union
}

fn properties(branches: &[Map], place: &Pointer) -> Map {
    let mut all = Map::at(&place.key("properties"));
    for (key, schema) in branches
        .iter()
        .filter_map(|b| b.map("properties"))
        .flat_map(Map::iter)
    {
        match all.get_mut(key) {
            None => drop(all.set(key, schema.clone())),
            Some(known) => widen(known, schema, place),
        }
    }
    all
}

fn is_closed(map: &Map) -> bool {
    map.get("additionalProperties") == Some(&Tree::Bool(false)) && !map.has("patternProperties")
}

/// Logs that rules for a key in one alternative now also apply to the others.
pub(super) fn note_silence(map: &Map, keyword: &str, branches: &[Map], log: &mut Log) {
    if are_silent(branches) {
        let lost = "that the keys of one alternative may be anything in another";
        log.narrower(
            map,
            keyword,
            LossKind::Union,
            lost,
            "their rules always hold",
        );
    }
}

/// Whether some alternative allows any value for a key that another has a rule for.
fn are_silent(branches: &[Map]) -> bool {
    let names = |map: &Map, key: &str| map.map("properties").is_some_and(|own| own.has(key));
    let keys = || {
        branches
            .iter()
            .filter_map(|b| b.map("properties"))
            .flat_map(Map::keys)
    };
    let open = branches.iter().filter(|map| !is_closed(map));
    open.into_iter()
        .any(|map| keys().any(|key| !names(map, key)))
}

/// Adds an alternative to a schema.
fn widen(known: &mut Tree, other: &Tree, place: &Pointer) {
    if known == other || choose_from_both(known, other) {
        return;
    }
    let is_made = known
        .as_map()
        .is_some_and(|map| map.len() == 1 && map.has("anyOf"));
    match known
        .as_map_mut()
        .filter(|_| is_made)
        .and_then(|map| map.get_mut("anyOf"))
    {
        Some(Tree::Array(list)) if list.contains(other) => {}
        Some(Tree::Array(list)) => list.push(other.clone()),
        _ => {
            let mut either = Map::at(place);
            either.set("anyOf", Tree::Array(vec![known.clone(), other.clone()]));
            *known = Tree::Object(either);
        }
    }
}

/// Merges enums of the same type into one.
fn choose_from_both(known: &mut Tree, other: &Tree) -> bool {
    let (Tree::Object(known), Tree::Object(other)) = (known, other) else {
        return false;
    };
    if known.get("type") != other.get("type") {
        return false;
    }
    let (Some(own), Some(more)) = (choices(known), choices(other)) else {
        return false;
    };
    let all: IndexSet<&Tree> = own.iter().chain(more).collect();
    let all = all.into_iter().cloned().collect();
    known.take("const");
    known.set("enum", Tree::Array(all));
    true
}

/// The choices of a schema that has no other constraint.
fn choices(map: &Map) -> Option<&[Tree]> {
    let plain = |key: &str| matches!(key, "type" | "enum" | "const") || is_annotation(key);
    if !map.keys().all(plain) {
        return None;
    }
    match (map.array("enum"), map.get("const")) {
        (Some(values), None) => Some(values),
        (None, Some(value)) => Some(std::slice::from_ref(value)),
        _ => None,
    }
}
