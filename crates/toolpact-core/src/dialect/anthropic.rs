//! Anthropic Messages.

use crate::json::Node;
use crate::schema::keyword_names;
use crate::text::words;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Parts};
use super::message::anthropic as message;
use super::profile::{KeyRule, Profile};
use super::references::References;
use super::spec::{Candidate, Claim, Limits, List, PLAIN_NAME, Spec};
use super::transform::steps;
use super::tree::Tree;

/// Applies only to top-level argument keys.
const KEYS: KeyRule = KeyRule {
    others: b".-",
    any_first: true,
    longest: 64,
    top_only: true,
};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::BARE,
    read: |node, name, losses| read(node).contract(name, losses),
    claims: claim,
    list_keys: &["tools"],
    input_keys: &["input_schema"],
    output_keys: &[],
    messages: Some(&message::FORM),
    any_name: false,
    limits: Some(Limits {
        name: KeyRule {
            longest: 128,
            ..PLAIN_NAME
        },
        refuses_names: true,
        description: None,
        tools: None,
        keywords: &[],
        to_json_schema: |_| {},
        refuses_formats: true,
    }),
};

pub(super) const SPEC_STRICT: Spec = Spec {
    layout: Some(&LAYOUT_STRICT),
    claims: |one| claim(one).filter(|_| one.is_strict()),
    ..SPEC
};

fn claim(one: Candidate<'_>) -> Option<Claim> {
    one.owns(&["input_schema"])
        .filter(|_| !one.has("inputSchema"))
}

const LAYOUT: Layout = Layout {
    input: &Profile {
        references: References::Defs,
        steps: steps![OBJECT_ROOT KEYS],
        keys: Some(KEYS),
        ..Profile::ANYTHING
    },
    output: None,
    effects: false,
    text: false,
    timeout: false,
    tool: |parts| tool(parts, false),
};

const LAYOUT_STRICT: Layout = Layout {
    input: &STRICT,
    tool: |parts| tool(parts, true),
    ..LAYOUT
};

const STRICT: Profile = Profile {
    references: References::Local,
    steps: steps![
        BOOLEANS ALL_OF UNEVALUATED CONDITIONS ONE_OF OBJECT_ROOT NO_RECURSION TUPLES SCALAR_ENUMS
        LIST_TYPES DISTRIBUTE SCALAR_ENUMS ONE_TYPE NO_EFFECT REQUIRED_NAMED ANY_VALUE FORMATS ONE_ITEM CLOSE
        KEYS UNSUPPORTED SOME_PROPERTIES ANTHROPIC_LIMITS
    ],
    keywords: Some(keyword_names!(
        "type title description properties required additionalProperties items minItems anyOf enum \
         const format $ref $defs"
    )),
    formats: Some(words!(
        "date-time time date duration email hostname uri ipv4 ipv6 uuid"
    )),
    keys: Some(KEYS),
    tells: true,
};

fn tool(parts: Parts<'_>, strict: bool) -> Tree {
    let mut tool = parts.named();
    if strict {
        tool.set("strict", Tree::Bool(true));
    }
    tool.set("input_schema", parts.input);
    Tree::Object(tool)
}

fn read(node: Node<'_>) -> ImportDraft<'_> {
    let known = ["type", "name", "description", "input_schema", "strict"];
    let mut found = ImportDraft::of(node, &known);
    found.required_parameters("input_schema");
    found
}
