//! Adds implicit keywords of JSON Schema that some providers require.

use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

use super::merge::names;

/// Some providers refuse an object without `properties` in strict mode.
pub(in crate::dialect) const SOME_PROPERTIES: Step = Step {
    name: "properties",
    about: "adds an empty `properties` to objects without properties",
    apply: |tree, log| bottom_up(tree, &mut |map| properties(map, log)),
};

/// Without strict mode, they refuse it only at the root; they also refuse any array without
/// `items`.
pub(in crate::dialect) const SOME_PROPERTIES_AND_ITEMS: Step = Step {
    name: "properties-and-items",
    about: "adds an empty `properties` to arguments without properties, and an empty `items` to arrays",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            properties(map, log);
        }
        bottom_up(tree, &mut |map| items(map, log));
    },
};

/// OpenAPI 3.0 requires `items` in arrays.
pub(in crate::dialect) const SOME_ITEMS: Step = Step {
    name: "items",
    about: "adds an empty `items` to arrays",
    apply: |tree, log| bottom_up(tree, &mut |map| items(map, log)),
};

fn properties(map: &mut Map, log: &mut Log) {
    let is_object = is_of_type(map, "object");
    if is_object && !map.has("properties") {
        map.set("properties", Tree::Object(Map::at(map.place())));
        let lost = "an object that names no keys";
        log.rewritten(map, "", lost, "`properties` says so");
    }
}

fn items(map: &mut Map, log: &mut Log) {
    if is_of_type(map, "array") && !map.has("items") {
        map.set("items", Tree::Object(Map::at(map.place())));
        let lost = "an array that says nothing of its elements";
        log.rewritten(map, "", lost, "`items` says so");
    }
}

fn is_of_type(map: &Map, name: &str) -> bool {
    map.get("type")
        .is_some_and(|types| names(types).contains(&name))
}
