//! Upgrades schemas of older JSON Schema drafts to 2020-12.

use super::tree::{Map, Tree};
use super::walk::{any, children, top_down};

/// Upgrades a schema that declares an older draft, or uses what only those have.
pub(super) fn upgrade(tree: &mut Tree) {
    let old = tree
        .as_map()
        .and_then(|map| map.text("$schema"))
        .and_then(draft);
    let tuples = |map: &Map| matches!(map.get("items"), Some(Tree::Array(_)));
    let draft = match old {
        Some(draft) => draft,
        // An array as `items` is invalid in 2020-12, and unambiguous before it.
        None if any(tree, &tuples) => Draft::Draft7,
        None => return,
    };
    if let Tree::Object(map) = tree {
        map.take("$schema");
    }
    rewrite(tree, draft, true);
    top_down(tree, &mut |map| {
        let moved = map
            .text("$ref")
            .and_then(|reference| reference.strip_prefix("#/definitions/"));
        if let Some(moved) = moved.map(|rest| format!("#/$defs/{rest}")) {
            map.set("$ref", Tree::string(moved));
        }
    });
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
}

fn draft(uri: &str) -> Option<Draft> {
    let name = uri.trim_end_matches('#').rsplit_once("json-schema.org/")?.1;
    Some(match name {
        "draft-04/schema" => Draft::Draft4,
        "draft-06/schema" => Draft::Draft6,
        "draft-07/schema" => Draft::Draft7,
        "draft/2019-09/schema" => Draft::Draft2019,
        _ => return None,
    })
}

fn rewrite(tree: &mut Tree, draft: Draft, root: bool) {
    let Tree::Object(map) = tree else { return };
    if draft <= Draft::Draft7 {
        lone_reference(map, root);
        dependencies(map);
        identifiers(map, draft);
    }
    if draft == Draft::Draft4 {
        exclusive(map);
    }
    if draft == Draft::Draft2019 {
        recursive_reference(map);
    }
    items(map);
    definitions(map);
    children(map, |child| rewrite(child, draft, false));
}

/// Up to draft 7, siblings of a reference were ignored.
fn lone_reference(map: &mut Map, root: bool) {
    if !map.has("$ref") {
        return;
    }
    let kept = |key: &str| {
        super::references::is_annotation(key)
            || key == "$ref"
            || root && matches!(key, "definitions" | "$defs" | "$id")
    };
    map.take_all(|key| !kept(key));
}

fn dependencies(map: &mut Map) {
    let Some(Tree::Object(all)) = map.take("dependencies") else {
        return;
    };
    for (key, value) in all.iter() {
        let name = match value {
            Tree::Array(_) => "dependentRequired",
            _ => "dependentSchemas",
        };
        if !map.has(name) {
            map.set(name, Tree::Object(Map::at(all.place())));
        }
        if let Some(target) = map.map_mut(name) {
            target.set(key, value.clone());
        }
    }
}

fn identifiers(map: &mut Map, draft: Draft) {
    if draft == Draft::Draft4
        && map.text("id").is_some()
        && let Some(id) = map.take("id")
    {
        map.set("$id", id);
    }
    let anchor = map
        .text("$id")
        .and_then(|id| id.strip_prefix('#'))
        .map(str::to_owned);
    if let Some(anchor) = anchor {
        map.take("$id");
        map.set("$anchor", Tree::string(anchor));
    }
}

/// In draft 4, exclusive limits were a flag beside the limit.
pub(super) fn exclusive(map: &mut Map) {
    for (flag, limit) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if let Some(Tree::Bool(excluded)) = map.get(flag) {
            let excluded = *excluded;
            map.take(flag);
            if let Some(value) = map.get(limit).cloned().filter(|_| excluded) {
                map.take(limit);
                map.set(flag, value);
            }
        }
    }
}

/// 2019-09 had `$recursiveRef`, which within one schema is the same as `$ref`.
fn recursive_reference(map: &mut Map) {
    map.take("$recursiveAnchor");
    if let Some(reference) = map.take("$recursiveRef").filter(|_| !map.has("$ref")) {
        map.set("$ref", reference);
    }
}

fn items(map: &mut Map) {
    if let Some(Tree::Array(_)) = map.get("items")
        && let Some(first) = map.take("items")
    {
        map.set("prefixItems", first);
        if let Some(rest) = map.take("additionalItems") {
            map.set("items", rest);
        }
    } else {
        // Without an array as `items` it had no effect.
        map.take("additionalItems");
    }
}

fn definitions(map: &mut Map) {
    let Some(Tree::Object(old)) = map.take("definitions") else {
        return;
    };
    if !map.has("$defs") {
        map.set("$defs", Tree::Object(Map::at(old.place())));
    }
    if let Some(all) = map.map_mut("$defs") {
        for (name, schema) in old.iter() {
            all.set(name, schema.clone());
        }
    }
}
