//! Hoists schemas that occur more than once into `$defs`.

use std::collections::HashMap;

use crate::model::Digest;

use super::tree::{Map, Tree};
use super::walk::{any, children, parts};

/// The prefix of hoisted names, which tells an import to inline them again.
pub(super) const PREFIX: &str = "toolpact_shared_";

/// Shorter schemas are not hoisted.
const SHORTEST: usize = 160;

/// Hoists the schemas that occur more than once, if there are any.
pub(super) fn hoist(tree: &mut Tree) {
    // Would overwrite names that the contract uses for something else.
    let definitions = tree.as_map().and_then(|map| map.map("$defs"));
    if definitions.is_some_and(|all| all.keys().any(|name| name.starts_with(PREFIX))) {
        return;
    }
    let mut counts = HashMap::new();
    count(tree, true, &mut counts);
    counts.retain(|_, times| *times > 1);
    if counts.is_empty() {
        return;
    }
    // Identifiers inside a schema would move with it and break references to them.
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

/// Schemas are counted by digest: all their texts together could be very long.
type Counts = HashMap<Digest, usize>;

fn count(tree: &Tree, root: bool, counts: &mut Counts) {
    let Tree::Object(map) = tree else { return };
    if let Some(digest) = worth_it(tree).filter(|_| !root) {
        let times = counts.entry(digest).or_default();
        *times += 1;
        // Its subschemas are hoisted with it.
        if *times > 1 {
            return;
        }
    }
    parts(map, &mut |child| count(child, false, counts));
}

/// The digest of a schema, if it is worth hoisting.
fn worth_it(tree: &Tree) -> Option<Digest> {
    let map = tree.as_map()?;
    let holds = map.has("properties") || map.has("items") || map.has("anyOf") || map.has("enum");
    let marked = map.keys().any(|key| key.starts_with('\0'));
    let text = (holds && !marked).then(|| tree.to_text())?;
    (text.len() >= SHORTEST).then(|| Digest::of(text.as_bytes()))
}

fn replace(
    tree: &mut Tree,
    root: bool,
    counts: &Counts,
    names: &mut HashMap<Digest, String>,
    definitions: &mut Vec<(String, Tree)>,
) {
    let digest = worth_it(tree).filter(|digest| !root && counts.contains_key(digest));
    if let Some(digest) = &digest
        && let Some(name) = names.get(digest)
    {
        *tree = reference(name);
        return;
    }
    let Tree::Object(map) = tree else { return };
    children(map, |child| {
        replace(child, false, counts, names, definitions);
    });
    if let Some(digest) = digest {
        let name = format!("{PREFIX}{}", names.len() + 1);
        let schema = std::mem::replace(tree, reference(&name));
        definitions.push((name.clone(), schema));
        names.insert(digest, name);
    }
}

fn reference(name: &str) -> Tree {
    let mut map = Map::default();
    map.set("$ref", Tree::string(format!("#/$defs/{name}")));
    Tree::Object(map)
}

/// Inlines what was hoisted, unless the result would exceed the size limit of a contract.
pub(super) fn unhoist(tree: &mut Tree) {
    let mut definitions = HashMap::new();
    let all = tree.as_map().and_then(|map| map.map("$defs"));
    for (name, schema) in all.into_iter().flat_map(Map::iter) {
        if name.starts_with(PREFIX) {
            let size = schema.to_text().len();
            definitions.insert(format!("#/$defs/{name}"), (schema.clone(), size));
        }
    }
    if definitions.is_empty() {
        return;
    }
    let mut whole = tree.clone();
    if let Tree::Object(map) = &mut whole
        && let Some(all) = map.map_mut("$defs")
    {
        all.take_all(|name| name.starts_with(PREFIX));
        if all.is_empty() {
            map.take("$defs");
        }
    }
    let mut left = crate::schema::bounds::BYTES;
    if restore(&mut whole, &definitions, &mut left, 0) {
        *tree = whole;
    }
}

/// Returns whether everything could be inlined. Definitions from others may be circular, so size
/// and depth are bounded.
fn restore(
    tree: &mut Tree,
    definitions: &HashMap<String, (Tree, usize)>,
    left: &mut usize,
    depth: usize,
) -> bool {
    let Tree::Object(map) = tree else { return true };
    if let Some((schema, size)) = map.text("$ref").and_then(|name| definitions.get(name)) {
        if *left < *size || depth >= 100 || map.len() > 1 {
            return false;
        }
        *left -= *size;
        *tree = schema.clone();
        return restore(tree, definitions, left, depth + 1);
    }
    let mut done = true;
    children(map, |child| {
        done = done && restore(child, definitions, left, depth + 1);
    });
    done
}
