//! The words of OpenAPI in schemas, as JSON Schema.

use std::collections::{BTreeSet, HashSet};

use super::super::super::tree::{Map, Tree};
use super::super::super::walk::top_down;
use super::super::super::{openapi_schema, upgrade_draft};

/// Whether a schema is that of what is sent or of what comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Request,
    Response,
}

/// Keywords that no value can break and nobody else knows.
const DOCUMENTATION: [&str; 3] = ["discriminator", "externalDocs", "xml"];

/// Writes a schema as JSON Schema 2020-12. Notes the keywords that were left out.
pub(super) fn translate(
    tree: &mut Tree,
    old: bool,
    side: Side,
    left_out: &mut BTreeSet<&'static str>,
) {
    top_down(tree, &mut |map| {
        if old {
            translate_3_0(map);
        }
        // A flag means nothing in 2020-12, but many who moved to 3.1 left it as it was.
        upgrade_draft::exclusive(map);
        for keyword in DOCUMENTATION {
            if map.take(keyword).is_some() {
                left_out.insert(keyword);
            }
        }
        one_sided(map, side);
    });
    upgrade_draft::upgrade(tree);
}

fn translate_3_0(map: &mut Map) {
    // What stands beside a reference has no effect.
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

/// Takes out the members that are only for the other side.
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
