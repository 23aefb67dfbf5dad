//! How many schemas can be applied to one value, references followed.
//!
//! A few lines of schemas that each refer to the next one twice double the count with every step,
//! so that checking a value would not finish.

use super::bounds;
use super::graph::{Edge, Graph, Vertex};
use super::keyword::{Applies, Cost as KeywordCost, keywords};

/// The cost of applying a schema once, in schemas applied.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    /// To decide whether a value is valid.
    verdict: u64,
    /// To collect which parts it evaluates, for an `unevaluatedProperties` above it.
    marks: u64,
    /// How deep the applications nest.
    nesting: u64,
}

/// The largest number of schemas that one schema applies to the same value, or the vertex of a
/// schema that is part of an in-place cycle.
pub(super) fn in_place(graph: &Graph<'_>) -> Result<u64, usize> {
    let costs = costs(graph, Edge::is_in_place)?;
    Ok(costs.into_iter().max().unwrap_or(1))
}

/// How many schemas each schema applies over the edges that are `followed`, or a vertex on a cycle of them.
pub(super) fn costs(
    graph: &Graph<'_>,
    followed: impl Fn(&Edge) -> bool,
) -> Result<Vec<u64>, usize> {
    let order = graph.order(&followed)?;
    let costs = settle(graph, &order, followed, |_| 1);
    Ok(costs.iter().map(|cost| cost.verdict).collect())
}

/// An upper bound of the cost for any part of a value, derived from the schema alone. `None` if
/// there is none, because the schema is recursive or nests too deep for the stack.
pub(super) fn of_any_part(graph: &Graph<'_>) -> Option<u64> {
    let order = graph.order(|_| true).ok()?;
    let costs = settle(graph, &order, |_| true, steps);
    let shallow = costs.iter().all(|cost| cost.nesting <= bounds::NESTING);
    let most = costs.iter().map(|cost| cost.verdict).max();
    most.filter(|_| shallow)
}

/// The steps of the schema's own keywords: names and values that are compared one by one.
pub(super) fn steps(vertex: &Vertex<'_>) -> u64 {
    let listed = keywords(vertex.schema).map(|(keyword, value)| match keyword.cost() {
        KeywordCost::Names => value.items().count(),
        KeywordCost::Keys => value.entries().count(),
        KeywordCost::NamesByKey => value.entries().map(|(_, v)| v.items().count()).sum(),
        // Strings are looked up by hash, other values are compared one by one.
        KeywordCost::Values => value.items().filter(|item| item.as_str().is_none()).count(),
        KeywordCost::Free | KeywordCost::Scalar | KeywordCost::Schemas | KeywordCost::Text => 0,
    });
    1 + listed.sum::<usize>() as u64
}

fn settle(
    graph: &Graph<'_>,
    order: &[usize],
    followed: impl Fn(&Edge) -> bool,
    steps: impl Fn(&Vertex<'_>) -> u64,
) -> Vec<Cost> {
    let mut costs = vec![Cost::default(); graph.vertices.len()];
    for number in order {
        let vertex = &graph.vertices[*number];
        let own = steps(vertex);
        let mut cost = Cost {
            verdict: own,
            marks: own,
            nesting: 1,
        };
        let mut member = 0;
        for edge in vertex.edges.iter().filter(|edge| followed(edge)) {
            let inner = costs[edge.to];
            cost.nesting = cost.nesting.max(inner.nesting + 1);
            if edge.applies == Applies::Member {
                member = inner.verdict.max(member);
                continue;
            }
            cost.verdict = cost.verdict.saturating_add(inner.verdict);
            if edge.is_in_place() {
                cost.marks = cost.marks.saturating_add(inner.verdict);
                cost.marks = cost.marks.saturating_add(inner.marks);
            }
        }
        // A part of the value is at most one of the members.
        cost.verdict = cost.verdict.saturating_add(member);
        if vertex.looks_back {
            cost.verdict = cost.verdict.saturating_add(cost.marks);
        }
        costs[*number] = cost;
    }
    costs
}
