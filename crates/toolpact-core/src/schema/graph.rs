//! The graph of the schemas that can be applied to a value.

use std::collections::HashMap;

use crate::json::{Kind, Node, NodeId};

use super::keyword::{Applies, Keyword, keywords};
use super::refs::standard_reference;
use super::resolve::Resolver;
use super::walk::applied;

/// Every schema that can be reached from the root, references followed.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    /// The first is the root.
    pub(super) vertices: Vec<Vertex<'a>>,
    /// References that do not resolve to a schema, by the node that has them.
    pub(super) lost: Vec<Node<'a>>,
}

/// One schema.
#[derive(Debug)]
pub(super) struct Vertex<'a> {
    pub(super) schema: Node<'a>,
    pub(super) edges: Vec<Edge>,
    /// Whether it has an `unevaluated…` keyword, which means to apply other schemas again.
    pub(super) looks_back: bool,
}

/// One schema that a schema applies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) applies: Applies,
    /// The node of the subschema, or of the reference.
    pub(super) written: NodeId,
    pub(super) to: usize,
}

impl Edge {
    /// Whether the subschema is applied in place.
    pub(super) fn is_in_place(&self) -> bool {
        matches!(
            self.applies,
            Applies::All | Applies::Choice | Applies::Probe
        )
    }
}

impl<'a> Graph<'a> {
    pub(super) fn new(root: Node<'a>, resolver: &Resolver<'a>) -> Self {
        let mut builder = Builder {
            graph: Graph {
                vertices: Vec::new(),
                lost: Vec::new(),
            },
            places: HashMap::new(),
            dynamic: HashMap::new(),
        };
        builder.place(root);
        for schema in resolver.dynamic_anchors() {
            builder.anchor(schema);
        }
        let mut next = 0;
        while let Some(vertex) = builder.graph.vertices.get(next) {
            builder.connect(next, vertex.schema, resolver);
            next += 1;
        }
        builder.graph
    }

    /// A topological order: every edge that is `followed` leads from a later vertex to an earlier
    /// one. The error is a vertex on a cycle.
    pub(super) fn order(&self, followed: impl Fn(&Edge) -> bool) -> Result<Vec<usize>, usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Never,
            Open,
            Done,
        }
        let mut seen = vec![Seen::Never; self.vertices.len()];
        let mut order = Vec::with_capacity(self.vertices.len());
        for start in 0..self.vertices.len() {
            let mut path = vec![(start, 0)];
            while let Some((vertex, next)) = path.pop() {
                if next == 0 {
                    match seen[vertex] {
                        Seen::Never => seen[vertex] = Seen::Open,
                        Seen::Open => return Err(vertex),
                        Seen::Done => continue,
                    }
                }
                let edges = self.vertices[vertex].edges.get(next..).unwrap_or_default();
                match edges.iter().position(&followed) {
                    Some(skipped) => {
                        path.push((vertex, next + skipped + 1));
                        path.push((edges[skipped].to, 0));
                    }
                    None => {
                        seen[vertex] = Seen::Done;
                        order.push(vertex);
                    }
                }
            }
        }
        Ok(order)
    }
}

struct Builder<'a> {
    graph: Graph<'a>,
    places: HashMap<NodeId, usize>,
    /// The possible targets of a `$dynamicRef` by name.
    dynamic: HashMap<String, Vec<usize>>,
}

impl<'a> Builder<'a> {
    fn place(&mut self, schema: Node<'a>) -> usize {
        let vertices = &mut self.graph.vertices;
        *self.places.entry(schema.id()).or_insert_with(|| {
            vertices.push(Vertex {
                schema,
                edges: Vec::new(),
                looks_back: false,
            });
            vertices.len() - 1
        })
    }

    fn anchor(&mut self, schema: Node<'a>) {
        let place = self.place(schema);
        if let Some(name) = schema.get("$dynamicAnchor").and_then(Node::as_str) {
            self.dynamic
                .entry(name.into_owned())
                .or_default()
                .push(place);
        }
    }

    fn connect(&mut self, vertex: usize, schema: Node<'a>, resolver: &Resolver<'a>) {
        let mut edges = Vec::new();
        applied(schema, |applies, inner| {
            if inner.kind() == Kind::Object && applies != Applies::Never {
                let to = self.place(inner);
                let written = inner.id();
                edges.push(Edge {
                    applies,
                    written,
                    to,
                });
            }
        });
        let mut looks_back = false;
        for (keyword, value) in keywords(schema) {
            looks_back |= keyword.is_unevaluated();
            let is_dynamic = keyword == Keyword::DynamicRef;
            if !is_dynamic && keyword != Keyword::Ref {
                continue;
            }
            let Some(reference) = value.as_str() else {
                continue;
            };
            let mut to = match resolver.resolve(schema, &reference) {
                Some(target) if target.kind() == Kind::Object => vec![self.place(target)],
                Some(target) if target.kind() == Kind::Bool => Vec::new(),
                // Not in the source, but in its bundle.
                _ if standard_reference(&reference).is_some() && !is_dynamic => continue,
                _ => {
                    self.graph.lost.push(value);
                    continue;
                }
            };
            let name = reference.strip_prefix('#').filter(|_| is_dynamic);
            to.extend(
                name.and_then(|name| self.dynamic.get(name))
                    .into_iter()
                    .flatten(),
            );
            to.sort_unstable();
            to.dedup();
            let applies = Applies::All;
            let written = value.id();
            edges.extend(to.into_iter().map(|to| Edge {
                applies,
                written,
                to,
            }));
        }
        self.graph.vertices[vertex].edges = edges;
        self.graph.vertices[vertex].looks_back = looks_back;
    }
}
