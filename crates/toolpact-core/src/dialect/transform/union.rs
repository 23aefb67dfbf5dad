use super::merge::{merge, names};
use super::null::collapse;
use super::objects::{note_silence, union_of_objects};
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::{bottom_up, top_down};
use crate::schema::is_annotation;

/// For dialects where `anyOf` must have no siblings: they move into each alternative.
pub(in crate::dialect) const DISTRIBUTE: Step = Step {
    name: "distribute",
    about: "moves the keywords beside `anyOf` into each alternative",
    // Top down, because moved keywords may end up beside a nested `anyOf`.
    apply: |tree, log| top_down(tree, &mut |map| distribute(map, log)),
};

/// For dialects without alternatives.
pub(in crate::dialect) const FIRST_OF_UNION: Step = Step {
    name: "union",
    about: "merges alternatives that are objects, and keeps the first of any others",
    apply: |tree, log| bottom_up(tree, &mut |map| first(map, log)),
};

fn distribute(map: &mut Map, log: &mut Log) {
    collapse(map, log);
    let beside = |key: &str| {
        key != "anyOf" && key != "nullable" && !is_annotation(key) && !is_root_only(key)
    };
    if !map.has("anyOf") || !map.keys().any(beside) {
        return;
    }
    let mut common = Map::at(map.place());
    let count = map.array("anyOf").map_or(0, <[Tree]>::len);
    for (key, value) in map.take_all(beside) {
        common.set(&key, value);
    }
    if !log.may_copy(&common, count) {
        log.wider(
            map,
            "anyOf",
            LossKind::Union,
            "alternatives that are too many to write out",
            "they were left out",
        );
        map.take("anyOf");
        merge(map, &common, log);
        return;
    }
    log.rewritten(
        map,
        "anyOf",
        "rules beside alternatives",
        "written into each of them",
    );
    for one in map
        .get_mut("anyOf")
        .and_then(Tree::as_array_mut)
        .into_iter()
        .flatten()
    {
        match one {
            Tree::Object(one) => merge(one, &common, log),
            _ => *one = Tree::Object(common.clone()),
        }
    }
}

fn is_root_only(key: &str) -> bool {
    matches!(key, "$defs" | "$schema" | "$id")
}

fn first(map: &mut Map, log: &mut Log) {
    let Some(Tree::Array(alternatives)) = map.take("anyOf") else {
        return;
    };
    let maps: Vec<Map> = alternatives
        .into_iter()
        .filter_map(|one| match one {
            Tree::Object(one) => Some(one),
            _ => None,
        })
        .collect();
    let is_object = |map: &Map| map.get("type").is_some_and(|t| names(t) == ["object"]);
    if maps.len() > 1 && maps.iter().all(is_object) {
        let lost = "that only certain keys go together";
        log.wider(
            map,
            "anyOf",
            LossKind::Union,
            lost,
            "the alternatives were made one object",
        );
        note_silence(map, "anyOf", &maps, log);
        let union = union_of_objects(&maps, map.place());
        merge(map, &union, log);
        // Keys that differ between the alternatives now have nested alternatives.
        crate::dialect::walk::children(map, |child| {
            bottom_up(child, &mut |map| first(map, log));
        });
        return;
    }
    if maps.len() > 1 {
        let lost = "alternatives";
        log.narrower(
            map,
            "anyOf",
            LossKind::Union,
            lost,
            "only the first can be sent",
        );
    }
    if let Some(one) = maps.first() {
        merge(map, one, log);
    }
}
