//! The document with all tools.

use super::super::super::tree::{Map, Tree};
use super::super::{NAME, NAMES, OURS};
use super::components::Components;
use super::{Version, errors, object};

/// Builds a document from path items, sharing their definitions.
pub(in crate::dialect::openapi) fn document(items: Vec<Tree>, version: Version) -> Tree {
    let mut components = Components::default();
    components.reserve(errors::ERROR, version.schema(errors::schema()));
    let mut paths = Map::default();
    for mut item in items {
        let operation = item.as_map_mut().and_then(|item| item.map_mut("post"));
        let Some(operation) = operation else { continue };
        let own = operation.map(OURS).and_then(|ours| ours.text(NAME));
        let name = own.or_else(|| operation.text("operationId"));
        let name = name.unwrap_or_default().to_owned();
        share(operation, &name, &mut components);
        paths.set(&format!("/tools/{name}"), item);
    }
    let components = object([
        ("schemas", Tree::Object(components.into_schemas())),
        ("responses", Tree::Object(errors::responses())),
    ]);
    let info = object([
        ("title", Tree::string("Tools")),
        ("version", Tree::string("1")),
    ]);
    object([
        ("openapi", Tree::string(version.number())),
        ("info", info),
        ("paths", Tree::Object(paths)),
        ("components", components),
    ])
}

/// Moves the definitions of both schemas of an operation to the components.
fn share(operation: &mut Map, tool: &str, components: &mut Components) {
    let mut names = Map::default();
    let body = operation.map_mut("requestBody");
    for schema in body.into_iter().flat_map(schemas_of) {
        components.share(schema, &format!("{tool}.parameters"), &mut names);
    }
    let response = operation
        .map_mut("responses")
        .and_then(|all| all.map_mut("200"));
    for schema in response.into_iter().flat_map(schemas_of) {
        components.share(schema, &format!("{tool}.returns"), &mut names);
    }
    if let (Some(ours), false) = (operation.map_mut(OURS), names.is_empty()) {
        ours.set(NAMES, Tree::Object(names));
    }
}

/// The schemas of all content types.
fn schemas_of(part: &mut Map) -> impl Iterator<Item = &mut Tree> {
    let content = part.map_mut("content").into_iter();
    let media = content.flat_map(Map::values_mut);
    media.filter_map(|media| media.as_map_mut()?.get_mut("schema"))
}
