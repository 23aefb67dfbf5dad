use super::merge::merge;
use super::unevaluated::rename;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Most dialects do not support `allOf`, and nearly always it can be merged into one schema.
pub(in crate::dialect) const ALL_OF: Step = Step {
    name: "all-of",
    about: "merges the parts of `allOf` into one schema",
    apply: |tree, log| bottom_up(tree, &mut |map| flatten(map, log)),
};

fn flatten(map: &mut Map, log: &mut Log) {
    let Some(parts) = map.take("allOf") else {
        return;
    };
    log.rewritten(map, "allOf", "`allOf`", "its parts were made one schema");
    for part in parts.as_array().unwrap_or_default() {
        match part {
            Tree::Object(part) => {
                let mut part = part.clone();
                // There, only what the part itself declares is evaluated.
                rename(&mut part, log);
                merge(map, &part, log);
            }
            Tree::Bool(false) => drop(map.set("not", Tree::Object(Map::default()))),
            _ => {}
        }
    }
}
