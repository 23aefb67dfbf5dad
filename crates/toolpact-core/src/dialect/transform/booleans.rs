use std::collections::HashSet;

use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::{bottom_up, children};

/// Only JSON Schema allows `true` and `false` as schemas.
pub(in crate::dialect) const BOOLEANS: Step = Step {
    name: "booleans",
    about: "writes the schemas `true` and `false` as objects, or removes what they forbid",
    apply: |tree, log| bottom_up(tree, &mut |map| spell_out(map, log)),
};

/// Some readers of JSON Schema do not accept boolean schemas.
pub(in crate::dialect) const OBJECT_SCHEMAS: Step = Step {
    name: "object-schemas",
    about: "writes the schemas `true` and `false` as objects, except for unnamed keys",
    apply: |tree, log| bottom_up(tree, &mut |map| write_as_objects(map, log)),
};

pub(in crate::dialect) fn as_object(allowed: bool, place: &crate::Pointer) -> Map {
    let mut schema = Map::at(place);
    if !allowed {
        schema.set("not", Tree::Object(Map::at(place)));
    }
    schema
}

fn spell_out(map: &mut Map, log: &mut Log) {
    forbidden_keys(map, log);
    forbidden_items(map, log);
    never(map, log);
    write_as_objects(map, log);
}

fn write_as_objects(map: &mut Map, log: &mut Log) {
    // Booleans are supported under these keywords.
    let kept = [
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
    ];
    let here = |keyword: &&&str| matches!(map.get(keyword), Some(Tree::Bool(_)));
    let (mut all, words) = (0, kept.iter().filter(here).count());
    children(map, |child| {
        all += usize::from(matches!(child, Tree::Bool(_)));
    });
    if all == words {
        return;
    }
    let kept = kept.map(|keyword| match map.get(keyword) {
        Some(Tree::Bool(_)) => (keyword, map.take(keyword)),
        _ => (keyword, None),
    });
    let (place, mut changed) = (map.place().clone(), false);
    children(map, |child| {
        if let Tree::Bool(allowed) = *child {
            changed = true;
            *child = Tree::Object(as_object(allowed, &place));
        }
    });
    for (keyword, value) in kept {
        if let Some(value) = value {
            map.set(keyword, value);
        }
    }
    if changed {
        let lost = "the schema `true` or `false`";
        log.rewritten(map, "", lost, "written as an object");
    }
}

/// A key whose schema is `false` is forbidden. In a closed object it can just be dropped.
fn forbidden_keys(map: &mut Map, log: &mut Log) {
    let closed = map.get("additionalProperties") == Some(&Tree::Bool(false));
    let Some(properties) = map.map_mut("properties") else {
        return;
    };
    let forbidden = properties
        .iter()
        .filter(|(_, schema)| **schema == Tree::Bool(false));
    let forbidden: HashSet<String> = forbidden.map(|(key, _)| key.to_owned()).collect();
    let forbidden = properties.take_all(|key| forbidden.contains(key));
    let properties = Map::at(properties.place());
    for (key, _) in forbidden {
        let lost = "a key that may not be there";
        if closed {
            log.rewritten(&properties, &key, lost, "it is not named");
        } else {
            log.wider(
                &properties,
                &key,
                LossKind::ForbiddenKey,
                lost,
                "it is not named",
            );
        }
    }
}

/// `items: false` forbids elements after `prefixItems`.
fn forbidden_items(map: &mut Map, log: &mut Log) {
    if map.get("items") != Some(&Tree::Bool(false)) {
        return;
    }
    let most = map.array("prefixItems").map_or(0, <[Tree]>::len);
    map.take("items");
    let fewer = |n: &str| {
        n.parse::<f64>()
            .is_ok_and(|n| n <= f64::from(u32::try_from(most).unwrap_or(u32::MAX)))
    };
    if !matches!(map.get("maxItems"), Some(Tree::Number(n)) if fewer(n)) {
        map.set("maxItems", Tree::Number(most.to_string().into()));
    }
    log.rewritten(map, "items", "`items: false`", "told by `maxItems`");
}

/// Drops alternatives that nothing can match.
fn never(map: &mut Map, log: &mut Log) {
    for keyword in ["anyOf", "oneOf"] {
        let Some(list) = map.get_mut(keyword).and_then(Tree::as_array_mut) else {
            continue;
        };
        let before = list.len();
        if list.iter().any(|one| *one != Tree::Bool(false)) {
            list.retain(|one| *one != Tree::Bool(false));
        }
        if list.len() < before {
            log.rewritten(
                map,
                keyword,
                "an alternative that nothing satisfies",
                "it was left out",
            );
        }
    }
}
