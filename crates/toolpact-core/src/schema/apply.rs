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
    /// To the member of the same name.
    Property,
    /// To the members whose name matches.
    Pattern,
    /// To the members that `properties` and `patternProperties` do not name.
    Additional,
    /// To all members or elements, as far as nothing else did.
    Unevaluated,
    /// To the names of all members.
    Names,
    /// To the element at the same place.
    Prefix,
    /// To the elements after those of `prefixItems`.
    Items,
    /// To all elements, to count those that satisfy it.
    Contains,
}

/// What a keyword's value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    One,
    List,
    Named,
}

fn keyword(name: &str) -> Option<(Holds, Applies)> {
    Some(match name {
        "$defs" | "definitions" => (Holds::Named, Applies::Never),
        "contentSchema" => (Holds::One, Applies::Never),
        "allOf" => (Holds::List, Applies::All),
        "then" | "else" => (Holds::One, Applies::All),
        "dependentSchemas" => (Holds::Named, Applies::All),
        "anyOf" | "oneOf" => (Holds::List, Applies::Choice),
        "if" | "not" => (Holds::One, Applies::Probe),
        "properties" => (Holds::Named, Applies::Property),
        "patternProperties" => (Holds::Named, Applies::Pattern),
        "additionalProperties" => (Holds::One, Applies::Additional),
        "unevaluatedProperties" | "unevaluatedItems" => (Holds::One, Applies::Unevaluated),
        "propertyNames" => (Holds::One, Applies::Names),
        "prefixItems" => (Holds::List, Applies::Prefix),
        "items" => (Holds::One, Applies::Items),
        "contains" => (Holds::One, Applies::Contains),
        _ => return None,
    })
}

/// The schemas inside of a schema, one step down: how each is applied and, where that matters, the
/// name or the pattern it is for.
pub(super) fn applied<'a>(schema: Node<'a>, mut each: impl FnMut(Applies, Node<'a>, Node<'a>)) {
    for (key, value) in schema.entries() {
        let name = key.as_str().unwrap_or_default();
        match keyword(&name) {
            Some((Holds::One, applies)) => each(applies, key, value),
            Some((Holds::List, applies)) => value.items().for_each(|one| each(applies, key, one)),
            Some((Holds::Named, applies)) => value
                .entries()
                .for_each(|(name, one)| each(applies, name, one)),
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
        applied(schema, |_, _, inner| {
            if inner.kind() == Kind::Object {
                todo.push(inner);
            }
        });
        todo[waiting..].reverse();
    }
    found
}
