//! One schema, prepared for walking a value.

use std::collections::HashMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use regex::Regex;

use crate::json::{Kind, Node, NodeId, Writer};
use crate::schema::graph::{Graph, Vertex};
use crate::schema::keyword::{Applies, holds};
use crate::schema::resolve::Resolver;
use crate::schema::{expansion, pattern};

/// The subschemas that a schema applies, and its own keywords.
#[derive(Debug, Default)]
pub(super) struct SchemaCost {
    /// How many comparisons its own keywords make.
    pub(super) own: u64,
    /// How many states its patterns have.
    pub(super) states: u64,
    /// How many bytes of the schema each of its reasons copies.
    pub(super) copied: u64,
    pub(super) looks_back: bool,
    /// Whether it applies subschemas to the parts of a value.
    pub(super) has_parts: bool,
    /// Whether it has a dynamic or unresolved reference, or an `unevaluated…` keyword.
    pub(super) is_open: bool,
    pub(super) groups: Vec<Group>,
    pub(super) properties: HashMap<Box<str>, Target>,
    pub(super) patterns: Vec<(Option<Regex>, Target)>,
    pub(super) additional: Option<Target>,
    pub(super) names: Option<Target>,
    pub(super) prefix: Vec<Target>,
    pub(super) items: Option<Target>,
    pub(super) contains: Option<Contains>,
    pub(super) unevaluated: Vec<Target>,
    /// The keywords without subschemas, as a schema of their own.
    pub(super) alone: String,
    /// `None` if it does not compile.
    pub(super) validator: OnceLock<Option<Validator>>,
}

/// A subschema: `true`, `false`, or the number of a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Always,
    Never,
    Schema(usize),
}

/// Subschemas that are applied in place together.
#[derive(Debug)]
pub(super) enum Group {
    All(Vec<Target>),
    Any(Vec<Target>),
    One(Vec<Target>),
    Not(Target),
    If(Target, Target, Target),
    /// If there is a member of this name.
    With(Box<str>, Target),
}

#[derive(Debug)]
pub(super) struct Contains {
    pub(super) target: Target,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl SchemaCost {
    pub(super) fn new<'a>(
        vertex: &Vertex<'a>,
        graph: &Graph<'a>,
        resolver: &Resolver<'a>,
        places: &HashMap<NodeId, usize>,
    ) -> Self {
        let target = |node: Node<'a>| match places.get(&node.id()) {
            Some(place) => Target::Schema(*place),
            None if node.as_bool() == Some(false) => Target::Never,
            None => Target::Always,
        };
        let mut step = Self {
            own: expansion::steps(vertex),
            states: states(vertex.schema),
            copied: copied(vertex.schema),
            looks_back: vertex.looks_back,
            ..Self::default()
        };
        let schema = vertex.schema;
        let mut alone = Writer::default();
        alone.begin_object();
        for (keyword, value) in schema.members() {
            match &*keyword {
                "$ref" => {
                    let reference = value.as_str().unwrap_or_default();
                    let to = resolver.resolve(schema, &reference);
                    step.is_open |= to.is_none();
                    step.groups
                        .push(Group::All(to.map(target).into_iter().collect()));
                }
                "$dynamicRef" => {
                    // The target depends on the path that led here.
                    step.is_open = true;
                    let edges = vertex
                        .edges
                        .iter()
                        .filter(|edge| edge.written == value.id());
                    let to = edges.map(|edge| target(graph.vertices[edge.to].schema));
                    step.groups.push(Group::All(to.collect()));
                }
                "dependencies" => {
                    let (schemas, lists) = dependencies(value);
                    let with = |(name, s)| Group::With(name, target(s));
                    step.groups.extend(schemas.into_iter().map(with));
                    alone.key(&keyword).raw(&lists);
                }
                name if holds(name).is_some() => step.applicator(name, value, schema, &target),
                "minContains" | "maxContains" => {}
                name if name.starts_with('$') => {}
                _ => {
                    alone.key(&keyword).raw(value.text());
                }
            }
        }
        alone.end_object();
        step.alone = alone.finish();
        step.has_parts = step.applies_to_parts();
        step
    }

    fn applies_to_parts(&self) -> bool {
        let one = [self.additional, self.names, self.items];
        one.iter().any(Option::is_some)
            || self.contains.is_some()
            || !(self.properties.is_empty() && self.patterns.is_empty())
            || !(self.prefix.is_empty() && self.unevaluated.is_empty())
    }

    fn applicator<'a>(
        &mut self,
        keyword: &str,
        value: Node<'a>,
        schema: Node<'a>,
        target: &impl Fn(Node<'a>) -> Target,
    ) {
        let list = || value.items().map(target).collect();
        let other = |keyword: &str| schema.get(keyword).map_or(Target::Always, target);
        match keyword {
            "allOf" => self.groups.push(Group::All(list())),
            "anyOf" => self.groups.push(Group::Any(list())),
            "oneOf" => self.groups.push(Group::One(list())),
            "not" => self.groups.push(Group::Not(target(value))),
            "if" => {
                let group = Group::If(target(value), other("then"), other("else"));
                self.groups.push(group);
            }
            "dependentSchemas" => {
                let groups = value
                    .members()
                    .map(|(name, s)| Group::With(name.into(), target(s)));
                self.groups.extend(groups);
            }
            "properties" => {
                let named = value.members().map(|(name, s)| (name.into(), target(s)));
                self.properties.extend(named);
            }
            "patternProperties" => {
                for (name, schema) in value.members() {
                    self.patterns
                        .push((pattern::compile(&name), target(schema)));
                }
            }
            "additionalProperties" => self.additional = Some(target(value)),
            "propertyNames" => self.names = Some(target(value)),
            "prefixItems" => self.prefix = list(),
            "items" => self.items = Some(target(value)),
            "contains" => self.contains = Some(Contains::new(target(value), schema)),
            "unevaluatedItems" | "unevaluatedProperties" => {
                self.is_open = true;
                self.unevaluated.push(target(value));
            }
            _ => {}
        }
    }

    /// The subschemas it applies in place.
    pub(super) fn in_place(&self, mut each: impl FnMut(Applies, Target)) {
        let mut list = |applies, all: &[Target]| {
            for to in all {
                each(applies, *to);
            }
        };
        for group in &self.groups {
            match group {
                Group::All(all) => list(Applies::All, all),
                Group::Any(all) | Group::One(all) => list(Applies::Choice, all),
                Group::Not(to) => list(Applies::Probe, &[*to]),
                Group::With(_, to) => list(Applies::All, &[*to]),
                Group::If(condition, then, otherwise) => {
                    list(Applies::Probe, &[*condition]);
                    list(Applies::All, &[*then, *otherwise]);
                }
            }
        }
    }

    /// The subschemas it applies to a member of this name.
    pub(super) fn member(&self, name: &str, mut each: impl FnMut(Target)) {
        let mut is_named = false;
        if let Some(target) = self.properties.get(name) {
            is_named = true;
            each(*target);
        }
        for (regex, target) in &self.patterns {
            if regex.as_ref().is_none_or(|regex| regex.is_match(name)) {
                is_named = true;
                each(*target);
            }
        }
        if let (false, Some(target)) = (is_named, self.additional) {
            each(target);
        }
    }

    /// The subschemas it applies to the element at a position, except `contains`.
    pub(super) fn element(&self, place: usize, each: impl FnMut(Target)) {
        let target = self.prefix.get(place).copied().or(self.items);
        target.into_iter().for_each(each);
    }
}

impl Contains {
    fn new(target: Target, schema: Node<'_>) -> Self {
        let bound = |keyword: &str| {
            let node = schema.get(keyword).filter(|n| n.kind() == Kind::Number)?;
            node.text().parse::<f64>().ok()
        };
        Self {
            target,
            min: bound("minContains").unwrap_or(1.0),
            max: bound("maxContains").unwrap_or(f64::INFINITY),
        }
    }
}

/// The schemas in `dependencies`, and the rest of it.
fn dependencies(value: Node<'_>) -> (Vec<(Box<str>, Node<'_>)>, String) {
    let (mut schemas, mut lists) = (Vec::new(), Writer::default());
    lists.begin_object();
    for (name, one) in value.members() {
        match one.kind() {
            Kind::Array => {
                lists.key(&name).raw(one.text());
            }
            _ => schemas.push((name.into(), one)),
        }
    }
    lists.end_object();
    (schemas, lists.finish())
}

/// How many bytes of a schema are copied into each of its reasons.
pub(super) fn copied(schema: Node<'_>) -> u64 {
    let copied = ["const", "not"].map(|keyword| schema.get(keyword));
    let lengths = copied.into_iter().flatten().map(|node| node.text().len());
    lengths.sum::<usize>() as u64
}

/// How many states the patterns of a schema have.
pub(super) fn states(schema: Node<'_>) -> u64 {
    let one = |pattern: &str| pattern::size(pattern).map_or(0, |size| size.states);
    let mut states = 0_u64;
    for (keyword, value) in schema.members() {
        states = states.saturating_add(match &*keyword {
            "pattern" => one(&value.as_str().unwrap_or_default()),
            "patternProperties" => value.members().map(|(name, _)| one(&name)).sum(),
            _ => 0,
        });
    }
    states
}
