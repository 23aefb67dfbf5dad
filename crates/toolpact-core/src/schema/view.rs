//! Schemas as one reads them: with what they refer to, and all that applies to one value together.

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::resolve::Resolver;
use crate::json::{Kind, Node, NodeId, Value};

/// Schemas that apply to one value together, each with its own way to resolve references: the
/// parameters of a tool, or a standard type and what refines it.
pub(crate) struct Sources<'v> {
    roots: Vec<Node<'v>>,
    resolvers: Vec<Resolver<'v>>,
}

/// A schema, and which of the sources it is in.
#[derive(Clone, Copy)]
pub(crate) struct Part<'v> {
    pub(crate) node: Node<'v>,
    source: usize,
}

/// Everything that is asked of one value: a schema, what its `$ref` leads to, and its `allOf`.
#[derive(Clone)]
pub(crate) struct View<'v> {
    parts: Vec<Part<'v>>,
}

/// What tells one view from another.
pub(crate) type Identity = Vec<(usize, NodeId)>;

impl<'v> Sources<'v> {
    pub(crate) fn new(schemas: impl IntoIterator<Item = &'v Value>) -> Self {
        let roots: Vec<Node<'v>> = schemas.into_iter().map(Value::root).collect();
        let resolvers = roots.iter().map(|root| Resolver::new(*root)).collect();
        Self { roots, resolvers }
    }

    pub(crate) fn root(&self) -> View<'v> {
        let roots = self.roots.iter().enumerate();
        let parts = roots.map(|(source, node)| Part {
            node: *node,
            source,
        });
        self.view(parts)
    }

    /// The parts with all that is applied to the same value, each once.
    pub(crate) fn view(&self, parts: impl IntoIterator<Item = Part<'v>>) -> View<'v> {
        let mut todo: Vec<Part<'v>> = parts.into_iter().collect();
        todo.reverse();
        let (mut seen, mut parts) = (HashSet::new(), Vec::new());
        while let Some(part) = todo.pop() {
            if !seen.insert((part.source, part.node.id())) {
                continue;
            }
            parts.push(part);
            let mut more = Vec::new();
            for keyword in ["$ref", "$dynamicRef"] {
                more.extend(self.referred(part, keyword));
            }
            more.extend(part.list("allOf"));
            todo.extend(more.into_iter().rev());
        }
        View { parts }
    }

    fn referred(&self, part: Part<'v>, keyword: &str) -> Option<Part<'v>> {
        let reference = part.node.get(keyword)?.as_str()?;
        let resolver = self.resolvers.get(part.source)?;
        Some(part.beside(resolver.resolve(part.node, &reference)?))
    }
}

impl<'v> Part<'v> {
    pub(crate) fn get(self, keyword: &str) -> Option<Part<'v>> {
        self.node.get(keyword).map(|node| self.beside(node))
    }

    pub(crate) fn list(self, keyword: &str) -> Vec<Part<'v>> {
        let list = self.node.get(keyword).into_iter().flat_map(Node::items);
        list.map(|node| self.beside(node)).collect()
    }

    pub(crate) fn id(self) -> (usize, NodeId) {
        (self.source, self.node.id())
    }

    fn beside(self, node: Node<'v>) -> Self {
        Self { node, ..self }
    }
}

impl<'v> View<'v> {
    pub(crate) fn parts(&self) -> &[Part<'v>] {
        &self.parts
    }

    /// What is said first under a keyword.
    pub(crate) fn get(&self, keyword: &str) -> Option<Part<'v>> {
        self.all(keyword).next()
    }

    /// All that is said under a keyword.
    pub(crate) fn all(&self, keyword: &str) -> impl Iterator<Item = Part<'v>> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    pub(crate) fn text(&self, keyword: &str) -> Option<Cow<'v, str>> {
        self.all(keyword).find_map(|part| part.node.as_str())
    }

    /// All that is said under keywords which hold a schema for each name.
    pub(crate) fn named(&self, keyword: &str) -> IndexMap<Cow<'v, str>, Vec<Part<'v>>> {
        let mut named: IndexMap<_, Vec<Part<'v>>> = IndexMap::new();
        for part in self.all(keyword) {
            for (name, node) in part.node.members() {
                named.entry(name).or_default().push(part.beside(node));
            }
        }
        named
    }

    /// The keys that must be there, in the order they are named.
    pub(crate) fn required(&self) -> indexmap::IndexSet<Cow<'v, str>> {
        let lists = self.all("required").flat_map(|part| part.node.items());
        lists.filter_map(Node::as_str).collect()
    }

    /// The schema of all other keys or items, if it says anything.
    pub(crate) fn rest(&self, keyword: &str) -> Vec<Part<'v>> {
        self.all(keyword)
            .filter(|part| part.says_something())
            .collect()
    }

    /// Whether nothing can satisfy it.
    pub(crate) fn is_impossible(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| part.node.as_bool() == Some(false))
    }

    /// Whether keys or items other than those named are refused.
    pub(crate) fn is_closed(&self, keywords: [&str; 2]) -> bool {
        let refuses = |part: Part<'v>| part.node.as_bool() == Some(false);
        keywords
            .iter()
            .any(|keyword| self.all(keyword).any(refuses))
    }

    /// The lists of alternatives: of each `anyOf` and `oneOf`.
    pub(crate) fn choices(&self) -> Vec<Part<'v>> {
        let keywords = ["oneOf", "anyOf"].into_iter();
        keywords.flat_map(|keyword| self.all(keyword)).collect()
    }

    /// The parts that have something inside of them. Nothing is inside of a view if there are none.
    pub(crate) fn identity(&self) -> Identity {
        let parts = self.parts.iter().filter(|part| part.has_inside());
        let mut identity: Identity = parts.map(|part| part.id()).collect();
        identity.sort_unstable();
        identity
    }
}

impl<'v> Part<'v> {
    /// Alternatives, if this is a list of them.
    pub(crate) fn items(self) -> Vec<Part<'v>> {
        self.node.items().map(|node| self.beside(node)).collect()
    }

    fn says_something(self) -> bool {
        self.node.kind() == Kind::Object && self.node.members().next().is_some()
    }

    fn has_inside(self) -> bool {
        const INSIDE: [&str; 8] = [
            "properties",
            "required",
            "patternProperties",
            "additionalProperties",
            "items",
            "prefixItems",
            "anyOf",
            "oneOf",
        ];
        let mut members = self.node.members();
        members.any(|(key, value)| INSIDE.contains(&&*key) && value.kind() != Kind::Bool)
    }
}
