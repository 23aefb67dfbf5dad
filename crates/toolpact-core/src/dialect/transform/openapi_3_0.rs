//! What OpenAPI 3.0 writes differently from JSON Schema 2020-12.

use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::{any, bottom_up, top_down};
use crate::schema::Keyword;

use super::leave_out;
use super::merge::names;

/// What is dropped inside of `not` or `oneOf` could make an export narrower.
pub(in crate::dialect) const EXACT_CHOICES: Step = Step {
    name: "exact-choices",
    about: "removes `not`, and writes `oneOf` as `anyOf`, where keywords inside have to be removed",
    apply: |tree, log| {
        if any(tree, &|map| is_lossy(map, log)) {
            // Outer ones first: those inside would hide what they lose.
            top_down(tree, &mut |map| widen(map, log));
        }
    },
};

/// There is no `patternProperties`.
pub(in crate::dialect) const PATTERN_KEYS: Step = Step {
    name: "pattern-keys",
    about: "writes a pattern for all other keys as `additionalProperties`, and removes other patterns",
    apply: |tree, log| bottom_up(tree, &mut |map| patterns(map, log)),
};

/// There is no type null, and `nullable` has an effect only beside `type`.
pub(in crate::dialect) const NULL_FLAG: Step = Step {
    name: "null-flag",
    about: "writes null as `nullable: true` beside another type",
    apply: |tree, log| bottom_up(tree, &mut |map| null(map, log)),
};

/// Exclusive limits are flags.
pub(in crate::dialect) const EXCLUSIVE_FLAGS: Step = Step {
    name: "exclusive-flags",
    about: "writes exclusive limits as limits with a flag",
    apply: |tree, log| bottom_up(tree, &mut |map| exclusive(map, log)),
};

/// A schema has one example.
pub(in crate::dialect) const ONE_EXAMPLE: Step = Step {
    name: "one-example",
    about: "keeps the first example",
    apply: |tree, log| bottom_up(tree, &mut |map| example(map, log)),
};

/// An empty `required` is invalid.
pub(in crate::dialect) const SOME_REQUIRED: Step = Step {
    name: "required",
    about: "removes an empty `required`",
    apply: |tree, log| {
        bottom_up(tree, &mut |map| {
            if map.array("required").is_some_and(<[Tree]>::is_empty) {
                map.take("required");
                log.rewritten(map, "required", "an empty `required`", "it was left out");
            }
        });
    },
};

/// Whether keywords that a value can violate have to be removed.
fn is_lossy(map: &Map, log: &Log) -> bool {
    let known = log.profile.keywords.unwrap_or_default();
    let removed = |name: &str| {
        let asserts = Keyword::named(name).is_some_and(Keyword::asserts);
        asserts && !known.contains(&name) && name != Keyword::Const.name()
    };
    map.keys().any(removed) || map.has("anyOf") && map.array("type").is_some()
}

fn widen(map: &mut Map, log: &mut Log) {
    let is_exact =
        |tree: &Tree, log: &Log| !any(tree, &|map| map.has("$ref") || is_lossy(map, log));
    if map.get("not").is_some_and(|not| !is_exact(not, log))
        && let Some(not) = map.take("not")
    {
        leave_out(map, "not", &not, log);
    }
    let alternatives = map.array("oneOf").unwrap_or_default();
    if alternatives.iter().all(|one| is_exact(one, log)) {
        return;
    }
    let Some(alternatives) = map.take("oneOf") else {
        return;
    };
    if map.has("anyOf") {
        leave_out(map, "oneOf", &alternatives, log);
        return;
    }
    map.set("anyOf", alternatives);
    let lost = "that exactly one alternative matches";
    log.wider(map, "oneOf", LossKind::OneOf, lost, "written as `anyOf`");
}

fn patterns(map: &mut Map, log: &mut Log) {
    // With all parts of `allOf` in place, "unevaluated" is not "additional".
    if map.has("allOf")
        && let Some(rest) = map.take("unevaluatedProperties")
    {
        leave_out(map, "unevaluatedProperties", &rest, log);
    }
    let Some(patterns) = map.take("patternProperties") else {
        return;
    };
    leave_out(map, "patternProperties", &patterns, log);
    // These apply to keys that match no pattern, and now there are none.
    let is_closed = map.take("additionalProperties") == Some(Tree::Bool(false));
    map.take("unevaluatedProperties");
    let schemas = patterns.as_map().into_iter().flat_map(Map::iter);
    let schemas: Vec<Tree> = schemas.map(|(_, schema)| schema.clone()).collect();
    if let ([schema], true) = (&schemas[..], is_closed) {
        map.set("additionalProperties", schema.clone());
    }
}

fn null(map: &mut Map, log: &mut Log) {
    let Some(types) = map.get("type") else {
        return;
    };
    let types = names(types);
    let mut others = types.iter().filter(|name| **name != "null");
    let (other, is_list) = (others.next().copied(), others.next().is_some());
    if !types.contains(&"null") || is_list {
        return;
    }
    let flagged = flagged(other, map);
    map.take("type");
    log.rewritten(map, "type", "the type null", "written as `nullable: true`");
    // Readers disagree on whether the flag also overrides these, so it is kept apart from them.
    let applied = ["allOf", "anyOf", "oneOf", "not"];
    if !applied.iter().any(|keyword| map.has(keyword)) {
        for (key, value) in flagged.into_members() {
            map.set(&key, value);
        }
        return;
    }
    match map.get_mut("allOf").and_then(Tree::as_array_mut) {
        Some(all) => all.push(Tree::Object(flagged)),
        None => drop(map.set("allOf", Tree::Array(vec![Tree::Object(flagged)]))),
    }
}

/// The type null, and at most one other, with a flag.
fn flagged(other: Option<&str>, map: &Map) -> Map {
    let mut flagged = Map::at(map.place());
    flagged.set("type", Tree::string(other.unwrap_or("string")));
    // A list of values without null excludes it.
    let listed = map.array("enum").map(|values| values.contains(&Tree::Null));
    match (other, listed) {
        (Some(_), Some(false)) => {}
        (None, Some(false)) => drop(flagged.set("not", Tree::Object(Map::at(map.place())))),
        (Some(_), _) => drop(flagged.set("nullable", Tree::Bool(true))),
        (None, _) => {
            flagged.set("nullable", Tree::Bool(true));
            flagged.set("enum", Tree::Array(vec![Tree::Null]));
        }
    }
    flagged
}

fn exclusive(map: &mut Map, log: &mut Log) {
    for (excluded, limit, sign) in [
        ("exclusiveMinimum", "minimum", 1.0),
        ("exclusiveMaximum", "maximum", -1.0),
    ] {
        let number = |map: &Map, key: &str| match map.get(key) {
            Some(Tree::Number(text)) => text.parse::<f64>().ok(),
            _ => None,
        };
        let Some(Tree::Number(bound)) = map.get(excluded).cloned() else {
            continue;
        };
        let (own, other) = (number(map, excluded), number(map, limit));
        let is_weaker = other
            .zip(own)
            .is_some_and(|(other, own)| other * sign > own * sign);
        map.take(excluded);
        if !is_weaker {
            map.set(limit, Tree::Number(bound));
            map.set(excluded, Tree::Bool(true));
        }
        let done = format!("written as `{limit}`");
        log.rewritten(map, excluded, &format!("`{excluded}`"), &done);
    }
}

fn example(map: &mut Map, log: &mut Log) {
    let Some(Tree::Array(examples)) = map.take("examples") else {
        return;
    };
    let mut examples = examples.into_iter();
    if let Some(first) = examples.next().filter(|_| !map.has("example")) {
        map.set("example", first);
    }
    let rest: Vec<Tree> = examples.collect();
    if !rest.is_empty() {
        leave_out(map, "examples", &Tree::Array(rest), log);
    }
}
