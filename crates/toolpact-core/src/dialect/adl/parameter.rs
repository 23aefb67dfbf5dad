//! The schema of one parameter, limited to the keywords that ADL parameters support.

use crate::adl::SHARED;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::Log;
use crate::dialect::tree::{Map, Tree};

/// Rewrites a schema for ADL. Unsupported keywords move into `allOf`, which takes any schema.
pub(super) fn shape(schema: &mut Tree, log: &mut Log) {
    if let Tree::Bool(allowed) = *schema {
        *schema = Tree::Object(crate::dialect::transform::as_object(allowed, &log.place));
    }
    let Tree::Object(map) = schema else { return };
    let one_type = map.text("type").is_some();
    let mut rest = Map::at(map.place());
    let has_word = |key: &str| match key {
        "type" => one_type,
        key => key == "required" || SHARED.contains(&key),
    };
    // Keywords affect their siblings, so they move together.
    let moves =
        |key: &str| !matches!(key, "type" if one_type) && !matches!(key, "description" | "default");
    if !map.keys().all(has_word) {
        for (keyword, value) in map.take_all(moves) {
            rest.set(&keyword, value);
        }
    }
    if !rest.is_empty() {
        log.rewritten(
            map,
            "",
            "keywords that a parameter does not have",
            "written inside of `allOf`",
        );
        map.set("allOf", Tree::Array(vec![Tree::Object(rest)]));
    }
    if !one_type {
        map.set_first("type", Tree::string("any"));
    }
    null_default(map, log);
    if map.text("description").is_none() {
        map.set("description", Tree::string("Not described."));
        let what = (LossKind::Description, Effect::Documentation);
        log.lose(
            map.place(),
            "",
            what,
            "a parameter without a description",
            "it says so",
        );
    }
}

/// In ADL, a null default means that there is no default.
fn null_default(map: &mut Map, log: &mut Log) {
    if map.get("default") == Some(&Tree::Null) {
        map.take("default");
        let what = (LossKind::Annotation, Effect::Documentation);
        log.lose(
            map.place(),
            "default",
            what,
            "the default null",
            "it was left out",
        );
    }
}
