use std::collections::HashSet;

use super::merge::names;
use super::null::{allow_null, allows_null};
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Marks a property that is null when absent; the value says whether null always means absence. No
/// real keyword starts with NUL.
pub(in crate::dialect) const ABSENT: &str = "\0absent";

/// For dialects where every key is required: null stands for an absent key.
pub(in crate::dialect) const REQUIRE: Step = Step {
    name: "require",
    about: "requires every key; one that was optional may be null, and such nulls are removed from calls",
    apply: |tree, log| bottom_up(tree, &mut |map| require(map, log)),
};

fn require(map: &mut Map, log: &mut Log) {
    let is_object = map
        .get("type")
        .is_some_and(|types| names(types).contains(&"object"));
    if !is_object && !map.has("properties") {
        return;
    }
    let required = map.take("required");
    let required = required.as_ref().and_then(Tree::as_array);
    let required: HashSet<&str> = required
        .unwrap_or_default()
        .iter()
        .filter_map(Tree::as_str)
        .collect();
    let Some(properties) = map.map_mut("properties") else {
        return;
    };
    let mut optional = Vec::new();
    for (key, schema) in properties.iter_mut() {
        let Tree::Object(schema) = schema else {
            continue;
        };
        if required.contains(key) {
            continue;
        }
        optional.push(schema.place().clone());
        // If null is already a valid value, it keeps its meaning.
        let means_nothing = !allows_null(schema);
        allow_null(schema);
        schema.set(ABSENT, Tree::Bool(means_nothing));
    }
    let all = Tree::strings(properties.keys());
    map.set("required", all);
    for place in optional {
        let what = (LossKind::AbsentAsNull, Effect::Documentation);
        let lost = "that the key may be left out";
        log.lose(&place, "", what, lost, "null is sent for it");
    }
}

/// Some providers refuse `required` keys that are not in `properties`.
pub(in crate::dialect) const REQUIRED_NAMED: Step = Step {
    name: "required-named",
    about: "adds a schema to required keys that have none",
    apply: |tree, log| bottom_up(tree, &mut |map| describe(map, log)),
};

/// The same for top-level arguments only.
pub(in crate::dialect) const REQUIRED_ARGUMENTS_NAMED: Step = Step {
    name: "required-arguments-named",
    about: "adds a schema to required arguments that have none",
    apply: |tree, log| {
        if let Tree::Object(map) = tree {
            describe(map, log);
        }
    },
};

fn describe(map: &mut Map, log: &mut Log) {
    let properties = map.map("properties");
    let unknown = |name: &&Tree| {
        let name = name.as_str().unwrap_or_default();
        properties.is_none_or(|properties| !properties.has(name))
    };
    let names: Vec<Tree> = map
        .array("required")
        .unwrap_or_default()
        .iter()
        .filter(unknown)
        .cloned()
        .collect();
    if names.is_empty() {
        return;
    }
    let place = map.place().clone();
    if map.get("additionalProperties") == Some(&Tree::Bool(false)) {
        let lost = "a required key that is not allowed";
        log.wider(
            map,
            "required",
            LossKind::Constraint,
            lost,
            "it is not required",
        );
        let gone: HashSet<&str> = names.iter().filter_map(Tree::as_str).collect();
        if let Some(required) = map.get_mut("required").and_then(Tree::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(|name| !gone.contains(name)));
        }
        return;
    }
    let rest = match map.get("additionalProperties") {
        Some(Tree::Object(rest)) if log.may_copy(rest, names.len()) => rest.clone(),
        Some(Tree::Object(_)) => {
            let lost = "the rules for required keys that are too many to write out";
            log.wider(map, "required", LossKind::Map, lost, "they were left out");
            Map::at(&place)
        }
        _ => Map::at(&place),
    };
    if !map.has("properties") {
        map.set(
            "properties",
            Tree::Object(Map::at(&place.key("properties"))),
        );
    }
    log.rewritten(
        map,
        "required",
        "a required key that is not described",
        "it is described",
    );
    if let Some(properties) = map.map_mut("properties") {
        for name in names.iter().filter_map(Tree::as_str) {
            properties.set(name, Tree::Object(rest.clone()));
        }
    }
}
