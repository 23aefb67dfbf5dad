//! Traverses the subschemas of a schema.

use super::tree::{Map, Tree};
use crate::schema::{Holds, holds};

/// Calls `f` with every direct subschema.
pub(super) fn children(map: &mut Map, mut f: impl FnMut(&mut Tree)) {
    for (keyword, value) in map.iter_mut() {
        match (holds(keyword), value) {
            (Some(Holds::One), value) => f(value),
            (Some(Holds::List), Tree::Array(list)) => list.iter_mut().for_each(&mut f),
            (Some(Holds::Named), Tree::Object(named)) => named
                .values_mut()
                // Arrays of names under `dependencies` are not schemas.
                .filter(|one| !matches!(one, Tree::Array(_)))
                .for_each(&mut f),
            _ => {}
        }
    }
}

/// The same, read-only.
pub(super) fn parts(map: &Map, f: &mut dyn FnMut(&Tree)) {
    for (keyword, value) in map.iter() {
        match (holds(keyword), value) {
            (Some(Holds::One), value) => f(value),
            (Some(Holds::List), Tree::Array(list)) => list.iter().for_each(&mut *f),
            (Some(Holds::Named), Tree::Object(named)) => named.iter().for_each(|(_, one)| f(one)),
            _ => {}
        }
    }
}

/// Calls `f` with every schema that is an object, inner ones first.
pub(super) fn bottom_up(tree: &mut Tree, f: &mut dyn FnMut(&mut Map)) {
    if let Tree::Object(map) = tree {
        children(map, |child| bottom_up(child, f));
        f(map);
    }
}

/// Calls `f` with every schema that is an object, outer ones first.
pub(super) fn top_down(tree: &mut Tree, f: &mut dyn FnMut(&mut Map)) {
    if let Tree::Object(map) = tree {
        f(map);
        children(map, |child| top_down(child, f));
    }
}

/// Whether the predicate holds for some schema.
pub(super) fn any(tree: &Tree, f: &dyn Fn(&Map) -> bool) -> bool {
    let Tree::Object(map) = tree else {
        return false;
    };
    f(map)
        || map
            .iter()
            .any(|(keyword, value)| match (holds(keyword), value) {
                (Some(Holds::One), value) => any(value, f),
                (Some(Holds::List), Tree::Array(list)) => list.iter().any(|one| any(one, f)),
                (Some(Holds::Named), Tree::Object(named)) => {
                    named.iter().any(|(_, one)| any(one, f))
                }
                _ => false,
            })
}
