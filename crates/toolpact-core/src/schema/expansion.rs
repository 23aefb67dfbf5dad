//! How many subschemas one value may meet at one place, references followed.
//!
//! A few lines of schema that refer to each other twice double with every step, so that no value
//! is ever checked to its end.

use std::collections::{HashMap, HashSet};

use crate::json::{Node, NodeId};

use super::walk::subschemas;

/// Keywords that apply a schema, or a list of them, to the same value.
const IN_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// The largest number of subschemas that one subschema of `root` expands to.
pub(super) fn expansion(root: Node<'_>) -> u64 {
    let schemas = subschemas(root);
    let places: HashMap<NodeId, usize> = schemas.iter().map(|s| s.id()).zip(0..).collect();
    let edges: Vec<Vec<usize>> = schemas
        .iter()
        .map(|schema| {
            in_place(*schema, root)
                .filter_map(|n| places.get(&n.id()).copied())
                .collect()
        })
        .collect();
    let mut costs = vec![None; schemas.len()];
    for start in 0..schemas.len() {
        settle(start, &edges, &mut costs);
    }
    costs.into_iter().flatten().max().unwrap_or(1)
}

/// Works out the cost of a schema and of all that it needs, without recursion. What leads back to a
/// schema that is being worked out counts as one.
fn settle(start: usize, edges: &[Vec<usize>], costs: &mut [Option<u64>]) {
    let mut open = vec![(start, 0)];
    let mut is_open = HashSet::from([start]);
    while let Some((schema, next)) = open.pop() {
        if costs[schema].is_some() {
            continue;
        }
        match edges[schema].get(next) {
            Some(child) => {
                open.push((schema, next + 1));
                if costs[*child].is_none() && is_open.insert(*child) {
                    open.push((*child, 0));
                }
            }
            None => {
                let of_children = edges[schema].iter().map(|child| costs[*child].unwrap_or(1));
                costs[schema] = Some(of_children.fold(1, u64::saturating_add));
            }
        }
    }
}

/// The schemas that a schema applies to the value it is applied to itself.
fn in_place<'a>(schema: Node<'a>, root: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let applied = IN_PLACE
        .into_iter()
        .filter_map(move |keyword| schema.get(keyword));
    let lists = applied.clone().flat_map(Node::items);
    let dependent = schema.get("dependentSchemas").into_iter();
    let dependent = dependent.flat_map(|all| all.members().map(|(_, schema)| schema));
    let reference = schema.get("$ref").and_then(Node::as_str);
    let target = reference.and_then(|reference| resolve(root, &reference));
    applied.chain(lists).chain(dependent).chain(target)
}

/// What a JSON Pointer into the schema leads to.
fn resolve<'a>(root: Node<'a>, reference: &str) -> Option<Node<'a>> {
    let pointer = reference.strip_prefix('#')?;
    pointer.split('/').skip(1).try_fold(root, |node, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        let item = || node.items().nth(token.parse().ok()?);
        node.get(&token).or_else(item)
    })
}
