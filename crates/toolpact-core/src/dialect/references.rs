//! Builds a tree from a schema: references are kept, inlined, or moved to `$defs`.

mod predicates;

use std::collections::{HashMap, HashSet};

use crate::Pointer;
use crate::json::{Kind, Node, NodeId, Value};
use crate::schema::{Holds, Resolver, holds};

use super::loss::{Effect, LossKind};
use super::step::Log;
use super::tree::{Map, Tree};
pub(super) use crate::schema::is_annotation;
use predicates::{
    counts_evaluated, has_company, has_references, is_contravariant, is_merged, leads_elsewhere,
};

/// How a dialect handles references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// Kept unchanged.
    Keep,
    /// Each is replaced by its target.
    Inline,
    /// Each has no siblings and points to `#` or into `$defs` of the root.
    Local,
    /// Kept if each has no siblings and points to `#` or into `$defs`; otherwise `Local`.
    Alone,
    /// Kept if each points to `#` or into `$defs`; otherwise `Local`.
    Defs,
    /// Kept if each is a pointer to a schema; otherwise `Local`.
    Pointers,
}

/// Most schemas after inlining.
const MOST: usize = 20_000;
/// Most bytes that inlining may add.
const MOST_BYTES: usize = 16 << 20;
/// Deepest nesting of schemas, so that the output can be read again.
const LEVELS: usize = 45;
/// Deepest nesting of inlined references.
const DEEPEST: usize = 24;

/// Builds the tree of a schema at this place in the contract.
pub(super) fn build(schema: &Value, place: &Pointer, log: &mut Log) -> Tree {
    let root = schema.root();
    let references = match log.profile.references {
        References::Alone if has_company(root) || leads_elsewhere(root) => References::Local,
        References::Defs if leads_elsewhere(root) => References::Local,
        References::Pointers if !super::pointers::only(root) => References::Local,
        References::Alone | References::Defs | References::Pointers => References::Keep,
        other => other,
    };
    if references == References::Keep {
        return Tree::of(root, place);
    }
    if !has_references(root) {
        return without_definitions(Tree::of(root, place), log);
    }
    let mut builder = Builder {
        root,
        resolver: Resolver::new(root),
        references,
        made: 0,
        depth: 0,
        written: 0,
        open: Vec::new(),
        names: HashMap::new(),
        taken: HashSet::new(),
        numbers: HashMap::new(),
        places: HashMap::new(),
        waiting: Vec::new(),
        merges: false,
        turned: 0,
        log,
    };
    let mut tree = builder.schema(root, place);
    builder.definitions(&mut tree, place);
    if let Tree::Object(map) = &tree {
        let done = match references {
            References::Local => "led to `$defs`",
            _ => "written out where they stand",
        };
        log.rewritten(map, "", "references", done);
    }
    tree
}

/// Drops unused definitions, which have no effect.
fn without_definitions(mut tree: Tree, log: &mut Log) -> Tree {
    if let Tree::Object(map) = &mut tree {
        for keyword in ["$defs", "definitions"] {
            if map.take(keyword).is_some() {
                let lost = "definitions that nothing refers to";
                log.rewritten(map, keyword, lost, "they were left out");
            }
        }
    }
    tree
}

struct Builder<'a, 'l> {
    root: Node<'a>,
    resolver: Resolver<'a>,
    references: References,
    made: usize,
    /// The depth of the current schema.
    depth: usize,
    /// The bytes inlined so far.
    written: usize,
    /// The targets being inlined, innermost last.
    open: Vec<NodeId>,
    /// The names of reference targets in `$defs`.
    names: HashMap<NodeId, Box<str>>,
    taken: HashSet<Box<str>>,
    /// The last numeric suffix given to each name.
    numbers: HashMap<String, usize>,
    /// The places of reference targets.
    places: HashMap<NodeId, Pointer>,
    /// Targets that still have to be added to `$defs`.
    waiting: Vec<(Box<str>, Node<'a>)>,
    /// Whether the next schema will be merged into its parent, and so must be inlined.
    merges: bool,
    /// Number of enclosing contravariant positions.
    turned: usize,
    log: &'l mut Log,
}

impl<'a> Builder<'a, '_> {
    fn schema(&mut self, node: Node<'a>, place: &Pointer) -> Tree {
        let merges = std::mem::take(&mut self.merges);
        if node.kind() != Kind::Object {
            return Tree::of(node, place);
        }
        self.made += 1;
        if self.made > MOST {
            self.log.refuse(format!(
                "its references, written out, make more than {MOST} schemas"
            ));
            return Tree::Object(Map::at(place));
        }
        if self.depth >= LEVELS {
            self.log.refuse(format!(
                "its references, written out, are nested more than {LEVELS} levels deep"
            ));
            return Tree::Object(Map::at(place));
        }
        self.depth += 1;
        let counts = usize::from(counts_evaluated(node));
        self.turned += counts;
        let mut map = Map::at(place);
        for (keyword, value) in node.members() {
            // Only used by references, which are handled below.
            if matches!(
                &*keyword,
                "$ref"
                    | "$defs"
                    | "definitions"
                    | "$anchor"
                    | "$id"
                    | "$dynamicAnchor"
                    | "$dynamicRef"
            ) {
                continue;
            }
            let place = place.key(&keyword);
            self.merges = is_merged(node, &keyword);
            let turns = usize::from(is_contravariant(&keyword));
            self.turned += turns;
            let tree = self.keyword(&keyword, value, &place);
            self.turned -= turns;
            self.merges = false;
            map.set(&keyword, tree);
        }
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(reference) = node.get(keyword).and_then(Node::as_str) {
                self.reference(&mut map, node, keyword, &reference, merges);
            }
        }
        self.turned -= counts;
        self.depth -= 1;
        Tree::Object(map)
    }

    fn keyword(&mut self, keyword: &str, value: Node<'a>, place: &Pointer) -> Tree {
        match (holds(keyword), value.kind()) {
            (Some(Holds::One), _) => self.schema(value, place),
            (Some(Holds::List), Kind::Array) => {
                let merges = self.merges;
                let items = value.items().enumerate().map(|(i, one)| {
                    self.merges = merges;
                    self.schema(one, &place.index(i))
                });
                Tree::Array(items.collect())
            }
            (Some(Holds::Named), Kind::Object) => {
                let mut named = Map::at(place);
                for (name, one) in value.members() {
                    let tree = self.schema(one, &place.key(&name));
                    named.set(&name, tree);
                }
                Tree::Object(named)
            }
            _ => Tree::of(value, place),
        }
    }

    /// Adds the target of a reference to the schema that contains it.
    fn reference(
        &mut self,
        map: &mut Map,
        from: Node<'a>,
        keyword: &str,
        reference: &str,
        merges: bool,
    ) {
        let target = self.resolver.resolve(from, reference);
        let Some(target) = target.filter(|_| keyword == "$ref") else {
            self.log.wider(
                map,
                keyword,
                LossKind::Recursion,
                "a reference that depends on where it is used",
                "it was left out",
            );
            return;
        };
        // The root must not be only a reference.
        let is_root = from.id() == self.root.id();
        match (target.as_bool(), self.references) {
            (Some(true), _) => {}
            (Some(false), _) => drop(map.set("not", Tree::Object(Map::default()))),
            (None, References::Local) if !is_root && !merges => self.local(map, target),
            (None, _) => self.inline(map, target, merges),
        }
    }

    fn local(&mut self, map: &mut Map, target: Node<'a>) {
        if map.is_empty() {
            *map = self.alone(map.place(), target);
        } else if map.keys().all(is_annotation) {
            // A reference must have no siblings; the target has its own annotations.
            let what = (LossKind::Annotation, Effect::Documentation);
            let lost = "what is said beside a reference";
            self.log
                .lose(map.place(), "$ref", what, lost, "it was left out");
            *map = self.alone(map.place(), target);
        } else {
            // Sibling constraints combine with the target: both are inlined.
            self.inline(map, target, true);
        }
    }

    fn alone(&mut self, place: &Pointer, target: Node<'a>) -> Map {
        let mut map = Map::at(place);
        map.set("$ref", Tree::string(self.name(target)));
        map
    }

    /// Inlines the target of a reference. If it will be merged into its parent, its own references
    /// are inlined too.
    fn inline(&mut self, map: &mut Map, target: Node<'a>, merges: bool) {
        if self.open.contains(&target.id()) || self.open.len() >= DEEPEST {
            self.cut(map, target);
            return;
        }
        self.written = self.written.saturating_add(target.text().len());
        if self.written > MOST_BYTES {
            self.log.refuse(format!(
                "its references, written out, add more than {MOST_BYTES} bytes"
            ));
        }
        if self.log.refused.is_some() {
            return;
        }
        let place = self.place_of(target);
        self.open.push(target.id());
        self.merges = merges;
        let tree = self.schema(target, &place);
        self.open.pop();
        let Tree::Object(target) = tree else { return };
        if map.keys().all(is_annotation) {
            for (key, value) in target.into_members() {
                if !map.has(&key) {
                    map.set(&key, value);
                }
            }
            return;
        }
        match map.get_mut("allOf").and_then(Tree::as_array_mut) {
            Some(all) => all.push(Tree::Object(target)),
            None => drop(map.set("allOf", Tree::Array(vec![Tree::Object(target)]))),
        }
    }

    /// Cuts off a recursion, keeping only the type and description of the target.
    fn cut(&mut self, map: &mut Map, target: Node<'a>) {
        let lost = "a schema that contains itself";
        let done = "it was cut off after one round";
        let kind = LossKind::Recursion;
        self.log.wider(map, "$ref", kind, lost, done);
        if self.turned > 0 {
            self.log.narrower(map, "$ref", kind, lost, done);
        }
        for keyword in ["type", "description"] {
            if let Some(value) = target.get(keyword).filter(|_| !map.has(keyword)) {
                map.set(keyword, Tree::of(value, map.place()));
            }
        }
    }

    /// The reference to a schema in `$defs`.
    fn name(&mut self, target: Node<'a>) -> String {
        if target.id() == self.root.id() {
            return "#".to_owned();
        }
        if let Some(name) = self.names.get(&target.id()) {
            return format!("#/$defs/{name}");
        }
        let wanted = self.wanted_name(target);
        let mut name = wanted.clone();
        while !self.taken.insert(name.as_str().into()) {
            let number = self.numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            name = format!("{wanted}_{number}");
        }
        self.names.insert(target.id(), name.as_str().into());
        self.waiting.push((name.as_str().into(), target));
        format!("#/$defs/{name}")
    }

    /// The last word of its place, in characters that need no escaping.
    fn wanted_name(&mut self, target: Node<'a>) -> String {
        let place = self.place_of(target);
        let tokens = place.tokens();
        let words = tokens.iter().rev().filter_map(|token| match token {
            crate::violation::Token::Key(key) => key.rsplit('/').next(),
            crate::violation::Token::Index(_) => None,
        });
        let word = words.into_iter().next().unwrap_or("schema");
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        word.chars().take(48).map(plain).collect()
    }

    fn place_of(&mut self, target: Node<'a>) -> Pointer {
        let (index, side) = (self.root.index(), &self.log.place);
        let place = self.places.entry(target.id()).or_insert_with(|| {
            let paths = crate::json::paths(index, &[target.id()], side);
            paths.into_iter().next().unwrap_or_else(|| side.clone())
        });
        place.clone()
    }

    /// Adds all reference targets to `$defs`, including those of the definitions themselves.
    fn definitions(&mut self, tree: &mut Tree, place: &Pointer) {
        let mut definitions = Map::at(&place.key("$defs"));
        while let Some((name, target)) = self.waiting.pop() {
            let place = self.place_of(target);
            let tree = self.schema(target, &place);
            definitions.set(&name, tree);
        }
        if let (Tree::Object(map), false) = (tree, definitions.is_empty()) {
            map.set("$defs", Tree::Object(definitions));
        }
    }
}
