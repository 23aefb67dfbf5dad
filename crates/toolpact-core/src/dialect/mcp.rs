//! Model Context Protocol. Before 2026-07-28 results must be objects, so others are wrapped.

use crate::contract::{Contract, Effects};
use crate::json::Node;

use super::import_draft::ImportDraft;
use super::layout::{Layout, Output, Parts};
use super::message::mcp as message;
use super::profile::{KeyRule, Profile};
use super::spec::{Limits, List, PLAIN_NAME, Spec};
use super::transform as step;
use super::tree::{Map, Tree};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Between(r#"{"tools":["#, "]}"),
    read: |node, name, losses| read(node).contract(name, losses),
    claims: |one| one.owns(&["inputSchema"]),
    list_keys: &["tools"],
    input_keys: &["inputSchema"],
    output_keys: &["outputSchema"],
    messages: Some(&message::FORM),
    any_name: false,
    limits: Some(Limits {
        name: KeyRule {
            others: b"-./",
            longest: 128,
            ..PLAIN_NAME
        },
        // The protocol only says "should".
        refuses_names: false,
        description: None,
        tools: None,
        keywords: &[],
        to_json_schema: |_| {},
        refuses_formats: false,
    }),
};

pub(super) const SPEC_2025: Spec = Spec {
    layout: Some(&LAYOUT_2025),
    claims: |_| None,
    messages: Some(&message::FORM_2025),
    ..SPEC
};

const LAYOUT: Layout = Layout {
    input: &Profile {
        steps: &[
            step::OBJECT_TYPE,
            step::OBJECT_SCHEMAS,
            step::STANDARD_FORMATS,
        ],
        ..Profile::ANYTHING
    },
    output: Some(Output {
        profile: &OUTPUT,
        objects_only: false,
        in_our_words: true,
    }),
    effects: true,
    text: true,
    timeout: true,
    tool,
};

const OUTPUT: Profile = Profile {
    steps: &[step::OBJECT_SCHEMAS, step::STANDARD_FORMATS],
    ..Profile::ANYTHING
};

const LAYOUT_2025: Layout = Layout {
    output: Some(Output {
        profile: &OUTPUT,
        objects_only: true,
        in_our_words: true,
    }),
    ..LAYOUT
};

/// Our keys in `_meta`, for what the protocol has no field for.
pub(super) const RETURNS: &str = "toolpact/returns";
pub(super) const WRAPPED: &str = "toolpact/wrapped";
const TEXT: &str = "toolpact/text";
const TIMEOUT: &str = "toolpact/timeout_ms";

/// Effects that the protocol has no hint for, with our keys in `_meta`.
const EFFECTS: [(&str, &str); 2] = [
    ("toolpact/durable", "durable"),
    ("toolpact/idempotency_key", "idempotency_key"),
];

const HINTS: [(&str, &str); 4] = [
    ("readOnlyHint", "read_only"),
    ("destructiveHint", "destructive"),
    ("idempotentHint", "idempotent"),
    ("openWorldHint", "open_world"),
];

fn tool(parts: Parts<'_>) -> Tree {
    let mut tool = parts.named();
    tool.set("inputSchema", parts.input);
    if let Some(output) = parts.output {
        // The protocol requires an object, and `{}` means the same as `true`.
        tool.set(
            "outputSchema",
            match output {
                Tree::Object(_) => output,
                _ => Tree::Object(Map::default()),
            },
        );
    }
    let annotations = annotations(parts.contract.effects());
    if !annotations.is_empty() {
        tool.set("annotations", Tree::Object(annotations));
    }
    let meta = meta(parts.contract, parts.wrapped, parts.promise);
    if !meta.is_empty() {
        tool.set("_meta", Tree::Object(meta));
    }
    Tree::Object(tool)
}

fn annotations(effects: Effects) -> Map {
    let flags = [
        effects.read_only(),
        effects.destructive(),
        effects.idempotent(),
        effects.open_world(),
    ];
    let mut map = Map::default();
    for ((hint, _), flag) in HINTS.into_iter().zip(flags) {
        if let Some(flag) = flag {
            map.set(hint, Tree::Bool(flag));
        }
    }
    map
}

fn meta(contract: &Contract, wrapped: bool, promise: Option<Tree>) -> Map {
    let mut meta = Map::default();
    if wrapped {
        meta.set(WRAPPED, Tree::Bool(true));
    }
    if let Some(promise) = promise {
        meta.set(RETURNS, promise);
    }
    if let Some(text) = contract.text() {
        meta.set(TEXT, Tree::string(text.as_str()));
    }
    if let Some(timeout) = contract.timeout() {
        meta.set(
            TIMEOUT,
            Tree::Number(timeout.as_millis().to_string().into()),
        );
    }
    let effects = contract.effects();
    let said = [effects.durable(), effects.idempotency_key()];
    for ((key, _), flag) in EFFECTS.into_iter().zip(said) {
        if let Some(flag) = flag {
            meta.set(key, Tree::Bool(flag));
        }
    }
    meta
}

fn read(node: Node<'_>) -> ImportDraft<'_> {
    let known = [
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "_meta",
    ];
    let mut found = ImportDraft::of(node, &known);
    found.title = node
        .get("title")
        .or_else(|| node.get("annotations")?.get("title"));
    found.required_parameters("inputSchema");
    let ours = |key: &str| node.get("_meta").and_then(|meta| meta.get(key));
    let wrapped = ours(WRAPPED).and_then(Node::as_bool) == Some(true);
    match ours(RETURNS) {
        Some(promise) => found.promise(promise),
        None if wrapped => found.returns_from(node.get("outputSchema"), |tree| {
            if let Some(inner) = super::returns::unwrap(tree) {
                *tree = inner;
            }
        }),
        None => found.returns(node.get("outputSchema")),
    }
    found.field("text", ours(TEXT));
    found.field("timeout_ms", ours(TIMEOUT));
    let mut said = node.get("annotations").map(effects).unwrap_or_default();
    for (key, name) in EFFECTS {
        if let Some(flag) = ours(key).and_then(Node::as_bool) {
            said.set(name, Tree::Bool(flag));
        }
    }
    found.effects(said);
    found
}

fn effects(annotations: Node<'_>) -> Map {
    let mut effects = Map::default();
    for (hint, name) in HINTS {
        if let Some(flag) = annotations.get(hint).and_then(Node::as_bool) {
            effects.set(name, Tree::Bool(flag));
        }
    }
    // A read-only tool destroys nothing, and the protocol ignores the hint then.
    if effects.get("read_only") == Some(&Tree::Bool(true)) {
        effects.take("destructive");
    }
    effects
}
