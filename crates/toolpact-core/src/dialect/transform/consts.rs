use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Some dialects support `enum` but not `const`.
pub(in crate::dialect) const CONSTS: Step = Step {
    name: "const",
    about: "writes `const` as an `enum` of one",
    apply: |tree, log| bottom_up(tree, &mut |map| to_enum(map, log)),
};

fn to_enum(map: &mut Map, log: &mut Log) {
    let Some(value) = map.take("const") else {
        return;
    };
    if map
        .array("enum")
        .is_some_and(|values| !values.contains(&value))
    {
        let lost = "a choice that another rule forbids";
        log.wider(map, "enum", LossKind::Enum, lost, "only one rule was kept");
    }
    map.set("enum", Tree::Array(vec![value]));
    log.rewritten(map, "const", "`const`", "written as an `enum` of one");
}
