//! The texts of a tool: everything in its definition that a model may read.

use std::borrow::Cow;

use crate::json::report::Place;
use crate::json::{Kind, Node, NodeId};
use crate::text::shorten;

/// One text.
#[derive(Debug, Clone)]
pub(super) struct Text<'a> {
    pub(super) value: Cow<'a, str>,
    pub(super) role: Role,
    /// Whether nothing before it is read together with it.
    pub(super) is_apart: bool,
    /// The key that it is under.
    label: Cow<'a, str>,
    node: NodeId,
    is_key: bool,
}

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A description, a title, a template.
    Prose,
    /// The name of a tool or of a parameter.
    Name,
    /// A value: a choice, a default.
    Value,
    /// A value that only shows something.
    Example,
}

impl Text<'_> {
    pub(super) fn place(&self) -> Place {
        match self.is_key {
            true => Place::Key(self.node),
            false => Place::Node(self.node),
        }
    }

    /// Whether it is there to describe something.
    pub(super) fn is_description(&self) -> bool {
        matches!(&*self.label, "description" | "summary")
    }

    /// The text in a sentence: "the description".
    pub(super) fn describe(&self) -> String {
        match self.role {
            Role::Name => format!("the name `{}`", shorten(&self.value)),
            _ => format!("the {}", shorten(&self.label)),
        }
    }
}

/// A container on the way to the current entry.
struct Open<'a> {
    end: NodeId,
    is_object: bool,
    /// The key of the member that is read, once the key was.
    key: Option<Cow<'a, str>>,
    /// The key that the container itself is under.
    own: Cow<'a, str>,
    /// Whether its keys are names of somebody's choice.
    is_names: bool,
}

/// Objects whose keys are names.
const NAMES: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// What no model is shown, or what is no text.
const SKIPPED: [&str; 22] = [
    "type",
    "format",
    "$ref",
    "$schema",
    "$id",
    "$anchor",
    "$dynamicRef",
    "pattern",
    "in",
    "style",
    "url",
    "href",
    "src",
    "icons",
    "externalDocs",
    "servers",
    "security",
    "x-codeSamples",
    "x-code-samples",
    "run",
    "operationId",
    "tags",
];

/// A longer key is read as a text, wherever it is.
const LONG_KEY: usize = 32;

/// All texts below a node, in the order in which they are written.
pub(super) fn below<'a>(root: Node<'a>) -> Vec<Text<'a>> {
    let mut found = Vec::new();
    let mut open: Vec<Open<'a>> = Vec::new();
    let (index, end) = (root.index(), root.entry().next);
    let mut id = root.id();
    while id < end {
        while open.last().is_some_and(|top| id >= top.end) {
            open.pop();
        }
        let node = Node::new(index, id);
        id += 1;
        if let Some(top) = open
            .last_mut()
            .filter(|top| top.is_object && top.key.is_none())
        {
            let key = node.as_str().unwrap_or_default();
            if top.is_names || key.len() > LONG_KEY || key.contains(char::is_whitespace) {
                found.push(Text {
                    value: key.clone(),
                    role: Role::Name,
                    is_apart: false,
                    label: top.own.clone(),
                    node: node.id(),
                    is_key: true,
                });
            }
            match !top.is_names && SKIPPED.contains(&&*key) {
                true => id = Node::new(index, id).entry().next,
                false => top.key = Some(key),
            }
            continue;
        }
        let (label, in_names) = match open.last_mut() {
            Some(top) if top.is_object => (top.key.take().unwrap_or_default(), top.is_names),
            Some(top) => (top.own.clone(), false),
            None => (Cow::Borrowed(""), false),
        };
        match node.kind() {
            kind @ (Kind::Array | Kind::Object) => open.push(Open {
                end: node.entry().next,
                is_object: kind == Kind::Object,
                key: None,
                is_names: kind == Kind::Object && !in_names && NAMES.contains(&&*label),
                own: label,
            }),
            Kind::String => found.push(Text {
                value: node.as_str().unwrap_or_default(),
                role: role(&label, &open),
                is_apart: false,
                label,
                node: node.id(),
                is_key: false,
            }),
            _ => {}
        }
    }
    found
}

/// How far above a value an example may begin.
const NEAR: usize = 16;

fn role(label: &str, open: &[Open<'_>]) -> Role {
    let is_example = |key: &str| matches!(key, "example" | "examples");
    if is_example(label) || open.iter().rev().take(NEAR).any(|one| is_example(&one.own)) {
        return Role::Example;
    }
    match label {
        "name" | "required" | "original_name" => Role::Name,
        "enum" | "const" | "default" => Role::Value,
        _ => Role::Prose,
    }
}
