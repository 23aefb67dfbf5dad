//! Whether a value can be explained within bounds, decided at once for most schemas.

use std::sync::OnceLock;

use jsonschema::Validator;

use super::Walk;
use super::schema_cost::{copied, states};
use crate::json::{Node, Value};
use crate::schema::graph::{Graph, Vertex};
use crate::schema::keyword::Applies;
use crate::schema::resolve::Resolver;
use crate::schema::{bounds, expansion};

/// Bounds on the work for any value, derived from the schema.
#[derive(Debug)]
pub(crate) struct CostModel {
    bundle: Value,
    formats: bool,
    /// An upper bound of the steps per part of a value, if the schema implies one.
    most: Option<u64>,
    /// Present if `most` is small.
    light: Option<CopyBound>,
    /// Built when it is first needed.
    work: OnceLock<Option<Walk>>,
}

/// An upper bound of the bytes that reasons copy.
#[derive(Debug)]
struct CopyBound {
    /// Bytes per part of a value.
    per_part: u64,
    /// Bytes per byte of the value.
    per_byte: u64,
}

impl CostModel {
    pub(crate) fn new(bundle: &Value, formats: bool) -> Self {
        let root = bundle.root();
        let graph = Graph::new(root, &Resolver::new(root));
        let quick = |vertex: &Vertex<'_>| states(vertex.schema) <= bounds::STATES;
        let quick = graph.vertices.iter().all(quick);
        let most = expansion::of_any_part(&graph).filter(|_| quick);
        let few = most.filter(|most| *most <= bounds::REASONS_STATIC);
        Self {
            bundle: bundle.clone(),
            formats,
            most,
            light: few.map(|most| CopyBound::new(&graph, most)),
            work: OnceLock::new(),
        }
    }

    /// Whether a verdict takes a bounded number of steps per part of a value.
    pub(crate) fn is_bounded(&self) -> bool {
        self.most.is_some_and(|most| most <= bounds::EXPANSION)
    }

    /// Whether a value can be explained, decided without counting.
    pub(crate) fn is_small(&self, value: Node<'_>) -> bool {
        let fits = |light: &CopyBound| light.copies(value) <= Walk::memory(value);
        self.light.as_ref().is_some_and(fits)
    }

    /// Whether a value can be explained within the budget of steps, memory and stack.
    pub(crate) fn allows(&self, value: Node<'_>) -> bool {
        self.work().is_none_or(|work| work.allows(value))
    }

    /// Whether a value is valid, without reasons. `None` if even that takes too many steps.
    pub(crate) fn verdict(
        &self,
        validator: &Validator,
        value: Node<'_>,
        tree: &serde_json::Value,
    ) -> Option<bool> {
        self.work()?.verdict(validator, value, tree)
    }

    /// The step budget for explaining what is wrong with a value.
    pub(crate) fn budget(value: Node<'_>) -> u64 {
        Walk::budget(value)
    }

    fn work(&self) -> Option<&Walk> {
        let work = self.work.get_or_init(|| {
            let root = self.bundle.root();
            let resolver = Resolver::new(root);
            let work = Walk::of(&Graph::new(root, &resolver), &resolver, self.formats)?;
            Some(Walk {
                is_bounded: self.is_bounded(),
                is_light: self.light.is_some(),
                ..work
            })
        });
        work.as_ref()
    }
}

impl CopyBound {
    /// `most` schemas are applied to any part of a value.
    fn new(graph: &Graph<'_>, most: u64) -> Self {
        let copied: u64 = graph.vertices.iter().map(|v| copied(v.schema)).sum();
        let chooses = |vertex: &Vertex<'_>| {
            let mut edges = vertex.edges.iter();
            edges.any(|edge| edge.applies == Applies::Choice)
        };
        let kept = match graph.vertices.iter().any(chooses) {
            true => bounds::TREE,
            false => 0,
        };
        Self {
            per_part: most.saturating_mul(copied.saturating_mul(bounds::TREE)),
            per_byte: most.saturating_mul(1 + kept),
        }
    }

    fn copies(&self, value: Node<'_>) -> u64 {
        let parts = u64::from(value.entry().next - value.id());
        let bytes = value.text().len() as u64;
        let of_parts = self.per_part.saturating_mul(parts);
        of_parts.saturating_add(self.per_byte.saturating_mul(bytes))
    }
}
