//! The schema of one parameter, limited to the keywords that ADL parameters support.

use crate::adl::SHARED;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::Log;
use crate::dialect::transform::leave_out;
use crate::dialect::tree::{Map, Tree};
use crate::schema::JsonSchema;

/// Rewrites a schema for ADL. Unsupported keywords move into `allOf`, which takes any schema.
pub(super) fn shape(schema: &mut Tree, log: &mut Log) {
    if let Tree::Bool(allowed) = *schema {
        *schema = Tree::Object(crate::dialect::transform::as_object(allowed, &log.place));
    }
    let Tree::Object(map) = schema else { return };
    fitting_default(map, log);
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
    finish(map, one_type, log);
}

/// Rewrites a schema for ADL 1.0.
pub(super) fn plain(schema: &mut Tree, log: &mut Log) {
    if let Tree::Bool(allowed) = *schema {
        *schema = Tree::Object(crate::dialect::transform::as_object(allowed, &log.place));
    }
    let Tree::Object(map) = schema else { return };
    let one_type = map.text("type").is_some();
    if !one_type && map.take("type").is_some() {
        let lost = "a choice of types";
        log.wider(map, "type", LossKind::Union, lost, "it may be anything");
    }
    let goes = |key: &str| !matches!(key, "type" | "description" | "default");
    for (keyword, value) in map.take_all(goes) {
        leave_out(map, &keyword, &value, log);
    }
    fitting_default(map, log);
    finish(map, one_type, log);
}

fn finish(map: &mut Map, one_type: bool, log: &mut Log) {
    if !one_type {
        map.set_first("type", Tree::string("any"));
    }
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

/// In ADL, a null default means that there is no default, and another must be one that the
/// parameter takes.
fn fitting_default(map: &mut Map, log: &mut Log) {
    let Some(default) = map.take("default") else {
        return;
    };
    let lost = match default {
        Tree::Null => "the default null",
        _ if fits(map, &default) => {
            map.set("default", default);
            return;
        }
        _ => "a default that the parameter refuses",
    };
    let what = (LossKind::Annotation, Effect::Documentation);
    log.lose(map.place(), "default", what, lost, "it was left out");
}

fn fits(schema: &Map, value: &Tree) -> bool {
    let schema = Tree::Object(schema.clone()).to_value();
    let value = value.to_value();
    JsonSchema::from_value(&schema)
        .is_ok_and(|schema| schema.checker().is_valid(value.text().as_bytes()))
}
