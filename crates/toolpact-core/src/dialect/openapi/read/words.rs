//! Converts OpenAPI schemas to JSON Schema.

use std::collections::{BTreeSet, HashSet};

use super::super::super::tree::{Map, Tree};
use super::super::super::walk::top_down;
use super::super::super::{openapi_schema, patterns, upgrade_draft};

/// Whether a schema describes a request or a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Request,
    Response,
}

/// What a schema loses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeftOut {
    /// A keyword that a contract does not support.
    Keyword(&'static str),
    /// A pattern that cannot be checked.
    Pattern(&'static str),
}

/// Annotations that only OpenAPI has.
const DOCUMENTATION: [&str; 3] = ["discriminator", "externalDocs", "xml"];

/// Rewrites a schema as JSON Schema 2020-12. Collects what was dropped.
pub(super) fn translate(tree: &mut Tree, old: bool, side: Side, left_out: &mut BTreeSet<LeftOut>) {
    top_down(tree, &mut |map| {
        if old {
            translate_3_0(map);
        }
        // `exclusiveMinimum: true` is invalid in 2020-12, but many documents kept it in 3.1.
        upgrade_draft::exclusive(map);
        for keyword in DOCUMENTATION {
            if map.take(keyword).is_some() {
                left_out.insert(LeftOut::Keyword(keyword));
            }
        }
        one_sided(map, side);
    });
    upgrade_draft::upgrade(tree);
    patterns::leave_out(tree, &mut |_, what| {
        left_out.insert(LeftOut::Pattern(what));
    });
}

fn translate_3_0(map: &mut Map) {
    // In 3.0, siblings of a reference are ignored.
    if let Some(reference) = map.take("$ref") {
        let mut alone = Map::at(map.place());
        alone.set("$ref", reference);
        *map = alone;
        return;
    }
    openapi_schema::nullable(map);
    if map.text("type") == Some("file") {
        map.set("type", Tree::string("string"));
        map.set("format", Tree::string("binary"));
    }
    if let Some(example) = map.take("example") {
        map.set("examples", Tree::Array(vec![example]));
    }
}

/// Drops the members that exist only on the other side.
fn one_sided(map: &mut Map, side: Side) {
    let word = match side {
        Side::Request => "readOnly",
        Side::Response => "writeOnly",
    };
    let Some(properties) = map.map_mut("properties") else {
        return;
    };
    let other = |schema: &Tree| {
        let flag = schema.as_map().and_then(|schema| schema.get(word));
        flag == Some(&Tree::Bool(true))
    };
    let gone = properties.iter().filter(|(_, schema)| other(schema));
    let gone: HashSet<String> = gone.map(|(name, _)| name.to_owned()).collect();
    if gone.is_empty() {
        return;
    }
    for name in &gone {
        properties.take(name);
    }
    if let Some(required) = map.get_mut("required").and_then(Tree::as_array_mut) {
        required.retain(|name| name.as_str().is_none_or(|name| !gone.contains(name)));
    }
}
