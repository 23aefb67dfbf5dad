//! A schema of an operation together with everything it refers to, which are `$defs` of the schema: shared by
//! all schemas of the document, or a copy.

use std::collections::{BTreeSet, HashMap};

use crate::json::{Kind, Node};
use crate::schema::shared::{Names, Shared, definition};
use crate::schema::{JsonSchema, standard_reference};
use crate::violation::rules::json_schema as rules;
use crate::{Pointer, Violations};

use super::super::super::tree::{Map, Tree};
use super::super::{COMPONENTS, DEFINITIONS, unescape};
use super::lead::{is_elsewhere, references, target};
use super::source::{At, Mode, Source, lost};
use super::words::{LeftOut, Side, translate};

pub(super) struct Gather<'s, 'a> {
    source: &'s Source<'a>,
    side: Side,
    mode: Mode,
    /// Whether toolpact wrote the operation; `component_names` maps components to names in its contract.
    ours: bool,
    component_names: Option<Node<'a>>,
    /// The references to parts of the document within the schema, by pointer.
    known: HashMap<String, String>,
    waiting: Vec<(String, At<'a>)>,
    /// The names of definitions, and the references to parts that are shared.
    names: Names,
    /// What was dropped.
    pub(super) left_out: BTreeSet<LeftOut>,
    wrong: Option<Violations>,
}

impl<'s, 'a> Gather<'s, 'a> {
    pub(super) fn new(source: &'s Source<'a>, side: Side) -> Self {
        Self {
            source,
            side,
            mode: source.mode.get(),
            ours: false,
            component_names: None,
            known: HashMap::new(),
            waiting: Vec::new(),
            names: Names::default(),
            left_out: BTreeSet::new(),
            wrong: None,
        }
    }

    /// For operations that toolpact wrote: nothing is translated, and names are restored.
    pub(super) fn ours(source: &'s Source<'a>, names: Option<Node<'a>>) -> Self {
        Self {
            ours: true,
            mode: Mode::Copy,
            component_names: names,
            ..Self::new(source, Side::Request)
        }
    }

    /// Reads a whole schema. One that is only a reference is dereferenced.
    pub(super) fn whole(&mut self, at: At<'a>) -> Result<(Tree, Option<JsonSchema>), Violations> {
        let mut at = at;
        while let Some((pointer, target)) = self.only_a_reference(&at) {
            if let Some(parts) = self.source.parts(self.side)
                && let Some(number) = parts.number(&pointer)
            {
                self.names.is_root(number);
            }
            if self.known.insert(pointer, "#".to_owned()).is_some() {
                let message = "expected a schema that comes to an end, found one that is itself";
                return Err(at.wrong(&rules::CIRCLE, message.to_owned()));
            }
            at = target;
        }
        let mut tree = self.part(&at)?;
        let shared = self.define(&mut tree)?;
        Ok((tree, shared))
    }

    /// Reads a schema that will be a part of another, which `define` completes.
    pub(super) fn part(&mut self, at: &At<'a>) -> Result<Tree, Violations> {
        self.source.may_copy(at)?;
        if at.node.kind() != Kind::Bool {
            at.clone().object("a schema")?;
        }
        let mut tree = Tree::of(at.node, &at.place);
        if !self.ours {
            translate(&mut tree, self.source.old, self.side, &mut self.left_out);
        }
        references(
            &mut tree,
            self.ours,
            &at.place,
            &mut |map, reference, base| match self.led(reference, base, &at.place) {
                Some(led) => drop(map.set("$ref", Tree::string(led))),
                None if is_elsewhere(reference) => {}
                None => self.lose(map, reference),
            },
        );
        self.wrong.take().map_or(Ok(tree), Err)
    }

    /// Puts everything that is referenced under `$defs`. If that is shared, the tree has definitions that allow
    /// everything in its place, and the schema is returned.
    pub(super) fn define(&mut self, tree: &mut Tree) -> Result<Option<JsonSchema>, Violations> {
        match self.mode {
            Mode::Collect => Ok(None),
            Mode::Share => self.share(tree),
            Mode::Copy => self.copy(tree).map(|()| None),
        }
    }

    fn share(&mut self, tree: &mut Tree) -> Result<Option<JsonSchema>, Violations> {
        let Some(parts) = self.source.parts(self.side) else {
            return Ok(None);
        };
        let reached = parts.reached(&self.names, &mut self.left_out)?;
        let Tree::Object(map) = tree else {
            return Ok(None);
        };
        if self.names.definitions().next().is_none() {
            return Ok(None);
        }
        let root = Tree::Object(map.clone()).to_value();
        if map.has("$defs") || is_of_standard(map) || !parts.pool.fits(root.root(), &reached) {
            self.source.needs_copy.set(true);
            return Ok(None);
        }
        let mut definitions = Map::at(map.place());
        for name in self.names.definitions() {
            definitions.set(name, Tree::Bool(true));
        }
        map.set("$defs", Tree::Object(definitions));
        let shared = Shared::new(parts.pool.clone(), root, std::mem::take(&mut self.names));
        Ok(Some(JsonSchema::shared(shared)))
    }

    fn copy(&mut self, tree: &mut Tree) -> Result<(), Violations> {
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

    fn lose(&mut self, map: &Map, reference: &str) {
        let at = At {
            node: self.source.root,
            place: map.place().key("$ref"),
        };
        self.wrong.get_or_insert_with(|| lost(&at, reference));
    }

    /// The rewritten reference.
    fn led(&mut self, reference: &str, base: &str, whole: &Pointer) -> Option<String> {
        let target = target(self.source, reference, base, whole)?;
        let name = match self.mode {
            Mode::Collect => {
                self.source.want(self.side, target.part);
                DEFINITIONS.to_owned()
            }
            Mode::Share => {
                // A definition that allows everything has nothing inside.
                self.source
                    .needs_copy
                    .set(self.source.needs_copy.get() || !target.rest.is_empty());
                let parts = self.source.parts(self.side)?;
                let number = parts.number(&target.part)?;
                self.names.reference(&parts.pool, number)
            }
            Mode::Copy => self.copied(&target.part)?,
        };
        Some(format!("{name}{}", target.rest))
    }

    /// The reference to a part that is copied.
    fn copied(&mut self, part: &str) -> Option<String> {
        if let Some(name) = self.known.get(part) {
            return Some(name.clone());
        }
        let at = self.source.find(part)?;
        let name = match self.ours {
            true => self.called(part)?,
            false => {
                let word = unescape(part.rsplit('/').next().unwrap_or_default());
                definition(&self.names.new_name(&word))
            }
        };
        self.known.insert(part.to_owned(), name.clone());
        if let Some(key) = name.strip_prefix(DEFINITIONS) {
            let key = crate::schema::percent_decode(key)?;
            self.waiting.push((unescape(&key), at));
        }
        Some(name)
    }

    /// The reference to a component in its original contract.
    fn called(&self, pointer: &str) -> Option<String> {
        let token = pointer.strip_prefix(COMPONENTS)?;
        let names = self.component_names;
        let name = names.and_then(|names| names.get(&unescape(token)));
        let name = name.and_then(Node::as_str).map(Into::into);
        Some(name.unwrap_or_else(|| format!("{DEFINITIONS}{token}")))
    }
}

/// Whether a schema builds on a standard type, which is then what is promised.
pub(super) fn is_of_standard(map: &Map) -> bool {
    let is_one = |map: &Map| map.text("$ref").and_then(standard_reference).is_some();
    let all_of = map.array("allOf").unwrap_or_default();
    is_one(map) || all_of.iter().filter_map(Tree::as_map).any(is_one)
}
