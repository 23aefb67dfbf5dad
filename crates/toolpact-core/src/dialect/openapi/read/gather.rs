//! A schema of an operation together with everything it refers to, which is moved from the document
//! to `$defs` of the schema.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::json::Node;
use crate::schema::standard_reference;
use crate::violation::rules::json_schema as rules;
use crate::{Pointer, Violations};

use super::super::super::tree::{Map, Tree};
use super::super::super::walk::children;
use super::super::{COMPONENTS, DEFINITIONS, escape, unescape};
use super::source::{At, Source, lost};
use super::words::{Side, translate};

pub(super) struct Gather<'s, 'a> {
    source: &'s Source<'a>,
    side: Side,
    /// Whether toolpact wrote the operation; `names` maps components to names in its contract.
    ours: bool,
    names: Option<Node<'a>>,
    /// The references to parts of the document within the schema, by pointer.
    known: HashMap<String, String>,
    taken: HashSet<String>,
    waiting: Vec<(String, At<'a>)>,
    /// Keywords that a contract does not support.
    pub(super) left_out: BTreeSet<&'static str>,
    wrong: Option<Violations>,
}

impl<'s, 'a> Gather<'s, 'a> {
    pub(super) fn new(source: &'s Source<'a>, side: Side) -> Self {
        Self {
            source,
            side,
            ours: false,
            names: None,
            known: HashMap::new(),
            taken: HashSet::new(),
            waiting: Vec::new(),
            left_out: BTreeSet::new(),
            wrong: None,
        }
    }

    /// For operations that toolpact wrote: nothing is translated, and names are restored.
    pub(super) fn ours(source: &'s Source<'a>, names: Option<Node<'a>>) -> Self {
        Self {
            ours: true,
            names,
            ..Self::new(source, Side::Request)
        }
    }

    /// Reads a whole schema. One that is only a reference is dereferenced.
    pub(super) fn whole(&mut self, at: At<'a>) -> Result<Tree, Violations> {
        let mut at = at;
        while let Some((pointer, target)) = self.only_a_reference(&at) {
            if self.known.insert(pointer, "#".to_owned()).is_some() {
                let message = "expected a schema that comes to an end, found one that is itself";
                return Err(at.wrong(&rules::CIRCLE, message.to_owned()));
            }
            at = target;
        }
        let mut tree = self.part(&at)?;
        self.define(&mut tree)?;
        Ok(tree)
    }

    /// Reads a schema that will be a part of another, which `define` completes.
    pub(super) fn part(&mut self, at: &At<'a>) -> Result<Tree, Violations> {
        self.source.may_copy(at)?;
        let mut tree = Tree::of(at.node, &at.place);
        if !self.ours {
            translate(&mut tree, self.source.old, self.side, &mut self.left_out);
        }
        self.lead(&mut tree, "", &at.place);
        self.wrong.take().map_or(Ok(tree), Err)
    }

    /// Puts everything that is referenced under `$defs`.
    pub(super) fn define(&mut self, tree: &mut Tree) -> Result<(), Violations> {
        let mut definitions = Map::at(&Pointer::root().key("components").key("schemas"));
        while let Some((name, at)) = self.waiting.pop() {
            let schema = self.part(&at)?;
            definitions.set(&name, schema);
        }
        let Tree::Object(map) = tree else {
            return Ok(());
        };
        for (name, schema) in map.map("$defs").into_iter().flat_map(Map::iter) {
            if !definitions.has(name) {
                definitions.set(name, schema.clone());
            }
        }
        if !definitions.is_empty() {
            map.set("$defs", Tree::Object(definitions));
        }
        Ok(())
    }

    /// The target of a schema that is only a reference.
    pub(super) fn only_a_reference(&self, at: &At<'a>) -> Option<(String, At<'a>)> {
        let alone = self.source.old || at.node.members().count() == 1;
        let reference = at.text("$ref").filter(|_| alone)?;
        let pointer = self.source.pointer(&reference, "")?;
        if self.ours && self.called(&pointer)? != "#" {
            return None;
        }
        let target = self.source.find(&pointer)?;
        Some((pointer, target))
    }

    /// Rewrites the references of a schema to their new targets. They are relative to `base`: the
    /// document, or the innermost schema with an identifier.
    fn lead(&mut self, tree: &mut Tree, base: &str, whole: &Pointer) {
        let Tree::Object(map) = tree else { return };
        let own = map.text("$id").is_some_and(|id| !id.starts_with('#'));
        let base = match own && !self.ours {
            true => {
                map.take("$id");
                map.place().to_string()
            }
            false => base.to_owned(),
        };
        if !self.ours {
            recursive(map, whole);
        }
        if let Some(reference) = map.text("$ref").map(str::to_owned) {
            match self.led(&reference, &base, whole) {
                Some(led) => drop(map.set("$ref", Tree::string(led))),
                None => self.lose(map, &reference),
            }
        }
        children(map, |child| self.lead(child, &base, whole));
    }

    fn lose(&mut self, map: &Map, reference: &str) {
        // An anchor may be in the copied part, and standard types are resolved by name.
        let anchor = reference.starts_with('#') && !reference.starts_with("#/");
        if !anchor && standard_reference(reference).is_none() {
            let at = At {
                node: self.source.root,
                place: map.place().key("$ref"),
            };
            self.wrong.get_or_insert_with(|| lost(&at, reference));
        }
    }

    /// The rewritten reference.
    fn led(&mut self, reference: &str, base: &str, whole: &Pointer) -> Option<String> {
        let pointer = self.source.pointer(reference, base)?;
        let (part, rest) = split(&pointer);
        if let Some(name) = self.known.get(part) {
            return Some(format!("{name}{rest}"));
        }
        // Many schemas are written as if they were standalone documents.
        let Some(at) = self.source.find(part) else {
            let inside = format!("{whole}{pointer}");
            self.source.find(&inside)?;
            return self.led(&format!("#{}", inside.replace('%', "%25")), "", whole);
        };
        let name = match self.ours {
            true => self.called(part)?,
            false => self.new_name(part),
        };
        self.known.insert(part.to_owned(), name.clone());
        if let Some(key) = name.strip_prefix(DEFINITIONS) {
            let key = crate::schema::percent_decode(key)?;
            self.waiting.push((unescape(&key), at));
        }
        Some(format!("{name}{rest}"))
    }

    /// The reference to a component in its original contract.
    fn called(&self, pointer: &str) -> Option<String> {
        let token = pointer.strip_prefix(COMPONENTS)?;
        let name = self.names.and_then(|names| names.get(&unescape(token)));
        let name = name.and_then(Node::as_str).map(Into::into);
        Some(name.unwrap_or_else(|| format!("{DEFINITIONS}{token}")))
    }

    /// The last token of a pointer, with a number if it is taken.
    fn new_name(&mut self, pointer: &str) -> String {
        let word = unescape(pointer.rsplit('/').next().unwrap_or_default());
        let mut name = word.clone();
        let mut number = 2;
        let reserved = |name: &str| standard_reference(&format!("{DEFINITIONS}{name}")).is_some();
        while self.taken.contains(&name) || reserved(&name) {
            name = format!("{word}_{number}");
            number += 1;
        }
        let reference = format!("{DEFINITIONS}{}", encode(&escape(&name)));
        self.taken.insert(name);
        reference
    }
}

/// Rewrites `$recursiveRef` of 2019-09, which some documents still use.
fn recursive(map: &mut Map, whole: &Pointer) {
    map.take("$recursiveAnchor");
    let itself = map.text("$recursiveRef") == Some("#");
    if itself && map.take("$recursiveRef").is_some() {
        let reference = format!("#{}", whole.to_string().replace('%', "%25"));
        map.set("$ref", Tree::string(reference));
    }
}

/// Splits a pointer into that of a component and the rest; any other pointer has no rest.
fn split(pointer: &str) -> (&str, &str) {
    let end = pointer
        .strip_prefix(COMPONENTS)
        .and_then(|rest| rest.find('/'))
        .map_or(pointer.len(), |end| end + COMPONENTS.len());
    pointer.split_at(end)
}

/// A pointer as a URI fragment.
fn encode(pointer: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&b);
    let mut out = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
