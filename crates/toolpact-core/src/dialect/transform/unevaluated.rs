use crate::dialect::step::{Log, Step};
use crate::dialect::tree::Map;
use crate::dialect::walk::bottom_up;

/// Once `allOf` is merged, "unevaluated" mostly means "additional".
pub(in crate::dialect) const UNEVALUATED: Step = Step {
    name: "unevaluated",
    about: "writes `unevaluatedProperties` as `additionalProperties` where they mean the same",
    apply: |tree, log| bottom_up(tree, &mut |map| rename(map, log)),
};

pub(super) fn rename(map: &mut Map, log: &mut Log) {
    let keyword = "unevaluatedProperties";
    if map.has("additionalProperties") {
        if map.take(keyword).is_some() {
            let lost = "`unevaluatedProperties` beside `additionalProperties`";
            log.rewritten(map, keyword, lost, "nothing is left for it");
        }
        return;
    }
    let others = ["anyOf", "oneOf", "if", "dependentSchemas", "$ref", "not"];
    if others.iter().any(|keyword| map.has(keyword)) {
        return;
    }
    if let Some(rest) = map.take(keyword) {
        map.set("additionalProperties", rest);
        log.rewritten(
            map,
            keyword,
            "`unevaluatedProperties`",
            "written as `additionalProperties`",
        );
    }
}
