//! Amazon Bedrock, the Converse API: `toolConfig`.

use crate::json::Node;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Parts};
use super::message::bedrock as message;
use super::profile::Profile;
use super::references::References;
use super::spec::{Claim, Evidence, Limits, List, PLAIN_NAME, Spec};
use super::transform::steps;
use super::tree::{Map, Tree};

/// Where the definition of a tool is.
pub(super) const TOOL_SPEC: &str = "toolSpec";
/// Where the schema is inside of `inputSchema`.
pub(super) const JSON: &str = "json";

const INPUT: &str = "inputSchema";

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Between(r#"{"tools":["#, "]}"),
    read: |node, name, losses| read(node).contract(name, losses),
    claims: |one| {
        one.has(TOOL_SPEC).then_some(Claim {
            by: Evidence::OwnField,
            is_certain: one.is_named(),
        })
    },
    list_keys: &["tools"],
    input_keys: &[INPUT],
    output_keys: &[],
    messages: Some(&message::FORM),
    any_name: false,
    limits: Some(Limits {
        name: PLAIN_NAME,
        refuses_names: true,
        description: None,
        tools: None,
        keywords: &[],
        to_json_schema: |_| {},
        refuses_formats: false,
    }),
};

/// The API passes schemas on to the model, and takes an object at the top only.
const LAYOUT: Layout = Layout {
    input: &Profile {
        references: References::Defs,
        steps: steps![OBJECT_ROOT],
        ..Profile::ANYTHING
    },
    output: None,
    effects: false,
    text: false,
    timeout: false,
    tool,
};

fn tool(parts: Parts<'_>) -> Tree {
    let mut spec = parts.named();
    let mut schema = Map::default();
    schema.set(JSON, parts.input);
    spec.set(INPUT, Tree::Object(schema));
    let mut tool = Map::default();
    tool.set(TOOL_SPEC, Tree::Object(spec));
    Tree::Object(tool)
}

fn read(node: Node<'_>) -> ImportDraft<'_> {
    let node = node.get(TOOL_SPEC).unwrap_or(node);
    let known = ["name", "description", INPUT, "strict"];
    let mut found = ImportDraft::of(node, &known);
    let schema = node.get(INPUT).and_then(|schema| schema.get(JSON));
    found.required_schema(schema, "inputSchema.json");
    found
}
