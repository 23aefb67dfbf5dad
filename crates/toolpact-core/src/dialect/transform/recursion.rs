use std::collections::HashMap;

use crate::dialect::step::Step;
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::any;

/// Some strict modes do not support recursive schemas.
pub(in crate::dialect) const NO_RECURSION: Step = Step {
    name: "no-recursion",
    about: "refuses recursive schemas",
    apply: |tree, log| {
        if recurs(tree) {
            log.refuse(
                "its arguments contain themselves, which the provider refuses in strict mode",
            );
        }
    },
};

/// Whether a definition is recursive. References are local at this step.
fn recurs(tree: &Tree) -> bool {
    let to_root = |map: &Map| map.text("$ref") == Some("#");
    let definitions = tree.as_map().and_then(|map| map.map("$defs"));
    any(tree, &to_root) || definitions.is_some_and(circles)
}

/// Finds cycles iteratively: chains of definitions may be thousands long.
fn circles(all: &Map) -> bool {
    // True while on the stack, false once done.
    let mut open: HashMap<&str, bool> = HashMap::new();
    for name in all.keys() {
        let mut way = vec![(name, vec![name])];
        while let Some((name, todo)) = way.last_mut() {
            let Some(next) = todo.pop() else {
                open.insert(*name, false);
                way.pop();
                continue;
            };
            match open.get(next) {
                Some(true) => return true,
                Some(false) => {}
                None => {
                    open.insert(next, true);
                    let mut found = Vec::new();
                    all.get(next)
                        .into_iter()
                        .for_each(|s| references(s, &mut found));
                    way.push((next, found));
                }
            }
        }
    }
    false
}

/// The names of the definitions that a schema refers to.
pub(super) fn references<'t>(tree: &'t Tree, found: &mut Vec<&'t str>) {
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
