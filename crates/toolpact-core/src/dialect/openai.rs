//! OpenAI Responses and Chat Completions.

use crate::json::Node;

use super::found::Found;
use super::layout::{Layout, Output, Parts, bare_list};
use super::profile::Profile;
use super::references::References;
use super::transform as step;
use super::tree::{Map, Tree};

pub(super) const LAYOUT: Layout = Layout {
    input: &LOOSE,
    // What a text returned by the function is, if it is JSON.
    output: Some(Output {
        profile: &Profile::ANYTHING,
        objects_only: false,
        in_our_words: false,
    }),
    effects: false,
    text: false,
    timeout: false,
    tool: |parts| responses(parts, false),
    list: bare_list,
};

pub(super) const LAYOUT_STRICT: Layout = Layout {
    input: &STRICT,
    tool: |parts| responses(parts, true),
    ..LAYOUT
};

pub(super) const LAYOUT_CHAT: Layout = Layout {
    output: None,
    tool: |parts| chat(parts, false),
    ..LAYOUT
};

pub(super) const LAYOUT_CHAT_STRICT: Layout = Layout {
    input: &STRICT,
    output: None,
    tool: |parts| chat(parts, true),
    ..LAYOUT
};

const LOOSE: Profile = Profile {
    references: References::Defs,
    steps: &[step::OBJECT_ROOT, step::SOME_PROPERTIES_AND_ITEMS],
    ..Profile::ANYTHING
};

const STRICT: Profile = Profile {
    references: References::Local,
    steps: &[
        step::BOOLEANS,
        step::ALL_OF,
        step::UNEVALUATED,
        step::CONDITIONS,
        step::ONE_OF,
        step::OBJECT_ROOT,
        step::TUPLES,
        step::SCALAR_ENUMS,
        step::DISTRIBUTE,
        step::ONE_TYPE,
        step::NO_EFFECT,
        step::REQUIRED_NAMED,
        step::ANY_VALUE,
        step::FORMATS,
        step::CLOSE,
        step::UNSUPPORTED,
        step::SOME_PROPERTIES,
        step::REQUIRE,
        step::OPENAI_LIMITS,
    ],
    keywords: Some(&[
        "type",
        "title",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "anyOf",
        "enum",
        "const",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "$ref",
        "$defs",
    ]),
    formats: Some(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
    ]),
    keys: None,
    tells: true,
};

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

/// Both forms, and the bare function that older interfaces have.
pub(super) fn read(node: Node<'_>) -> Found<'_> {
    let node = node.get("function").unwrap_or(node);
    let known = [
        "type",
        "name",
        "description",
        "parameters",
        "strict",
        "output_schema",
    ];
    let mut found = Found::of(node, &known);
    found.parameters(node.get("parameters"));
    found.returns(node.get("output_schema"));
    found
}
