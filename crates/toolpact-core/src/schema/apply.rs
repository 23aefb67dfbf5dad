//! Which keywords apply schemas, and what to.

use crate::json::{Kind, Node};

/// How a keyword applies the schemas in its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Applies {
    /// Not at all: they are there to be referred to.
    Never,
    /// To the same value, which must satisfy all of them.
    All,
    /// To the same value, which must satisfy some of them.
    Choice,
    /// To the same value, to see what else applies.
    Probe,
    /// Each to another part of the value.
    Member,
    /// To parts of the value.
    Parts,
}

/// What a keyword's value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A schema.
    One,
    /// Schemas in an array.
    List,
    /// Schemas by name.
    Named,
}

/// Which schemas a keyword's value holds, if any.
pub(crate) fn holds(name: &str) -> Option<Holds> {
    keyword(name).map(|(holds, _)| holds)
}

fn keyword(name: &str) -> Option<(Holds, Applies)> {
    Some(match name {
        "$defs" | "definitions" => (Holds::Named, Applies::Never),
        "contentSchema" => (Holds::One, Applies::Never),
        "allOf" => (Holds::List, Applies::All),
        "then" | "else" => (Holds::One, Applies::All),
        // The old name is applied by the validator too; lists of names in it are no schemas.
        "dependentSchemas" | "dependencies" => (Holds::Named, Applies::All),
        "anyOf" | "oneOf" => (Holds::List, Applies::Choice),
        "if" | "not" => (Holds::One, Applies::Probe),
        "properties" => (Holds::Named, Applies::Member),
        "patternProperties" => (Holds::Named, Applies::Parts),
        "prefixItems" => (Holds::List, Applies::Parts),
        "additionalProperties"
        | "contains"
        | "items"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => (Holds::One, Applies::Parts),
        _ => return None,
    })
}

/// Whether a keyword's value holds schemas.
pub(super) fn is_applicator(name: &str) -> bool {
    keyword(name).is_some()
}

/// The schemas inside of a schema, one step down, and how each is applied.
pub(super) fn applied<'a>(schema: Node<'a>, mut each: impl FnMut(Applies, Node<'a>)) {
    for (key, value) in schema.members() {
        match keyword(&key) {
            Some((Holds::One, applies)) => each(applies, value),
            Some((Holds::List, applies)) => value.items().for_each(|one| each(applies, one)),
            Some((Holds::Named, applies)) => {
                value.members().for_each(|(_, one)| each(applies, one));
            }
            None => {}
        }
    }
}

/// A schema and every schema inside of it, in document order. Those in the values of keywords that
/// nobody knows are not among them.
pub(super) fn applied_schemas(root: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut todo) = (Vec::new(), vec![root]);
    while let Some(schema) = todo.pop() {
        found.push(schema);
        let waiting = todo.len();
        applied(schema, |_, inner| {
            if inner.kind() == Kind::Object {
                todo.push(inner);
            }
        });
        todo[waiting..].reverse();
    }
    found
}
