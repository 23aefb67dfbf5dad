//! Writes OpenAPI 3.1.

mod components;
mod document;
mod errors;

use crate::Pointer;
use crate::contract::Contract;
use crate::json::report::Report;
use crate::json::{Value, Writer};
use crate::returns::Returns;
pub(super) use document::document;

use super::super::layout::{Layout, Output, Parts};
use super::super::profile::Profile;
use super::super::references::References;
use super::super::standard;
use super::super::tree::{Map, Tree};
use super::super::walk::top_down;
use super::OURS;

pub(in crate::dialect) const LAYOUT: Layout = Layout {
    input: &PROFILE,
    output: Some(Output {
        profile: &PROFILE,
        objects_only: false,
        in_our_words: true,
    }),
    effects: true,
    text: true,
    timeout: true,
    tool,
};

const PROFILE: Profile = Profile {
    references: References::Pointers,
    ..Profile::ANYTHING
};

/// The path item of a tool, with the definitions inside its schemas.
fn tool(parts: Parts<'_>) -> Tree {
    let contract = parts.contract;
    let mut item = item(parts);
    let missing = missing(&item, contract);
    let value = contract.to_value();
    for field in missing {
        if let (Some(node), Some(ours)) = (value.root().get(field), ours(&mut item)) {
            ours.set(field, Tree::of(node, &Pointer::root()));
        }
    }
    item
}

fn item(parts: Parts<'_>) -> Tree {
    let contract = parts.contract;
    let mut operation = Map::default();
    operation.set("operationId", Tree::string(contract.name().as_str()));
    operation.set("description", Tree::string(contract.description()));
    let mut body = Map::default();
    body.set("required", Tree::Bool(true));
    body.set("content", content("application/json", Some(parts.input)));
    operation.set("requestBody", Tree::Object(body));
    let mut responses = Map::default();
    responses.set("200", success(contract, parts.output));
    for (status, response) in errors::references() {
        responses.set(&status, response);
    }
    operation.set("responses", Tree::Object(responses));
    operation.set(OURS, Tree::Object(besides(contract)));
    object([("post", Tree::Object(operation))])
}

fn success(contract: &Contract, schema: Option<Tree>) -> Tree {
    let said = contract
        .return_type()
        .and_then(|object| object.description());
    let content = match contract.returns() {
        Returns::Opaque => content(
            "text/plain",
            Some(object([("type", Tree::string("string"))])),
        ),
        Returns::Standard {
            standard,
            refinement: None,
        } => {
            let name = standard.name();
            let schema = standard::schema_of(*standard, &Pointer::root());
            let reference = Tree::string(format!("{}{name}", super::DEFINITIONS));
            let definitions = object([(name, schema)]);
            let schema = object([("$ref", reference), ("$defs", definitions)]);
            content("application/json", Some(schema))
        }
        _ => content("application/json", schema),
    };
    let description = Tree::string(said.unwrap_or("What the tool returns."));
    object([("description", description), ("content", content)])
}

/// Content of one type. Identifiers are dropped from its schema: our references are pointers, and
/// duplicate identifiers would be refused.
fn content(content_type: &str, schema: Option<Tree>) -> Tree {
    let mut media = Map::default();
    if let Some(mut schema) = schema {
        top_down(&mut schema, &mut |map| {
            for keyword in ["$id", "$anchor", "$dynamicAnchor"] {
                map.take(keyword);
            }
        });
        media.set("schema", schema);
    }
    object([(content_type, Tree::Object(media))])
}

/// The contract fields that OpenAPI cannot express.
fn besides(contract: &Contract) -> Map {
    let value = contract.to_value();
    let mut map = Map::default();
    map.set("version", Tree::Number("1".into()));
    for field in ["text", "effects", "timeout_ms"] {
        if let Some(node) = value.root().get(field) {
            map.set(field, Tree::of(node, &Pointer::root()));
        }
    }
    map
}

/// The contract fields that do not round-trip through the path item, found by reading it back.
fn missing(item: &Tree, contract: &Contract) -> Vec<&'static str> {
    let document = document(vec![item.clone()]).to_value();
    let mut report = Report::new(1);
    let read = super::operations(document.root(), &mut report)
        .and_then(|mut all| all.next())
        .and_then(|operation| operation.read.ok());
    let read = read.and_then(|read| read.contract(contract.name().as_str()).ok());
    let (wanted, found) = (canonical(contract), read.as_ref().map(canonical));
    let text = |contract: &Value, field: &str| {
        let node = contract.root().get(field);
        node.map(|node| node.text().to_owned())
    };
    let told = |field: &str| {
        let found = found.as_ref().map(|found| text(found, field));
        found == Some(text(&wanted, field))
    };
    let fields = ["parameters", "returns"].into_iter();
    fields.filter(|field| !told(field)).collect()
}

fn canonical(contract: &Contract) -> Value {
    let mut writer = Writer::default();
    writer.raw(&contract.to_canonical());
    Value::trusted(writer)
}

fn ours(item: &mut Tree) -> Option<&mut Map> {
    item.as_map_mut()?.map_mut("post")?.map_mut(OURS)
}

fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
    let mut map = Map::default();
    for (key, value) in members {
        map.set(key, value);
    }
    Tree::Object(map)
}
