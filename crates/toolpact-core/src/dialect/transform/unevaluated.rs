use crate::dialect::draft::{Log, Step, bottom_up};
use crate::dialect::tree::Map;

/// Once `allOf` is one schema, "not evaluated" mostly means "not named".
pub(in crate::dialect) const UNEVALUATED: Step = Step {
    name: "unevaluated",
    about: "writes `unevaluatedProperties` as `additionalProperties` where they mean the same",
    apply: |tree, log| bottom_up(tree, &mut |map| rename(map, log)),
};

fn rename(map: &mut Map, log: &mut Log) {
    let others = ["anyOf", "oneOf", "if", "dependentSchemas", "$ref", "not"];
    if map.has("additionalProperties") || others.iter().any(|keyword| map.has(keyword)) {
        return;
    }
    if let Some(rest) = map.take("unevaluatedProperties") {
        map.set("additionalProperties", rest);
        let keyword = "unevaluatedProperties";
        log.rewritten(
            map,
            keyword,
            "`unevaluatedProperties`",
            "written as `additionalProperties`",
        );
    }
}
