use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Some dialects cannot express that a value may be anything.
pub(in crate::dialect) const ANY_VALUE: Step = Step {
    name: "any-value",
    about: "lists all types that the dialect has for a value that may be anything",
    apply: |tree, log| {
        bottom_up(tree, &mut |map| {
            let settled = ["type", "anyOf", "$ref", "const", "enum"];
            if !settled.iter().any(|keyword| map.has(keyword)) {
                name_types(map, log);
            }
        });
    },
};

fn name_types(map: &mut Map, log: &mut Log) {
    let nullable = log
        .profile
        .keywords
        .is_some_and(|known| known.contains(&"nullable"));
    let known = |keyword| {
        log.profile
            .keywords
            .is_none_or(|known| known.contains(&keyword))
    };
    if !known("anyOf") {
        map.set_first("type", Tree::string("string"));
        let lost = "that any value may be sent";
        log.narrower(map, "", LossKind::AnyValue, lost, "only texts can be sent");
        return;
    }
    let place = map.place().clone();
    let of = |name: &str| {
        let mut one = Map::at(&place);
        one.set("type", Tree::string(name));
        one
    };
    let scalars = ["string", "number", "boolean"].map(|name| Tree::Object(of(name)));
    let mut all = scalars.to_vec();
    if nullable {
        all.push(Tree::Object(of("object")));
        let mut items = Map::at(&place);
        items.set("anyOf", Tree::Array(all.clone()));
        let mut array = of("array");
        array.set("items", Tree::Object(items));
        all.push(Tree::Object(array));
        map.set("nullable", Tree::Bool(true));
    } else {
        all.push(Tree::Object(of("null")));
    }
    map.set("anyOf", Tree::Array(all));
    let instead = if nullable {
        "arrays inside of arrays cannot be sent"
    } else {
        "objects and arrays cannot be sent"
    };
    log.narrower(
        map,
        "",
        LossKind::AnyValue,
        "that any value may be sent",
        instead,
    );
}
