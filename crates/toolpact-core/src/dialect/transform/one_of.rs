use super::merge::names;
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// `oneOf` equals `anyOf` if no value can match two of the alternatives.
pub(in crate::dialect) const ONE_OF: Step = Step {
    name: "one-of",
    about: "writes `oneOf` as `anyOf`; no loss where types or a tag tell the alternatives apart",
    apply: |tree, log| bottom_up(tree, &mut |map| to_any_of(map, log)),
};

fn to_any_of(map: &mut Map, log: &mut Log) {
    let Some(alternatives) = map.take("oneOf") else {
        return;
    };
    let apart = alternatives.as_array().is_some_and(are_apart);
    if map.has("anyOf") {
        let lost = "`oneOf` beside `anyOf`";
        log.wider(map, "oneOf", LossKind::OneOf, lost, "it was left out");
        return;
    }
    if apart {
        log.rewritten(
            map,
            "oneOf",
            "`oneOf`",
            "written as `anyOf`, which means the same here",
        );
    } else {
        let lost = "that no more than one alternative may hold";
        log.wider(map, "oneOf", LossKind::OneOf, lost, "written as `anyOf`");
    }
    map.set("anyOf", alternatives);
}

/// Whether types, values or tags show that no value can match two of them.
fn are_apart(list: &[Tree]) -> bool {
    let maps: Option<Vec<&Map>> = list.iter().map(Tree::as_map).collect();
    let Some(maps) = maps else { return false };
    maps.iter()
        .enumerate()
        .all(|(i, a)| maps[i + 1..].iter().all(|b| two_apart(a, b)))
}

fn two_apart(a: &Map, b: &Map) -> bool {
    types_apart(a, b) || values_apart(a, b) || tags_apart(a, b)
}

fn types_apart(a: &Map, b: &Map) -> bool {
    let types = |map: &Map| -> Option<Vec<String>> {
        let names = names(map.get("type")?);
        // Every integer is a number.
        let same = |name: &str| if name == "integer" { "number" } else { name }.to_owned();
        Some(names.into_iter().map(same).collect())
    };
    match (types(a), types(b)) {
        (Some(a), Some(b)) => a.iter().all(|name| !b.contains(name)),
        _ => false,
    }
}

/// The strings that a schema allows. Numbers can be spelled in too many ways.
fn choices(map: &Map) -> Option<Vec<&str>> {
    if let Some(one) = map.get("const") {
        return Some(vec![one.as_str()?]);
    }
    map.array("enum")?.iter().map(Tree::as_str).collect()
}

fn values_apart(a: &Map, b: &Map) -> bool {
    match (choices(a), choices(b)) {
        (Some(a), Some(b)) => a.iter().all(|value| !b.contains(value)),
        _ => false,
    }
}

/// Whether both are objects that require a common key with different values.
fn tags_apart(a: &Map, b: &Map) -> bool {
    let requires = |map: &Map, key: &str| {
        let is_object = map.text("type") == Some("object");
        let names = map.array("required").unwrap_or_default();
        is_object && names.iter().any(|name| name.as_str() == Some(key))
    };
    let (Some(of_a), Some(of_b)) = (a.map("properties"), b.map("properties")) else {
        return false;
    };
    of_a.iter().any(|(key, tag)| {
        let tags = tag.as_map().zip(of_b.get(key).and_then(Tree::as_map));
        requires(a, key) && requires(b, key) && tags.is_some_and(|(a, b)| values_apart(a, b))
    })
}
