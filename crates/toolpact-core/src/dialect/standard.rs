//! Standard return types inside other schemas: exports refer to them by name, contracts by URI.

use crate::Pointer;
use crate::returns::StandardType;

use super::tree::{Map, Tree};
use super::walk::top_down;

/// Gives the standard types in `$defs` plain names and drops their identifiers: some readers refuse
/// duplicate identifiers.
pub(super) fn localise(tree: &mut Tree) {
    let Tree::Object(map) = tree else { return };
    let Some(definitions) = map.map_mut("$defs") else {
        return;
    };
    // Skips names that the schema already uses for something else.
    let free: Vec<StandardType> = StandardType::all()
        .filter(|one| !definitions.has(one.name()))
        .collect();
    let inside = |name: &str| free.iter().find(|standard| standard.uri() == name).copied();
    if !definitions.keys().any(|name| inside(name).is_some()) {
        return;
    }
    definitions.rename(|name| inside(name).map(|standard| standard.name().into()));
    for (_, schema) in definitions
        .iter_mut()
        .filter(|(name, schema)| StandardType::from_name(name).is_some_and(|s| is(schema, s)))
    {
        if let Tree::Object(schema) = schema {
            schema.take("$id");
        }
    }
    top_down(tree, &mut |map| {
        if let Some(standard) = map.text("$ref").and_then(inside) {
            map.set("$ref", Tree::string(format!("#/$defs/{standard}")));
        }
    });
}

/// The inverse: refers to standard types by URI and drops their definitions.
pub(super) fn recognise(tree: &mut Tree) {
    let Tree::Object(map) = tree else { return };
    let Some(definitions) = map.map_mut("$defs") else {
        return;
    };
    let known: Vec<StandardType> = definitions
        .iter()
        .filter_map(|(name, schema)| StandardType::from_name(name).filter(|s| is(schema, *s)))
        .collect();
    for standard in &known {
        definitions.take(standard.name());
    }
    if definitions.is_empty() {
        map.take("$defs");
    }
    top_down(tree, &mut |map| {
        let name = map
            .text("$ref")
            .and_then(|reference| reference.strip_prefix("#/$defs/"));
        let standard = name
            .and_then(StandardType::from_name)
            .filter(|s| known.contains(s));
        if let Some(standard) = standard {
            map.set("$ref", Tree::string(standard.uri()));
        }
    });
}

/// The standard type that a schema equals, with or without its identifier.
pub(super) fn standard_of(schema: &Tree) -> Option<StandardType> {
    StandardType::all().find(|standard| is(schema, *standard))
}

/// The schema of a standard type, without its identifier.
pub(super) fn schema_of(standard: StandardType, place: &Pointer) -> Tree {
    let mut tree = Tree::of(standard.schema().to_value().root(), place);
    if let Tree::Object(map) = &mut tree {
        map.take("$id");
    }
    tree
}

fn is(schema: &Tree, standard: StandardType) -> bool {
    let Tree::Object(map) = schema else {
        return false;
    };
    let mut own: Map = map.clone();
    own.take("$id");
    Tree::Object(own) == schema_of(standard, &Pointer::root())
}
