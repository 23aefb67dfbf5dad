//! Plain JSON Schema 2020-12: `{name, description, input, output}`.

use crate::json::Node;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Output, Parts};
use super::profile::Profile;
use super::spec::{Claim, Evidence, List, Spec};
use super::tree::Tree;

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::BARE,
    read: |node, name, losses| read(node).contract(name, losses),
    claims: |one| {
        let is_tool = one.is_named() && (one.has("input") || one.has("output"));
        is_tool.then_some(Claim {
            by: Evidence::Fields,
            is_certain: false,
        })
    },
    list_keys: &["tools"],
    input_keys: &["input"],
    output_keys: &["output"],
    messages: None,
    any_name: true,
    limits: None,
};

const LAYOUT: Layout = Layout {
    input: &Profile::ANYTHING,
    output: Some(Output::schema(&Profile::ANYTHING)),
    effects: false,
    text: false,
    timeout: false,
    tool,
};

fn tool(parts: Parts<'_>) -> Tree {
    let mut tool = parts.named();
    tool.set("input", parts.input);
    if let Some(output) = parts.output {
        tool.set("output", output);
    }
    Tree::Object(tool)
}

fn read(node: Node<'_>) -> ImportDraft<'_> {
    let mut found = ImportDraft::of(node, &["name", "description", "input", "output"]);
    found.required_parameters("input");
    found.returns(node.get("output"));
    found
}
