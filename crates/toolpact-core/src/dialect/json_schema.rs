//! Plain JSON Schema 2020-12: `{name, description, input, output}`.

use crate::json::Node;

use super::found::Found;
use super::layout::{Layout, Output, Parts, bare_list};
use super::profile::Profile;
use super::tree::Tree;

pub(super) const LAYOUT: Layout = Layout {
    input: &Profile::ANYTHING,
    output: Some(Output {
        profile: &Profile::ANYTHING,
        objects_only: false,
        in_our_words: false,
    }),
    effects: false,
    text: false,
    timeout: false,
    tool,
    list: bare_list,
};

fn tool(parts: Parts<'_>) -> Tree {
    let mut tool = parts.named();
    tool.set("input", parts.input);
    if let Some(output) = parts.output {
        tool.set("output", output);
    }
    Tree::Object(tool)
}

pub(super) fn read(node: Node<'_>) -> Found<'_> {
    let mut found = Found::of(node, &["name", "description", "input", "output"]);
    found.required_parameters("input");
    found.returns(node.get("output"));
    found
}
