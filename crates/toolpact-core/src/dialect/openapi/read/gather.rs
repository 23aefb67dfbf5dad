//! A schema of an operation with everything it refers to: what is anywhere in the document is under
//! `$defs` of the schema.

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
    /// Whether we wrote the operation, and what components are called in its contract.
    ours: bool,
    names: Option<Node<'a>>,
    /// What the parts of the document are called in the schema, by their pointers.
    known: HashMap<String, String>,
    taken: HashSet<String>,
    waiting: Vec<(String, At<'a>)>,
    /// Keywords that have no place in a contract.
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

    /// For what we wrote: nothing is translated, and every definition gets its own name back.
    pub(super) fn ours(source: &'s Source<'a>, names: Option<Node<'a>>) -> Self {
        Self {
            ours: true,
            names,
            ..Self::new(source, Side::Request)
        }
    }

    /// A whole schema. One that is only a reference is what that leads to.
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

    /// A schema that will be a part of another, which `define` completes.
    pub(super) fn part(&mut self, at: &At<'a>) -> Result<Tree, Violations> {
        self.source.may_copy(at)?;
        let mut tree = Tree::of(at.node, &at.place);
        if !self.ours {
            translate(&mut tree, self.source.old, self.side, &mut self.left_out);
        }
        self.lead(&mut tree, "", &at.place);
        self.wrong.take().map_or(Ok(tree), Err)
    }

    /// Puts everything that was referred to under `$defs`.
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

    /// Where a schema leads that says nothing else.
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

    /// Leads the references of a schema to where things will be. They count from `base`: the
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
        // An anchor may be in what is copied, and standard types are known by their names.
        let anchor = reference.starts_with('#') && !reference.starts_with("#/");
        if !anchor && standard_reference(reference).is_none() {
            let at = At {
                node: self.source.root,
                place: map.place().key("$ref"),
            };
            self.wrong.get_or_insert_with(|| lost(&at, reference));
        }
    }

    /// A reference, as it is in the schema.
    fn led(&mut self, reference: &str, base: &str, whole: &Pointer) -> Option<String> {
        let pointer = self.source.pointer(reference, base)?;
        let (part, rest) = split(&pointer);
        if let Some(name) = self.known.get(part) {
            return Some(format!("{name}{rest}"));
        }
        // Many schemas are written as if they were documents of their own.
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

    /// What a component is called in the contract that it was written from.
    fn called(&self, pointer: &str) -> Option<String> {
        let token = pointer.strip_prefix(COMPONENTS)?;
        let name = self.names.and_then(|names| names.get(&unescape(token)));
        let name = name.and_then(Node::as_str).map(Into::into);
        Some(name.unwrap_or_else(|| format!("{DEFINITIONS}{token}")))
    }

    /// The last word of a pointer, unless that is taken.
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

/// The way of an older draft to refer to the schema one is in, which some still use.
fn recursive(map: &mut Map, whole: &Pointer) {
    map.take("$recursiveAnchor");
    let itself = map.text("$recursiveRef") == Some("#");
    if itself && map.take("$recursiveRef").is_some() {
        let reference = format!("#{}", whole.to_string().replace('%', "%25"));
        map.set("$ref", Tree::string(reference));
    }
}

/// A pointer to a component, or to anything else, and the rest of the way.
fn split(pointer: &str) -> (&str, &str) {
    let end = pointer
        .strip_prefix(COMPONENTS)
        .and_then(|rest| rest.find('/'))
        .map_or(pointer.len(), |end| end + COMPONENTS.len());
    pointer.split_at(end)
}

/// A pointer as the fragment of a URI.
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
