//! What a value has to keep to besides its type, in words.

use indexmap::IndexSet;

use crate::json::{Kind, Node, Number, Whole};

use super::{Phrase, words};
use crate::schema::view::{Part, Sources, View};

/// More of them at one place tell nobody anything.
const SHOWN: usize = 30;

/// All limits of a view, each once.
pub(super) fn of<'v>(sources: &Sources<'v>, view: &View<'v>) -> Vec<Phrase> {
    let mut limits = Vec::new();
    for part in view.parts() {
        limits.extend(of_one(part.node));
    }
    limits.extend(of_alternatives(sources, view));
    let mut each: IndexSet<Phrase> = limits.into_iter().collect();
    let more = each.len().saturating_sub(SHOWN);
    each.truncate(SHOWN);
    if more > 0 {
        each.insert(Phrase::words(format!("and {more} more")));
    }
    each.into_iter().collect()
}

fn of_one(schema: Node<'_>) -> Vec<Phrase> {
    let mut limits = of_number(schema);
    limits.extend(of_sizes(schema));
    limits.extend(of_text(schema));
    limits.extend(of_keys(schema));
    limits.extend(of_annotations(schema));
    limits.extend(unsaid(schema));
    limits
}

/// What alternatives ask for, unless they have fields: then they have rows of their own.
fn of_alternatives<'v>(sources: &Sources<'v>, view: &View<'v>) -> Vec<Phrase> {
    let branches = view.choices().into_iter().flat_map(Part::items);
    let views = branches.map(|branch| sources.view([branch]));
    let is_null = |view: &View<'_>| words::types(view) == ["null"];
    let views: Vec<View<'_>> = views.filter(|view| !is_null(view)).collect();
    if let [only] = views.as_slice() {
        let parts = only.parts().iter();
        return parts.flat_map(|part| of_one(part.node)).collect();
    }
    let plain = views.iter().filter(|view| view.identity().is_empty());
    let limits = plain.filter(|view| !asks_for_keys(view)).flat_map(|view| {
        let limits = view.parts().iter().flat_map(|part| of_one(part.node));
        let kind = words::of(sources, view).then(": ");
        limits.map(move |limit| kind.clone().and(limit))
    });
    limits.collect()
}

/// Whether keys that are not named are refused.
pub(super) fn is_closed(view: &View<'_>) -> bool {
    view.is_closed(["additionalProperties", "unevaluatedProperties"])
}

fn of_number(schema: Node<'_>) -> Vec<Phrase> {
    // That an integer has 64 bits is what ADM means by one, and no news.
    let is_news = |number: &Number<'_>| {
        let whole = number.whole();
        whole != Whole::Integer(i64::MIN) && whole != Whole::Integer(i64::MAX)
    };
    let number = |keyword: &str| schema.get(keyword)?.as_number().filter(is_news);
    let mut limits = Vec::new();
    match (number("minimum"), number("maximum")) {
        (Some(least), Some(most)) => limits.push(format!("{least} to {most}")),
        (Some(least), None) => limits.push(format!("at least {least}")),
        (None, Some(most)) => limits.push(format!("at most {most}")),
        (None, None) => {}
    }
    let others = [
        ("exclusiveMinimum", "more than"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ];
    for (keyword, words) in others {
        limits.extend(number(keyword).map(|number| format!("{words} {number}")));
    }
    limits.into_iter().map(Phrase::words).collect()
}

fn of_sizes(schema: Node<'_>) -> Vec<Phrase> {
    let sizes = [
        ("minLength", "maxLength", "character"),
        ("minItems", "maxItems", "item"),
        ("minProperties", "maxProperties", "key"),
    ];
    let said = sizes.into_iter().filter_map(|(least, most, noun)| {
        let number = |keyword: &str| schema.get(keyword)?.as_number();
        let number = |keyword: &str| number(keyword).filter(|n| n.text() != "0" || keyword == most);
        let plural = |number: &str| if number == "1" { "" } else { "s" };
        Some(Phrase::words(match (number(least), number(most)) {
            (Some(least), Some(most)) if least.text() == most.text() => {
                format!("exactly {most} {noun}{}", plural(most.text()))
            }
            (Some(least), Some(most)) => format!("{least} to {most} {noun}s"),
            (Some(least), None) => format!("at least {least} {noun}{}", plural(least.text())),
            (None, Some(most)) => format!("at most {most} {noun}{}", plural(most.text())),
            (None, None) => return None,
        }))
    });
    let unique = schema.get("uniqueItems").and_then(Node::as_bool);
    let unique = (unique == Some(true)).then(|| Phrase::words("no item twice"));
    said.chain(unique).collect()
}

fn of_text(schema: Node<'_>) -> Vec<Phrase> {
    let said = [
        ("pattern", "matches "),
        ("format", "format "),
        ("contentEncoding", "encoded as "),
        ("contentMediaType", "content of type "),
    ];
    let said = said.into_iter().filter_map(|(keyword, words)| {
        let text = schema.get(keyword)?.as_str()?;
        Some(Phrase::words(words).then_code(text))
    });
    said.collect()
}

fn of_keys(schema: Node<'_>) -> Vec<Phrase> {
    let mut limits = Vec::new();
    if let Some(pattern) = schema.get("propertyNames").and_then(|n| n.get("pattern")) {
        let pattern = pattern.as_str().unwrap_or_default();
        limits.push(Phrase::words("keys match ").then_code(pattern));
    }
    let dependent = schema.get("dependentRequired");
    for (key, needs) in dependent.into_iter().flat_map(Node::members) {
        let needs = needs.items().filter_map(Node::as_str).map(Phrase::code);
        let needs: Vec<Phrase> = needs.collect();
        if !needs.is_empty() {
            let needs = Phrase::join(needs, " and ");
            limits.push(Phrase::code(key).then(" needs ").and(needs));
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        limits.extend(schema.get(keyword).and_then(one_of_keys));
    }
    limits
}

/// Alternatives that ask for keys and for nothing else: "needs `a` or `b`".
fn one_of_keys(list: Node<'_>) -> Option<Phrase> {
    let branches = list.items().map(keys_alone);
    let branches: Option<Vec<Phrase>> = branches.collect();
    let branches = branches.filter(|branches| !branches.is_empty())?;
    Some(Phrase::words("needs ").and(Phrase::join(branches, ", or ")))
}

fn keys_alone(branch: Node<'_>) -> Option<Phrase> {
    let is_alone = branch
        .members()
        .all(|(key, _)| matches!(&*key, "required" | "type" | "title" | "description"));
    let keys = branch.get("required").filter(|_| is_alone)?;
    let keys = keys.items().filter_map(Node::as_str).map(Phrase::code);
    Some(Phrase::join(keys, " and "))
}

pub(super) fn asks_for_keys(view: &View<'_>) -> bool {
    let mut parts = view.parts().iter();
    parts.any(|part| keys_alone(part.node).is_some())
}

fn of_annotations(schema: Node<'_>) -> Vec<Phrase> {
    let flags = [
        ("deprecated", "deprecated"),
        ("readOnly", "read only"),
        ("writeOnly", "write only"),
    ];
    let said = flags.into_iter().filter(|(keyword, _)| {
        let flag = schema.get(keyword).and_then(Node::as_bool);
        flag == Some(true)
    });
    said.map(|(_, words)| Phrase::words(words)).collect()
}

/// Keywords that there are no words for are named, so that nobody takes the rest for all.
fn unsaid(schema: Node<'_>) -> Option<Phrase> {
    const UNSAID: [&str; 8] = [
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependencies",
        "contains",
        "unevaluatedItems",
    ];
    let names = schema.members().filter(|(key, value)| {
        let is_trivial = value.kind() == Kind::Bool && *key != "not";
        UNSAID.contains(&&**key) && !is_trivial
    });
    let names: Vec<Phrase> = names.map(|(key, _)| Phrase::code(key)).collect();
    if names.is_empty() {
        return None;
    }
    let begin = Phrase::words("further conditions, by ");
    Some(begin.and(Phrase::join(names, " and ")))
}
