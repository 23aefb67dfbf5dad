//! The bodies of requests and responses.

use crate::Pointer;
use crate::contract::Contract;
use crate::returns::{ReturnType, Returns};

use super::super::super::standard;
use super::super::super::tree::{Map, Tree};
use super::super::super::walk::top_down;
use super::super::{DEFINITIONS, is_json};
use super::{Version, object};

const JSON: &str = "application/json";

/// The response of a call that succeeds. A result that is not JSON can also be had as JSON.
pub(super) fn success(contract: &Contract, schema: Option<Tree>, version: Version) -> Tree {
    let said = contract.return_type();
    let own = said.map(ReturnType::content_type);
    let mut types = Map::default();
    match contract.returns() {
        Returns::Opaque => drop(types.set(own.unwrap_or("text/plain"), media(Some(text())))),
        returns => {
            let schema = match returns {
                Returns::Standard {
                    standard,
                    refinement: None,
                } => {
                    let schema = standard::schema_of(*standard, &Pointer::root());
                    Some(named(standard.name(), version.schema(schema)))
                }
                _ => schema,
            };
            let json = own.filter(|own| is_json(own)).unwrap_or(JSON);
            types.set(json, media(schema));
            if let Some(other) = own.filter(|own| !is_json(own)) {
                types.set(other, media(Some(text())));
            }
        }
    }
    if let Some((_, Tree::Object(first))) = types.iter_mut().next()
        && let Some(examples) = said.and_then(examples)
    {
        first.set("examples", examples);
    }
    let description = said.and_then(ReturnType::description);
    let description = Tree::string(description.unwrap_or("What the tool returns."));
    let content = Tree::Object(types);
    object([("description", description), ("content", content)])
}

/// Content of one type.
pub(super) fn content(content_type: &str, schema: Option<Tree>) -> Tree {
    object([(content_type, media(schema))])
}

/// Identifiers are dropped from the schema: our references are pointers, and duplicate identifiers
/// would be refused.
fn media(schema: Option<Tree>) -> Tree {
    let mut media = Map::default();
    if let Some(mut schema) = schema {
        top_down(&mut schema, &mut |map| {
            for keyword in ["$id", "$anchor", "$dynamicAnchor"] {
                map.take(keyword);
            }
        });
        media.set("schema", schema);
    }
    Tree::Object(media)
}

fn text() -> Tree {
    object([("type", Tree::string("string"))])
}

/// A schema with a name, which tools can share.
fn named(name: &str, schema: Tree) -> Tree {
    let reference = Tree::string(format!("{DEFINITIONS}{name}"));
    let definitions = object([(name, schema)]);
    object([("$ref", reference), ("$defs", definitions)])
}

/// Examples have names in OpenAPI.
fn examples(said: &ReturnType) -> Option<Tree> {
    let mut named = Map::default();
    for (number, example) in (1..).zip(said.examples()) {
        let value = Tree::of(example.root(), &Pointer::root());
        named.set(&format!("example_{number}"), object([("value", value)]));
    }
    (!named.is_empty()).then_some(Tree::Object(named))
}
