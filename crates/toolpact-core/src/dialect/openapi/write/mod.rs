//! Writes OpenAPI 3.1 and 3.0.

mod components;
mod content;
mod document;
mod errors;

use crate::Pointer;
use crate::contract::Contract;
use crate::json::report::Report;
use crate::json::{Node, Value, Writer};
use crate::schema::keyword_names;
pub(super) use document::document;

use super::super::export::run;
use super::super::layout::{Layout, Output, Parts};
use super::super::profile::Profile;
use super::super::references::References;
use super::super::step::Log;
use super::super::transform::steps;
use super::super::tree::{Map, Tree};
use super::{NAME, OURS};
use content::{content, success};

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
    tool: |parts| tool(parts, Version::V3_1),
};

pub(in crate::dialect) const LAYOUT_3_0: Layout = Layout {
    input: &PROFILE_3_0,
    output: Some(Output {
        profile: &PROFILE_3_0,
        objects_only: false,
        in_our_words: true,
    }),
    tool: |parts| tool(parts, Version::V3_0),
    ..LAYOUT
};

const PROFILE: Profile = Profile {
    references: References::Pointers,
    ..Profile::ANYTHING
};

const PROFILE_3_0: Profile = Profile {
    references: References::Alone,
    steps: steps![
        NO_NULLABLE OBJECT_SCHEMAS EXACT_CHOICES PATTERN_KEYS UNEVALUATED CONDITIONS CONSTS TUPLES NULL_FLAG
        LIST_TYPES NULL_FLAG SOME_ITEMS EXCLUSIVE_FLAGS ONE_EXAMPLE SOME_REQUIRED UNSUPPORTED
    ],
    keywords: Some(keyword_names!(
        "type title description format default example enum multipleOf minimum exclusiveMinimum \
         maximum exclusiveMaximum minLength maxLength pattern items minItems maxItems uniqueItems \
         properties required additionalProperties minProperties maxProperties allOf oneOf anyOf not \
         nullable readOnly writeOnly deprecated $ref $defs"
    )),
    formats: None,
    keys: None,
    tells: true,
};

/// The version that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V3_0,
    V3_1,
}

impl Version {
    fn number(self) -> &'static str {
        match self {
            Self::V3_0 => "3.0.3",
            Self::V3_1 => "3.1.0",
        }
    }

    /// One of our own schemas in this version.
    fn schema(self, mut schema: Tree) -> Tree {
        if self == Self::V3_0 {
            let mut log = Log::new(&PROFILE_3_0, Pointer::root());
            // No step of this profile refuses a schema.
            drop(run(PROFILE_3_0.steps, &mut schema, &mut log));
        }
        schema
    }
}

/// The path item of a tool, with the definitions inside its schemas.
fn tool(parts: Parts<'_>, version: Version) -> Tree {
    let contract = parts.contract;
    let mut item = item(parts, version);
    let missing = missing(&item, contract, version);
    let value = contract.to_value();
    for field in missing {
        if let (Some(node), Some(ours)) = (value.root().get(field), ours(&mut item)) {
            ours.set(field, unchanged(node));
        }
    }
    item
}

/// A field of the contract. With references, it is JSON in a string: they lead into the contract, and other programs
/// follow all references of a document, those in extensions too.
fn unchanged(node: Node<'_>) -> Tree {
    let tree = Tree::of(node, &Pointer::root());
    let value = tree.to_value();
    let refers = ["\"$ref\"", "\"$dynamicRef\""];
    match refers.iter().any(|key| value.text().contains(key)) {
        true => Tree::string(value.text()),
        false => tree,
    }
}

fn item(parts: Parts<'_>, version: Version) -> Tree {
    let contract = parts.contract;
    let mut operation = Map::default();
    operation.set("operationId", Tree::string(parts.name));
    operation.set("description", Tree::string(contract.description()));
    let mut body = Map::default();
    body.set("required", Tree::Bool(true));
    body.set("content", content("application/json", Some(parts.input)));
    operation.set("requestBody", Tree::Object(body));
    let mut responses = Map::default();
    responses.set("200", success(contract, parts.output, version));
    for (status, response) in errors::references() {
        responses.set(&status, response);
    }
    operation.set("responses", Tree::Object(responses));
    operation.set(OURS, Tree::Object(besides(contract, parts.name)));
    object([("post", Tree::Object(operation))])
}

/// The contract fields that OpenAPI cannot express.
fn besides(contract: &Contract, name: &str) -> Map {
    let value = contract.to_value();
    let mut map = Map::default();
    map.set("version", Tree::Number("1".into()));
    // Its path has the name of the contract.
    if name != contract.name().as_str() {
        map.set(NAME, Tree::string(contract.name().as_str()));
    }
    for field in ["text", "effects", "timeout_ms"] {
        if let Some(node) = value.root().get(field) {
            map.set(field, Tree::of(node, &Pointer::root()));
        }
    }
    map
}

/// The contract fields that do not round-trip through the path item, found by reading it back.
fn missing(item: &Tree, contract: &Contract, version: Version) -> Vec<&'static str> {
    let document = document(vec![item.clone()], version).to_value();
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
