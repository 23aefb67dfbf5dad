//! A schema that is written more than once is written under `$defs` and referred to.

use std::collections::HashMap;

use super::draft::{any, children};
use super::tree::{Map, Tree};

/// What the names of such schemas begin with, so that an import knows to write them back.
pub(super) const PREFIX: &str = "toolpact_shared_";

/// Shorter ones are not worth a reference.
const SHORTEST: usize = 160;

/// Hoists what is there more than once, if anything is.
pub(super) fn hoist(tree: &mut Tree) {
    let mut counts = HashMap::new();
    count(tree, true, &mut counts);
    counts.retain(|_, times| *times > 1);
    if counts.is_empty() {
        return;
    }
    // Identifiers inside would move with a schema, and so would what refers to them.
    let fixed = |map: &Map| {
        ["$id", "$anchor", "$dynamicAnchor"]
            .iter()
            .any(|k| map.has(k))
    };
    if any(tree, &fixed) {
        return;
    }
    let mut names = HashMap::new();
    let mut definitions = Vec::new();
    replace(tree, true, &counts, &mut names, &mut definitions);
    let Tree::Object(map) = tree else { return };
    if !map.has("$defs") {
        map.set("$defs", Tree::Object(Map::default()));
    }
    let Some(all) = map.map_mut("$defs") else {
        return;
    };
    for (name, schema) in definitions {
        all.set(&name, schema);
    }
}

fn count(tree: &Tree, root: bool, counts: &mut HashMap<String, usize>) {
    let Tree::Object(map) = tree else { return };
    if !root && is_worth_it(map) {
        let times = counts.entry(tree.to_text()).or_default();
        *times += 1;
        // What is inside of it is hoisted with it.
        if *times > 1 {
            return;
        }
    }
    let mut map = map.clone();
    children(&mut map, |child| count(child, false, counts));
}

fn is_worth_it(map: &Map) -> bool {
    let holds = map.has("properties") || map.has("items") || map.has("anyOf") || map.has("enum");
    let marked = map.keys().any(|key| key.starts_with('\0'));
    holds && !marked && Tree::Object(map.clone()).to_text().len() >= SHORTEST
}

fn replace(
    tree: &mut Tree,
    root: bool,
    counts: &HashMap<String, usize>,
    names: &mut HashMap<String, String>,
    definitions: &mut Vec<(String, Tree)>,
) {
    let text = match tree {
        Tree::Object(map) if !root && is_worth_it(map) => Some(tree.to_text()),
        _ => None,
    };
    let text = text.filter(|text| counts.contains_key(text));
    if let Some(text) = &text
        && let Some(name) = names.get(text)
    {
        *tree = reference(name);
        return;
    }
    let Tree::Object(map) = tree else { return };
    children(map, |child| {
        replace(child, false, counts, names, definitions);
    });
    if let Some(text) = text {
        let name = format!("{PREFIX}{}", names.len() + 1);
        let schema = std::mem::replace(tree, reference(&name));
        definitions.push((name.clone(), schema));
        names.insert(text, name);
    }
}

fn reference(name: &str) -> Tree {
    let mut map = Map::default();
    map.set("$ref", Tree::string(format!("#/$defs/{name}")));
    Tree::Object(map)
}

/// Writes back what was hoisted.
pub(super) fn unhoist(tree: &mut Tree) {
    let Tree::Object(map) = tree else { return };
    let Some(all) = map.map_mut("$defs") else {
        return;
    };
    let shared: Vec<String> = all
        .keys()
        .filter(|k| k.starts_with(PREFIX))
        .map(str::to_owned)
        .collect();
    if shared.is_empty() {
        return;
    }
    let mut definitions = HashMap::new();
    for name in shared {
        if let Some(schema) = all.take(&name) {
            definitions.insert(format!("#/$defs/{name}"), schema);
        }
    }
    if all.is_empty() {
        map.take("$defs");
    }
    let mut left = 10_000;
    restore(tree, &definitions, &mut left, 0);
}

/// Those that are not ours may refer to each other in circles; it ends all the same.
fn restore(tree: &mut Tree, definitions: &HashMap<String, Tree>, left: &mut usize, depth: usize) {
    let Tree::Object(map) = tree else { return };
    let found = map
        .text("$ref")
        .filter(|_| map.len() == 1)
        .and_then(|name| definitions.get(name));
    if let Some(schema) = found.filter(|_| *left > 0 && depth < 100) {
        *left -= 1;
        *tree = schema.clone();
        restore(tree, definitions, left, depth + 1);
        return;
    }
    children(map, |child| restore(child, definitions, left, depth + 1));
}
