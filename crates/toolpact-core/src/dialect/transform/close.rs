use super::merge::names;
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// Strict modes require closed objects.
pub(in crate::dialect) const CLOSE: Step = Step {
    name: "close",
    about: "refuses unnamed keys in every object",
    apply: |tree, log| bottom_up(tree, &mut |map| close(map, log)),
};

/// In ADM, exactly the objects that declare keys are closed.
pub(in crate::dialect) const OPEN: Step = Step {
    name: "named-keys",
    about: "closes objects with named keys, and opens those without",
    apply: |tree, log| {
        let mut root = true;
        crate::dialect::walk::top_down(tree, &mut |map| {
            open_or_close(map, root, log);
            root = false;
        });
    },
};

fn is_object(map: &Map) -> bool {
    let typed = map
        .get("type")
        .is_some_and(|types| names(types).contains(&"object"));
    typed || map.has("properties")
}

pub(in crate::dialect) fn close(map: &mut Map, log: &mut Log) {
    if !is_object(map) {
        return;
    }
    note_patterns(map, log);
    match map.take("additionalProperties") {
        Some(Tree::Bool(false)) => {}
        said => {
            let is_named = map.map("properties").is_some_and(|own| !own.is_empty());
            let kind = match said {
                None if is_named => LossKind::OpenByDefault,
                _ => LossKind::ClosedObject,
            };
            let lost = "keys that are not named";
            log.narrower(map, "", kind, lost, "they cannot be sent");
        }
    }
    map.set("additionalProperties", Tree::Bool(false));
}

fn note_patterns(map: &mut Map, log: &mut Log) {
    if map.take("patternProperties").is_some() {
        let lost = "keys that match a pattern";
        log.narrower(
            map,
            "patternProperties",
            LossKind::Map,
            lost,
            "they cannot be sent",
        );
        let named = map.map("properties").is_some_and(|own| !own.is_empty());
        if named {
            let lost = "rules for the keys that are named and match a pattern";
            let instead = "they were left out";
            log.wider(map, "patternProperties", LossKind::Map, lost, instead);
        }
    }
}

fn open_or_close(map: &mut Map, root: bool, log: &mut Log) {
    if !is_object(map) {
        return;
    }
    let named = map
        .map("properties")
        .is_some_and(|properties| !properties.is_empty());
    if named || root {
        close(map, log);
        map.take("additionalProperties");
        return;
    }
    for keyword in ["patternProperties", "additionalProperties"] {
        match map.take(keyword) {
            None | Some(Tree::Bool(true)) => {}
            Some(_) => {
                let lost = "rules for keys that are not named";
                log.wider(
                    map,
                    keyword,
                    LossKind::Map,
                    lost,
                    "any key can be sent, with any value",
                );
            }
        }
    }
}
