//! The cost of checking a value, and a verdict where explaining it would cost too much.
//!
//! A schema may reach the same subschema on many paths, and each level of a value multiplies their
//! number. The validator follows every path to explain what is wrong, so the paths are counted
//! before it is called. Counting is cheap: the paths to one schema at one part of the value are one
//! number. So is a verdict without reasons: each schema is evaluated once at each part.

mod count;
mod model;
mod schema_cost;
#[cfg(test)]
mod tests;
mod verdict;

use std::collections::HashMap;

use jsonschema::Validator;

use crate::json::{Node, NodeId};

use super::bounds;
use super::graph::{Edge, Graph};
use super::resolve::Resolver;
use schema_cost::SchemaCost;

pub(crate) use model::CostModel;

/// A schema, prepared for walking a value.
#[derive(Debug)]
struct Walk {
    /// The schemas, each before those that it applies in place.
    steps: Vec<SchemaCost>,
    root: usize,
    formats: bool,
    /// Whether the validator's verdict takes a bounded number of steps per part.
    is_bounded: bool,
    /// Whether explaining does, too.
    is_light: bool,
}

impl Walk {
    fn of<'a>(graph: &Graph<'a>, resolver: &Resolver<'a>, formats: bool) -> Option<Self> {
        let mut order = graph.order(Edge::is_in_place).ok()?;
        order.reverse();
        let vertices = order.iter().map(|vertex| &graph.vertices[*vertex]);
        let places: HashMap<NodeId, usize> =
            vertices.clone().map(|v| v.schema.id()).zip(0..).collect();
        let root = *places.get(&graph.vertices[0].schema.id())?;
        let steps = vertices
            .map(|vertex| SchemaCost::new(vertex, graph, resolver, &places))
            .collect();
        Some(Self {
            steps,
            root,
            formats,
            is_bounded: false,
            is_light: false,
        })
    }

    /// Whether a value is valid, by the validator if that takes a bounded number of steps. `None`
    /// if even a verdict takes too many steps.
    fn verdict(
        &self,
        validator: &Validator,
        value: Node<'_>,
        tree: &serde_json::Value,
    ) -> Option<bool> {
        match self.is_bounded {
            true => Some(validator.is_valid(tree)),
            false => self.verdict_of_each(value, tree),
        }
    }

    /// The step budget for explaining what is wrong with a value: linear in its size.
    fn budget(value: Node<'_>) -> u64 {
        let parts = u64::from(value.entry().next - value.id());
        let bytes = value.text().len() as u64;
        bounds::REASONS + parts * bounds::REASONS_PER_PART + bytes * bounds::STEPS_PER_BYTE
    }

    /// The step budget for a verdict: larger, because a verdict keeps nothing in memory.
    fn verdict_budget(value: Node<'_>) -> u64 {
        let parts = u64::from(value.entry().next - value.id());
        let bytes = value.text().len() as u64;
        bounds::VERDICT + parts * bounds::VERDICT_PER_PART + bytes * bounds::STEPS_PER_BYTE
    }

    /// How many bytes reasons may copy: linear in the size of the value.
    fn memory(value: Node<'_>) -> u64 {
        bounds::COPIED + value.text().len() as u64 * bounds::COPIED_PER_BYTE
    }
}
