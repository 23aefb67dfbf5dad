use std::collections::HashMap;

use crate::dialect::draft::{Step, any};
use crate::dialect::tree::{Map, Tree};

/// Some strict modes want schemas that come to an end.
pub(in crate::dialect) const NO_RECURSION: Step = Step {
    name: "no-recursion",
    about: "refuses schemas that contain themselves",
    apply: |tree, log| {
        if recurs(tree) {
            log.refuse(
                "its arguments contain themselves, which the provider refuses in strict mode",
            );
        }
    },
};

/// Whether some definition leads back to itself. References are local by now.
fn recurs(tree: &Tree) -> bool {
    let to_root = |map: &Map| map.text("$ref") == Some("#");
    let definitions = tree.as_map().and_then(|map| map.map("$defs"));
    let mut open: HashMap<&str, bool> = HashMap::new();
    any(tree, &to_root)
        || definitions.is_some_and(|all| all.keys().any(|name| leads_back(name, all, &mut open)))
}

/// `open` has what is being followed as true, and what has been as false.
fn leads_back<'t>(name: &'t str, all: &'t Map, open: &mut HashMap<&'t str, bool>) -> bool {
    if let Some(open) = open.get(name) {
        return *open;
    }
    open.insert(name, true);
    let mut next = Vec::new();
    if let Some(schema) = all.get(name) {
        references(schema, &mut next);
    }
    let back = next.into_iter().any(|name| leads_back(name, all, open));
    open.insert(name, back);
    back
}

fn references<'t>(tree: &'t Tree, found: &mut Vec<&'t str>) {
    match tree {
        Tree::Object(map) => {
            found.extend(
                map.text("$ref")
                    .and_then(|name| name.strip_prefix("#/$defs/")),
            );
            map.iter().for_each(|(_, value)| references(value, found));
        }
        Tree::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
