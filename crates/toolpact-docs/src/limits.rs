//! The limits of a value besides its type, in words.

use indexmap::IndexSet;
use toolpact_core::json::{Kind, Node, Number, Whole};
use toolpact_core::schema::view::{Part, Sources, View};
use toolpact_core::schema::{JsonType, Keyword, Role, keywords};

use super::{Phrase, words};

/// The most limits that are listed at one place.
const SHOWN: usize = 30;

/// All limits of a view, each once.
pub(super) fn of<'v>(sources: &Sources<'v>, view: &View<'v>) -> Vec<Phrase> {
    let mut limits = Vec::new();
    for part in view.parts() {
        limits.extend(of_one(part.node()));
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

/// The limits of alternatives, unless they have fields: then they have rows of their own.
fn of_alternatives<'v>(sources: &Sources<'v>, view: &View<'v>) -> Vec<Phrase> {
    let branches = view.choices().into_iter().flat_map(Part::items);
    let views = branches.map(|branch| sources.view([branch]));
    let views: Vec<View<'_>> = views
        .filter(|view| view.meant_types() != [JsonType::Null])
        .collect();
    if let [only] = views.as_slice() {
        let parts = only.parts().iter();
        return parts.flat_map(|part| of_one(part.node())).collect();
    }
    let plain = views.iter().filter(|view| view.identity().is_empty());
    let limits = plain.filter(|view| !asks_for_keys(view)).flat_map(|view| {
        let limits = view.parts().iter().flat_map(|part| of_one(part.node()));
        let kind = words::of(sources, view).then(": ");
        limits.map(move |limit| kind.clone().and(limit))
    });
    limits.collect()
}

fn of_number(schema: Node<'_>) -> Vec<Phrase> {
    // An ADM integer always has 64 bits, so these limits are not worth listing.
    let is_news = |number: &Number<'_>| {
        let whole = number.whole();
        whole != Whole::Integer(i64::MIN) && whole != Whole::Integer(i64::MAX)
    };
    let number = |keyword: Keyword| keyword.get(schema)?.as_number().filter(is_news);
    let mut limits = Vec::new();
    match (number(Keyword::Minimum), number(Keyword::Maximum)) {
        (Some(least), Some(most)) => limits.push(format!("{least} to {most}")),
        (Some(least), None) => limits.push(format!("at least {least}")),
        (None, Some(most)) => limits.push(format!("at most {most}")),
        (None, None) => {}
    }
    let others = [
        (Keyword::ExclusiveMinimum, "more than"),
        (Keyword::ExclusiveMaximum, "less than"),
        (Keyword::MultipleOf, "a multiple of"),
    ];
    for (keyword, words) in others {
        limits.extend(number(keyword).map(|number| format!("{words} {number}")));
    }
    limits.into_iter().map(Phrase::words).collect()
}

fn of_sizes(schema: Node<'_>) -> Vec<Phrase> {
    let sizes = [
        (Keyword::MinLength, Keyword::MaxLength, "character"),
        (Keyword::MinItems, Keyword::MaxItems, "item"),
        (Keyword::MinProperties, Keyword::MaxProperties, "key"),
    ];
    let said = sizes.into_iter().filter_map(|(least, most, noun)| {
        let number = |keyword: Keyword| keyword.get(schema)?.as_number();
        let is_news = |n: &Number<'_>, keyword| n.text() != "0" || keyword == most;
        let number = |keyword| number(keyword).filter(|n| is_news(n, keyword));
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
    let unique = Keyword::UniqueItems.get(schema).and_then(Node::as_bool);
    let unique = (unique == Some(true)).then(|| Phrase::words("no item twice"));
    said.chain(unique).collect()
}

fn of_text(schema: Node<'_>) -> Vec<Phrase> {
    let said = [
        (Keyword::Pattern, "matches "),
        (Keyword::Format, "format "),
        (Keyword::ContentEncoding, "encoded as "),
        (Keyword::ContentMediaType, "content of type "),
    ];
    let said = said.into_iter().filter_map(|(keyword, words)| {
        let text = keyword.get(schema)?.as_str()?;
        Some(Phrase::words(words).then_code(text))
    });
    said.collect()
}

fn of_keys(schema: Node<'_>) -> Vec<Phrase> {
    let mut limits = Vec::new();
    let names = Keyword::PropertyNames.get(schema);
    if let Some(pattern) = names.and_then(|names| Keyword::Pattern.get(names)) {
        let pattern = pattern.as_str().unwrap_or_default();
        limits.push(Phrase::words("keys match ").then_code(pattern));
    }
    let dependent = Keyword::DependentRequired.get(schema);
    for (key, needs) in dependent.into_iter().flat_map(Node::members) {
        let needs = needs.items().filter_map(Node::as_str).map(Phrase::code);
        let needs: Vec<Phrase> = needs.collect();
        if !needs.is_empty() {
            let needs = Phrase::join(needs, " and ");
            limits.push(Phrase::code(key).then(" needs ").and(needs));
        }
    }
    for keyword in [Keyword::AnyOf, Keyword::OneOf] {
        limits.extend(keyword.get(schema).and_then(one_of_keys));
    }
    limits
}

/// Alternatives that only require keys: "needs `a` or `b`".
fn one_of_keys(list: Node<'_>) -> Option<Phrase> {
    let branches = list.items().map(keys_alone);
    let branches: Option<Vec<Phrase>> = branches.collect();
    let branches = branches.filter(|branches| !branches.is_empty())?;
    Some(Phrase::words("needs ").and(Phrase::join(branches, ", or ")))
}

fn keys_alone(branch: Node<'_>) -> Option<Phrase> {
    let is_alone = branch.members().all(|(name, _)| {
        use Keyword::{Description, Required, Title, Type};
        let keyword = Keyword::named(&name);
        matches!(keyword, Some(Required | Type | Title | Description))
    });
    let keys = Keyword::Required.get(branch).filter(|_| is_alone)?;
    let keys = keys.items().filter_map(Node::as_str).map(Phrase::code);
    Some(Phrase::join(keys, " and "))
}

pub(super) fn asks_for_keys(view: &View<'_>) -> bool {
    let mut parts = view.parts().iter();
    parts.any(|part| keys_alone(part.node()).is_some())
}

fn of_annotations(schema: Node<'_>) -> Vec<Phrase> {
    let flags = [
        (Keyword::Deprecated, "deprecated"),
        (Keyword::ReadOnly, "read only"),
        (Keyword::WriteOnly, "write only"),
    ];
    let said = flags.into_iter().filter(|(keyword, _)| {
        let flag = keyword.get(schema).and_then(Node::as_bool);
        flag == Some(true)
    });
    said.map(|(_, words)| Phrase::words(words)).collect()
}

/// Names the conditions that cannot be put in words, so that readers know the list is incomplete.
fn unsaid(schema: Node<'_>) -> Option<Phrase> {
    let unsaid = keywords(schema).filter(|(keyword, value)| {
        let is_trivial = value.kind() == Kind::Bool && *keyword != Keyword::Not;
        keyword.asserts() && !is_said(*keyword) && !is_trivial
    });
    let names: Vec<Phrase> = unsaid
        .map(|(known, _)| Phrase::code(known.name()))
        .collect();
    if names.is_empty() {
        return None;
    }
    let begin = Phrase::words("further conditions, by ");
    Some(begin.and(Phrase::join(names, " and ")))
}

/// Whether a keyword that restricts values is put in words: here, in the type, or in the rows of
/// fields.
fn is_said(keyword: Keyword) -> bool {
    match keyword.role() {
        Role::Constraint => matches!(
            keyword,
            Keyword::Type
                | Keyword::Properties
                | Keyword::Required
                | Keyword::Items
                | Keyword::Minimum
                | Keyword::Maximum
                | Keyword::ExclusiveMinimum
                | Keyword::ExclusiveMaximum
                | Keyword::MultipleOf
                | Keyword::MinLength
                | Keyword::MaxLength
                | Keyword::Pattern
                | Keyword::MinItems
                | Keyword::MaxItems
                | Keyword::MinContains
                | Keyword::MaxContains
                | Keyword::UniqueItems
                | Keyword::MinProperties
                | Keyword::MaxProperties
        ),
        Role::Condition => keyword == Keyword::DependentRequired,
        _ => true,
    }
}
