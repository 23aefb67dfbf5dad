//! What decision 411 excludes, by place and without anything of the library.

use serde_json::{Map, Value as Json, json};

use super::places::Place;

/// What is said of keys that are not named.
const SAYS: [&str; 7] = [
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "dependentSchemas",
    "dependencies",
    "if",
    "not",
];

/// The value in which each key that `to` names and `from` has not heard of, at its very place, has a name that
/// nobody knows. A value that is refused only for what is under such keys is accepted under the other names.
pub(super) fn renamed(from: &Place<'_>, to: &Place<'_>, value: &Json) -> Json {
    match value {
        Json::Object(members) => {
            let members = members.iter().map(|(key, member)| {
                if is_named(to, key)
                    && is_unheard_of(from, key)
                    && let Some(other) = other_name(from, to, key)
                {
                    return (other, member.clone());
                }
                let member = renamed(&from.member(key), &to.member(key), member);
                (key.clone(), member)
            });
            members.collect::<Map<_, _>>().into()
        }
        Json::Array(items) => {
            let items = items.iter().enumerate();
            items
                .map(|(index, item)| renamed(&from.element(index), &to.element(index), item))
                .collect()
        }
        _ => value.clone(),
    }
}

/// A name that no schema has, and that the same patterns match.
fn other_name(from: &Place<'_>, to: &Place<'_>, key: &str) -> Option<String> {
    let others = [
        format!("{key}, which nobody knows"),
        format!("{key}whichnobodyknows"),
    ];
    others.into_iter().find(|other| {
        is_unheard_of(from, other)
            && !is_named(to, other)
            && matching(to, other) == matching(to, key)
    })
}

/// The patterns for names that match one.
fn matching<'s>(place: &Place<'s>, name: &str) -> Vec<&'s String> {
    let lists = place.all("patternProperties").filter_map(Json::as_object);
    let patterns = lists.flat_map(|all| all.keys());
    let is_match = |pattern: &&String| {
        let judge = jsonschema::validator_for(&json!({"pattern": pattern})).unwrap();
        judge.is_valid(&json!(name))
    };
    patterns.filter(is_match).collect()
}

fn is_named(place: &Place<'_>, key: &str) -> bool {
    place.all("properties").any(|all| all.get(key).is_some())
}

/// Whether an object is described, and nothing is said of this key or of keys that are not named.
fn is_unheard_of(place: &Place<'_>, key: &str) -> bool {
    let is_object =
        place.all("properties").next().is_some() || place.all("type").any(|one| one == "object");
    is_object
        && SAYS
            .iter()
            .all(|keyword| place.all(keyword).next().is_none())
        && !is_named(place, key)
        && matching(place, key).is_empty()
        && !place.all("required").any(|names| lists(names, key))
        && !place.all("dependentRequired").any(|all| {
            let mut all = all.as_object().into_iter().flatten();
            all.any(|(name, names)| name == key || lists(names, key))
        })
        && !place.all("const").any(|value| value.get(key).is_some())
        && !place.all("enum").any(|values| {
            let mut values = values.as_array().into_iter().flatten();
            values.any(|value| value.get(key).is_some())
        })
}

fn lists(names: &Json, key: &str) -> bool {
    let mut names = names.as_array().into_iter().flatten();
    names.any(|name| name == key)
}
