//! The search for values that refute a proof.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Number, Value as Json, json};
use toolpact_core::sample::Random;

use crate::differential::{Choices, make};

use super::case::Case;
use super::places::Place;

/// Values that are changed where the schemas differ.
const CHANGED: usize = 8;
/// Most changes of one value.
const CHANGES: usize = 40;
/// Keys that are taken away or put in, and values for each.
const KEYS: usize = 4;
/// Longest text and array that is made for a limit.
const LONGEST: u64 = 40;

/// Searched are: values of the sampler, usual and unusual; values that lean towards either schema; and of some of
/// them, at every place where the schemas differ, the limits and what is beside them, listed values, other types,
/// and keys of either schema taken away or put in.
pub(super) fn values(case: &Case, bytes: &[u8]) -> Vec<Json> {
    let sampler = case.sampler();
    let made = (0..12).flat_map(|seed| [sampler.nth(seed), sampler.unusual(seed)]);
    let parsed = |text: &str| serde_json::from_str::<Json>(text).ok();
    let mut values: Vec<Json> = made
        .flatten()
        .filter_map(|one| parsed(one.text()))
        .collect();
    let choices = &mut Choices(bytes);
    for count in 0..80 {
        let schema = if count % 4 == 3 {
            case.to()
        } else {
            case.from()
        };
        values.extend(parsed(&make::value_for(schema, schema, choices, 5)));
    }
    let places = [Place::root(case.from()), Place::root(case.to())];
    let mut random = Random::new(bytes.len() as u64);
    for _ in 0..CHANGED {
        let Some(value) = random.pick(&values).cloned() else {
            break;
        };
        let mut changed = Vec::new();
        let [from, to] = &places;
        change(from, to, &value, &mut random, &mut |value| {
            changed.push(value);
        });
        // The second half is deeper inside.
        let parts = [&changed[..], &changed[changed.len() / 2..]];
        let picked = (0..CHANGES).filter_map(|count| random.pick(parts[count % 2]).cloned());
        values.extend(picked);
    }
    let mut seen = HashSet::new();
    values.retain(|value| seen.insert(value.to_string()));
    values
}

/// Gives the value with one change at a place where the schemas differ, for all of these.
fn change(
    from: &Place<'_>,
    to: &Place<'_>,
    value: &Json,
    random: &mut Random,
    give: &mut dyn FnMut(Json),
) {
    if from.schemas() != to.schemas() {
        let edges = edges(from, to, value, random);
        edges.into_iter().for_each(&mut *give);
    }
    match value {
        Json::Object(members) => {
            for (key, member) in members {
                let set = &mut |member: Json| {
                    let mut members = members.clone();
                    members.insert(key.clone(), member);
                    give(members.into());
                };
                change(&from.member(key), &to.member(key), member, random, set);
            }
        }
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate().take(4) {
                let set = &mut |item: Json| {
                    let mut items = items.clone();
                    items[index] = item;
                    give(items.into());
                };
                change(&from.element(index), &to.element(index), item, random, set);
            }
        }
        _ => {}
    }
}

/// What to try in the place of a value.
fn edges(from: &Place<'_>, to: &Place<'_>, value: &Json, random: &mut Random) -> Vec<Json> {
    let mut edges = scalars(from, to);
    let lengths = limits(from, to, &["minLength", "maxLength"]);
    edges.extend(lengths.iter().map(|length| json!("a".repeat(*length))));
    let items = value.as_array().cloned().unwrap_or_default();
    let first = items.first().cloned().unwrap_or(json!(1));
    for size in limits(from, to, &["minItems", "maxItems"]) {
        let mut items = items.clone();
        items.resize(size, first.clone());
        edges.push(items.into());
    }
    edges.push(json!([]));
    edges.extend([json!([first]), json!([first, null])]);
    let members = value.as_object().cloned().unwrap_or_default();
    for size in limits(from, to, &["minProperties", "maxProperties"]) {
        let more = (0..size).map(|at| (format!("more {at}"), json!(1)));
        let all = members.clone().into_iter().chain(more);
        edges.push(all.take(size).collect::<Map<_, _>>().into());
    }
    edges.push(json!({}));
    let names = names(from, to);
    for _ in 0..KEYS {
        let Some(name) = random.pick(&names) else {
            break;
        };
        let mut without = members.clone();
        if without.remove(name).is_some() {
            edges.push(without.into());
        }
        let scalars = scalars(&from.member(name), &to.member(name));
        for member in (0..KEYS).filter_map(|_| random.pick(&scalars)) {
            let mut with = members.clone();
            with.insert(name.clone(), member.clone());
            edges.push(with.into());
        }
    }
    edges
}

/// One value of each type, listed values, numbers at the limits and beside them.
fn scalars(from: &Place<'_>, to: &Place<'_>) -> Vec<Json> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1_000_000),
        json!(""),
        json!("text"),
        json!("2026-02-15"),
        json!([]),
        json!([null]),
        json!({}),
        json!({"other": 1}),
    ];
    for place in [from, to] {
        let lists = place.all("enum").filter_map(Json::as_array);
        values.extend(lists.flatten().cloned());
        values.extend(place.all("const").cloned());
        for keyword in [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ] {
            for limit in place.all(keyword).filter_map(Json::as_f64) {
                let near = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|step| limit + step);
                values.extend(near.iter().filter_map(|one| number(*one)));
            }
        }
    }
    values
}

/// A number, written as an integer if it is one.
fn number(of: f64) -> Option<Json> {
    let text = of.to_string();
    let number = text
        .parse::<Number>()
        .or_else(|_| format!("{of:e}").parse());
    number.ok().map(Json::Number)
}

/// The counts that both schemas have under some keywords, and those beside them.
fn limits(from: &Place<'_>, to: &Place<'_>, keywords: &[&str]) -> BTreeSet<usize> {
    let keywords = keywords.iter();
    let limits = keywords.flat_map(|keyword| from.all(keyword).chain(to.all(keyword)));
    let limits = limits.filter_map(Json::as_u64).filter(|one| *one < LONGEST);
    let near = limits.flat_map(|limit| [limit.saturating_sub(1), limit, limit + 1]);
    near.filter_map(|limit| usize::try_from(limit).ok())
        .collect()
}

/// The keys that both schemas name, and others.
fn names(from: &Place<'_>, to: &Place<'_>) -> Vec<String> {
    let mut names = vec!["other".to_owned(), "x-other".to_owned()];
    for place in [to, from] {
        let lists = place.all("properties").filter_map(Json::as_object);
        names.extend(lists.flat_map(|all| all.keys().cloned()));
        let required = place.all("required").filter_map(Json::as_array).flatten();
        names.extend(required.filter_map(Json::as_str).map(str::to_owned));
    }
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}
