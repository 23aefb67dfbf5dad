//! Walks the subschemas of a schema.

use crate::json::{Kind, Node};

use super::keyword::{Applies, Form, Holds, Keyword, keywords};

/// The direct subschemas of a schema, and how each is applied.
pub(super) fn applied<'a>(schema: Node<'a>, mut each: impl FnMut(Applies, Node<'a>)) {
    for (keyword, value) in keywords(schema) {
        match keyword.schemas() {
            Some((Holds::One, applies)) => each(applies, value),
            Some((Holds::List, applies)) => value.items().for_each(|one| each(applies, one)),
            Some((Holds::Named, applies)) => {
                value.members().for_each(|(_, one)| each(applies, one));
            }
            None => {}
        }
    }
}

/// A schema and all its subschemas, in document order, without those in the values of unknown
/// keywords.
pub(super) fn applied_schemas(root: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(schema) = todo.pop() {
        found.push(schema);
        let waiting = todo.len();
        applied(schema, |_, inner| {
            if is_object(&inner) {
                todo.push(inner);
            }
        });
        todo[waiting..].reverse();
    }
    found
}

/// Every object in a schema that may be a schema, itself included, in document order. This includes
/// the values of unknown keywords, because a reference can lead to them.
pub(crate) fn subschemas(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        if is_object(&node) {
            found.push(node);
        }
        let waiting = todo.len();
        for (name, value) in node.members() {
            match (Keyword::named(&name).map(Keyword::form), value.kind()) {
                // Data, not schemas.
                (Some(Form::Value | Form::Values), _) => {}
                (_, Kind::Array) => todo.extend(value.items().filter(is_object)),
                (Some(Form::SchemaMap(_) | Form::Dependencies), Kind::Object) => {
                    todo.extend(value.members().map(|(_, one)| one).filter(is_object));
                }
                (_, Kind::Object) => todo.push(value),
                _ => {}
            }
        }
        todo[waiting..].reverse();
    }
    found
}

fn is_object(node: &Node<'_>) -> bool {
    node.kind() == Kind::Object
}
