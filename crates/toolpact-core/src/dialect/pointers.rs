//! References that are plain pointers: they can be rewritten when their targets move.

use std::collections::HashSet;

use crate::json::{Node, NodeId};
use crate::returns::StandardType;
use crate::schema::{Holds, Resolver, holds};

/// Whether every reference is a pointer from the root to a schema, or names a standard type.
pub(super) fn only(root: Node<'_>) -> bool {
    let (mut schemas, mut todo) = (Vec::new(), vec![root]);
    while let Some(schema) = todo.pop() {
        schemas.push(schema);
        for (keyword, value) in schema.members() {
            match holds(&keyword) {
                Some(Holds::One) => todo.push(value),
                Some(Holds::List) => todo.extend(value.items()),
                Some(Holds::Named) => todo.extend(value.members().map(|(_, one)| one)),
                None => {}
            }
        }
    }
    let standard = |text: &str| StandardType::all().any(|standard| standard.uri() == text);
    let known: HashSet<NodeId> = schemas.iter().map(|schema| schema.id()).collect();
    let resolver = Resolver::new(root);
    let leads_to_one = |text: &str| {
        let pointer = text == "#" || text.starts_with("#/") && !text.contains('%');
        let target = resolver.resolve(root, text).filter(|_| pointer);
        standard(text) || target.is_some_and(|target| known.contains(&target.id()))
    };
    schemas.iter().all(|schema| {
        schema.members().all(|(keyword, value)| match &*keyword {
            "$id" => value.as_str().is_some_and(|text| standard(&text)),
            "$ref" => value.as_str().is_some_and(|text| leads_to_one(&text)),
            "$dynamicRef" => false,
            _ => true,
        })
    })
}
