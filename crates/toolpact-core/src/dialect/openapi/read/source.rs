//! The document that operations are read from: its parts with their pointers, and its references.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;

use crate::json::report::{Place, Report};
use crate::json::{Kind, Node, NodeId};
use crate::model::describe;
use crate::schema::{Resolver, depth, percent_decode};
use crate::text::shorten;
use crate::violation::Rule;
use crate::violation::rules::json_schema as schema_rules;
use crate::violation::rules::structure as rules;
use crate::{Pointer, Violations};

use super::super::{COMPONENTS, unescape};
use super::parts::Parts;
use super::responses::Promised;
use super::words::{LeftOut, Side};

/// Most bytes of operations, and of schemas that cannot be shared, of all tools together.
const MOST: usize = 64 << 20;
/// Deepest schema that is read: conversion is recursive.
const DEEPEST: usize = 128;
/// Longest chain of references.
const HOPS: usize = 32;

/// A part of the document.
#[derive(Clone)]
pub(super) struct At<'a> {
    pub(super) node: Node<'a>,
    pub(super) place: Pointer,
}

pub(super) struct Source<'a> {
    pub(super) root: Node<'a>,
    /// Whether it is OpenAPI 3.0, whose schemas are not JSON Schema.
    pub(super) old: bool,
    resolver: Resolver<'a>,
    /// Pointers to the schemas with identifiers.
    identifiers: HashMap<String, String>,
    left: Cell<usize>,
    pub(super) mode: Cell<Mode>,
    /// Whether an operation that was read to be shared cannot be.
    pub(super) needs_copy: Cell<bool>,
    /// The pointers to parts that schemas refer to, by side.
    wanted: [RefCell<IndexSet<String>>; 2],
    parts: [OnceCell<Parts>; 2],
    /// The schemas of responses that were read, by the node that has them.
    pub(super) responses: RefCell<HashMap<NodeId, (Promised, BTreeSet<LeftOut>)>>,
}

/// What happens to the parts that a schema refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing, but that they are noted.
    Collect,
    /// All schemas have the same ones.
    Share,
    /// Each schema has its own.
    Copy,
}

impl<'a> At<'a> {
    pub(super) fn get(&self, key: &str) -> Option<At<'a>> {
        let node = self.node.get(key)?;
        let place = self.place.key(key);
        Some(At { node, place })
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.node.get(key)?.as_str().map(Into::into)
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.node.get(key).and_then(Node::as_bool) == Some(true)
    }

    pub(super) fn items(&self) -> impl Iterator<Item = At<'a>> {
        let place = self.place.clone();
        let items = self.node.items().enumerate();
        items.map(move |(i, node)| At {
            node,
            place: place.index(i),
        })
    }

    pub(super) fn members(&self) -> impl Iterator<Item = (String, At<'a>)> {
        let place = self.place.clone();
        self.node.members().map(move |(key, node)| {
            let place = place.key(&key);
            (key.into_owned(), At { node, place })
        })
    }

    /// The part, if it is an object.
    pub(super) fn object(self, what: &str) -> Result<Self, Violations> {
        match self.node.kind() {
            Kind::Object => Ok(self),
            _ => {
                let found = describe(self.node);
                Err(self.wrong(
                    &rules::WRONG_TYPE,
                    format!("expected {what} to be an object, found {found}"),
                ))
            }
        }
    }

    /// A violation at this place.
    pub(super) fn wrong(&self, rule: &'static Rule, message: String) -> Violations {
        // Only the place matters, so a large part need not be copied.
        let value = crate::json::Value::from(true);
        let mut report = Report::new(1);
        report.add(rule, Place::Node(value.root().id()), |finding| {
            finding.say(message);
        });
        report.finish_value(&value, &self.place)
    }

    pub(super) fn missing(&self, what: &str) -> Violations {
        self.wrong(
            &rules::MISSING_FIELD,
            format!("expected {what}, found none"),
        )
    }
}

impl<'a> Source<'a> {
    pub(super) fn new(root: Node<'a>, old: bool) -> Self {
        let schemas = root.get("components").and_then(|all| all.get("schemas"));
        let schemas = schemas.into_iter().flat_map(Node::members);
        let identified = schemas.filter_map(|(name, schema)| {
            let id = schema.get("$id")?.as_str()?;
            let pointer = format!("{COMPONENTS}{}", super::super::escape(&name));
            Some((id.trim_end_matches('#').to_owned(), pointer))
        });
        Self {
            root,
            old,
            resolver: Resolver::new(root),
            identifiers: identified.collect(),
            left: Cell::new(MOST),
            mode: Cell::new(Mode::Collect),
            needs_copy: Cell::new(false),
            wanted: Default::default(),
            parts: Default::default(),
            responses: RefCell::default(),
        }
    }

    /// Notes a part that schemas refer to.
    pub(super) fn want(&self, side: Side, pointer: String) {
        self.wanted[side as usize].borrow_mut().insert(pointer);
    }

    /// Reads the parts that were noted.
    pub(super) fn read_parts(&self) {
        for side in [Side::Request, Side::Response] {
            let wanted = self.wanted[side as usize].take();
            self.parts[side as usize].get_or_init(|| Parts::read(self, side, wanted));
        }
        self.left.set(MOST);
        self.mode.set(Mode::Share);
    }

    pub(super) fn parts(&self, side: Side) -> Option<&Parts> {
        self.parts[side as usize].get()
    }

    pub(super) fn all(&self) -> At<'a> {
        At {
            node: self.root,
            place: Pointer::root(),
        }
    }

    /// Dereferences a part.
    pub(super) fn follow(&self, at: At<'a>) -> Result<At<'a>, Violations> {
        let mut at = at;
        for _ in 0..HOPS {
            let Some(reference) = at.text("$ref") else {
                return Ok(at);
            };
            let target = self.pointer(&reference, "").and_then(|p| self.find(&p));
            at = target.ok_or_else(|| lost(&at, &reference))?;
        }
        Err(at.wrong(
            &schema_rules::CIRCLE,
            "expected a reference that leads somewhere, found one that leads back to itself"
                .to_owned(),
        ))
    }

    /// Resolves a reference to a pointer, in a schema whose references are relative to `base`.
    pub(super) fn pointer(&self, reference: &str, base: &str) -> Option<String> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let start = match uri {
            "" => base,
            _ => self.identifiers.get(uri)?,
        };
        let fragment = percent_decode(fragment)?;
        let is_pointer = fragment.is_empty() || fragment.starts_with('/');
        is_pointer.then(|| format!("{start}{fragment}"))
    }

    /// The part at a pointer.
    pub(super) fn find(&self, pointer: &str) -> Option<At<'a>> {
        let reference = format!("#{}", pointer.replace('%', "%25"));
        let node = self.resolver.resolve(self.root, &reference)?;
        let tokens = pointer.split('/').skip(1);
        let place = tokens.fold(Pointer::root(), |place, token| place.key(&unescape(token)));
        Some(At { node, place })
    }

    /// Checks that a part may be copied into one more tool.
    pub(super) fn may_copy(&self, at: &At<'_>) -> Result<(), Violations> {
        let Some(left) = self.left.get().checked_sub(at.node.text().len()) else {
            let what = format!("expected at most {MOST} bytes that tools do not share, found more");
            return Err(at.wrong(&schema_rules::TOO_LARGE, what));
        };
        is_shallow(at)?;
        self.left.set(left);
        Ok(())
    }
}

pub(super) fn is_shallow(at: &At<'_>) -> Result<(), Violations> {
    if depth(at.node) <= DEEPEST {
        return Ok(());
    }
    let what = format!("expected a schema of at most {DEEPEST} levels of nesting, found more");
    Err(at.wrong(&schema_rules::TOO_LARGE, what))
}

/// A reference that leads out of the document, or to nothing in it.
pub(super) fn lost(at: &At<'_>, reference: &str) -> Violations {
    let found = shorten(reference);
    let message = match reference.starts_with('#') {
        true => format!(
            "expected a reference to a part of the document, found `{found}`, which leads to none"
        ),
        false => format!(
            "expected a reference into the document, found `{found}`: nothing is ever fetched"
        ),
    };
    at.wrong(&schema_rules::REFERENCE, message)
}
