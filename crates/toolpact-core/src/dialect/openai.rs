//! OpenAI Responses and Chat Completions.

use crate::json::{Kind, Node};
use crate::schema::keyword_names;
use crate::text::words;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Output, Parts};
use super::message::openai as message;
use super::profile::Profile;
use super::references::References;
use super::shape::{Spelling, is_list};
use super::spec::{Candidate, Claim, Evidence, Limits, List, PLAIN_NAME, Spec};
use super::transform::steps;
use super::tree::{Map, Tree};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::BARE,
    read: |node, name, losses| read(node).contract(name, losses),
    claims: |one| responses_claim(one).or_else(|| bare_claim(one)),
    list_keys: &["tools", "functions"],
    input_keys: &["parameters"],
    output_keys: &["output_schema", RESPONSE],
    messages: Some(&message::FORM),
    any_name: false,
    limits: Some(Limits {
        name: PLAIN_NAME,
        refuses_names: true,
        description: Some(1024),
        tools: Some(128),
        keywords: &[],
        to_json_schema: |_| {},
        refuses_formats: true,
    }),
};

pub(super) const SPEC_STRICT: Spec = Spec {
    layout: Some(&LAYOUT_STRICT),
    claims: |one| responses_claim(one).filter(|_| one.is_strict()),
    ..SPEC
};

pub(super) const SPEC_CHAT: Spec = Spec {
    layout: Some(&LAYOUT_CHAT),
    claims: chat_claim,
    output_keys: &[RESPONSE],
    messages: Some(&message::FORM_CHAT),
    ..SPEC
};

pub(super) const SPEC_CHAT_STRICT: Spec = Spec {
    layout: Some(&LAYOUT_CHAT_STRICT),
    claims: |one| chat_claim(one).filter(|_| one.is_strict()),
    ..SPEC_CHAT
};

const LAYOUT: Layout = Layout {
    input: &LOOSE,
    // Describes the returned text, if it is JSON.
    output: Some(Output::schema(&Profile::ANYTHING)),
    effects: false,
    text: false,
    timeout: false,
    tool: |parts| responses(parts, false),
};

const LAYOUT_STRICT: Layout = Layout {
    input: &STRICT,
    tool: |parts| responses(parts, true),
    ..LAYOUT
};

const LAYOUT_CHAT: Layout = Layout {
    output: None,
    tool: |parts| chat(parts, false),
    ..LAYOUT
};

const LAYOUT_CHAT_STRICT: Layout = Layout {
    input: &STRICT,
    output: None,
    tool: |parts| chat(parts, true),
    ..LAYOUT
};

const LOOSE: Profile = Profile {
    references: References::Defs,
    steps: steps![OBJECT_ROOT SOME_PROPERTIES_AND_ITEMS],
    ..Profile::ANYTHING
};

const STRICT: Profile = Profile {
    references: References::Local,
    steps: steps![
        BOOLEANS ALL_OF UNEVALUATED CONDITIONS ONE_OF OBJECT_ROOT TUPLES SCALAR_ENUMS DISTRIBUTE
        SCALAR_ENUMS ONE_TYPE NO_EFFECT REQUIRED_NAMED ANY_VALUE FORMATS CLOSE UNSUPPORTED SOME_PROPERTIES
        REQUIRE OPENAI_LIMITS
    ],
    keywords: Some(keyword_names!(
        "type title description properties required additionalProperties items minItems maxItems \
         anyOf enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum \
         multipleOf $ref $defs"
    )),
    formats: Some(words!(
        "date-time time date duration email hostname ipv4 ipv6 uuid"
    )),
    keys: None,
    tells: true,
};

/// Where declarations of functions describe results, whatever they are written for.
const RESPONSE: &str = "response";

fn is_function(one: Candidate<'_>) -> bool {
    one.tool.get("type").and_then(Node::as_str).as_deref() == Some("function")
}

fn responses_claim(one: Candidate<'_>) -> Option<Claim> {
    let is_certain = one.is_named();
    let by = Evidence::OwnField;
    (is_function(one) && !is_chat(one)).then_some(Claim { by, is_certain })
}

fn chat_claim(one: Candidate<'_>) -> Option<Claim> {
    let is_certain = is_function(one);
    let by = Evidence::OwnField;
    is_chat(one).then_some(Claim { by, is_certain })
}

fn is_chat(one: Candidate<'_>) -> bool {
    let function = one.tool.get("function");
    function.is_some_and(|function| function.kind() == Kind::Object)
}

/// The functions of older APIs have no distinctive field.
fn bare_claim(one: Candidate<'_>) -> Option<Claim> {
    let parameters = one.tool.get("parameters")?;
    let is_lower = !is_list(parameters) && !Spelling::of(parameters).upper;
    (one.is_named() && is_lower && !one.is_declaration()).then_some(Claim {
        by: Evidence::Parameters,
        is_certain: false,
    })
}

fn responses(parts: Parts<'_>, strict: bool) -> Tree {
    let mut tool = Map::default();
    tool.set("type", Tree::string("function"));
    for (key, value) in parts.named().iter() {
        tool.set(key, value.clone());
    }
    tool.set("parameters", parts.input);
    tool.set("strict", Tree::Bool(strict));
    if let Some(output) = parts.output {
        tool.set("output_schema", output);
    }
    Tree::Object(tool)
}

fn chat(parts: Parts<'_>, strict: bool) -> Tree {
    let mut function = parts.named();
    function.set("parameters", parts.input);
    function.set("strict", Tree::Bool(strict));
    let mut tool = Map::default();
    tool.set("type", Tree::string("function"));
    tool.set("function", Tree::Object(function));
    Tree::Object(tool)
}

/// Reads both forms, and the bare function of older APIs.
fn read(node: Node<'_>) -> ImportDraft<'_> {
    let node = node.get("function").unwrap_or(node);
    let known = [
        "type",
        "name",
        "description",
        "parameters",
        "strict",
        "output_schema",
        RESPONSE,
    ];
    let mut found = ImportDraft::of(node, &known);
    found.parameters(node.get("parameters"));
    let response = || node.get(RESPONSE).filter(|r| r.kind() == Kind::Object);
    found.returns(node.get("output_schema").or_else(response));
    found
}
