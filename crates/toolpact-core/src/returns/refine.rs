//! Whether a schema can be a narrower form of a standard one.
//!
//! Whether one schema implies another is undecidable in general. What can be detected, and what
//! people get wrong, is that no value could satisfy both: a type that is not the standard one's, a
//! required key that is excluded.

use std::borrow::Cow;

use crate::json::{Kind, Node};
use crate::text::shorten;

/// The places where `given` excludes what `standard` needs, and why.
pub(super) fn contradictions<'a>(standard: Node<'_>, given: Node<'a>) -> Vec<(Node<'a>, String)> {
    let mut found = Vec::new();
    compare(standard, given, "it", &mut found);
    for part in given.get("allOf").into_iter().flat_map(Node::items) {
        compare(standard, part, "it", &mut found);
    }
    found
}

/// Recurses as deep as schemas nest, which is bounded.
fn compare<'a>(
    standard: Node<'_>,
    given: Node<'a>,
    name: &str,
    found: &mut Vec<(Node<'a>, String)>,
) {
    if given.as_bool() == Some(false) {
        found.push((given, format!("{name} is excluded altogether")));
        return;
    }
    let (needed, offered) = (types(standard), types(given));
    if let (Some(needed), Some(offered)) = (&needed, &offered)
        && !needed.iter().any(|n| offered.iter().any(|o| overlap(n, o)))
    {
        let (needed, offered) = (needed.join(" or "), offered.join(" or "));
        let place = given.get("type").unwrap_or(given);
        found.push((
            place,
            format!("{name} is {needed} there and {offered} here"),
        ));
        return;
    }
    if let Some(needed) = &needed {
        values_of_other_types(needed, given, name, found);
    }
    missing_keys(standard, given, found);
    for (key, property) in given.get("properties").into_iter().flat_map(Node::members) {
        if let Some(standard) = standard.get("properties").and_then(|p| p.get(&key)) {
            compare(standard, property, &format!("`{}`", shorten(&key)), found);
        }
    }
    if let (Some(standard), Some(items)) = (standard.get("items"), given.get("items")) {
        compare(standard, items, "an element", found);
    }
}

/// The types a schema allows, as far as it says so: by `type`, or by the types of its `oneOf`.
fn types(schema: Node<'_>) -> Option<Vec<String>> {
    let Some(node) = schema.get("type") else {
        let branches: Vec<_> = schema.get("oneOf")?.items().map(types).collect();
        let all: Option<Vec<Vec<String>>> = branches.into_iter().collect();
        return all
            .map(|lists| lists.concat())
            .filter(|types| !types.is_empty());
    };
    match node.as_str() {
        Some(one) => Some(vec![one.into_owned()]),
        None => Some(
            node.items()
                .filter_map(Node::as_str)
                .map(Cow::into_owned)
                .collect(),
        ),
    }
}

fn overlap(a: &str, b: &str) -> bool {
    a == b || matches!((a, b), ("integer", "number") | ("number", "integer"))
}

/// `enum` or `const` with no value of the type that is needed.
fn values_of_other_types<'a>(
    needed: &[String],
    given: Node<'a>,
    name: &str,
    found: &mut Vec<(Node<'a>, String)>,
) {
    let fits = |value: Node<'_>| needed.iter().any(|needed| is_of_type(value, needed));
    let excluded = match (given.get("const"), given.get("enum")) {
        (Some(value), _) => !fits(value),
        (None, Some(values)) => !values.items().any(fits),
        (None, None) => false,
    };
    if excluded {
        let needed = needed.join(" or ");
        found.push((
            given,
            format!("{name} is {needed} there and none of the values here is"),
        ));
    }
}

fn is_of_type(value: Node<'_>, name: &str) -> bool {
    match value.kind() {
        Kind::Null => name == "null",
        Kind::Bool => name == "boolean",
        Kind::Number => name == "number" || name == "integer",
        Kind::String => name == "string",
        Kind::Array => name == "array",
        Kind::Object => name == "object",
    }
}

/// Keys that are required there, and neither described nor allowed here.
fn missing_keys<'a>(standard: Node<'_>, given: Node<'a>, found: &mut Vec<(Node<'a>, String)>) {
    let Some(additional) = given.get("additionalProperties") else {
        return;
    };
    if additional.as_bool() != Some(false) || given.get("patternProperties").is_some() {
        return;
    }
    for name in standard.get("required").into_iter().flat_map(Node::items) {
        let Some(name) = name.as_str() else { continue };
        if given
            .get("properties")
            .is_none_or(|properties| properties.get(&name).is_none())
        {
            let why =
                format!("`{name}` is required there and excluded by `additionalProperties` here");
            found.push((additional, why));
        }
    }
}
