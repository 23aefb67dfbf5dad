//! Merges two schemas into one that requires both.

use std::cmp::Ordering;
use std::collections::HashSet;

use indexmap::IndexSet;

use crate::dialect::loss::LossKind;
use crate::dialect::step::Log;
use crate::dialect::tree::{Map, Tree};
use crate::json::{Number, Whole};
use crate::schema::{Keyword, Role};

/// Merges `other` into `base`. What one schema cannot express is dropped and logged.
pub(super) fn merge(base: &mut Map, other: &Map, log: &mut Log) {
    keys(base, other, log);
    elements(base, other, log);
    for (keyword, value) in other.iter() {
        match Keyword::named(keyword) {
            // Merged by `keys`.
            Some(
                Keyword::Properties
                | Keyword::AdditionalProperties
                | Keyword::PatternProperties
                | Keyword::Required,
            ) => {}
            Some(known) if known.role() == Role::Annotation => {
                if !base.has(keyword) {
                    base.set(keyword, value.clone());
                }
            }
            _ => assertion(base, keyword, value, other, log),
        }
    }
}

fn assertion(base: &mut Map, keyword: &str, value: &Tree, other: &Map, log: &mut Log) {
    let Some(own) = base.get(keyword) else {
        // The three belong together, and must not be mixed with others.
        let conditional = matches!(keyword, "if" | "then" | "else");
        if conditional
            && ["if", "then", "else"]
                .iter()
                .any(|k| base.has(k) && !other.has(k))
        {
            lose(base, keyword, log);
        } else {
            base.set(keyword, value.clone());
        }
        return;
    };
    if own == value {
        return;
    }
    let both = match Keyword::named(keyword) {
        Some(Keyword::Type) => both_types(own, value),
        Some(Keyword::Enum) => both_enums(own, value),
        Some(
            Keyword::Minimum
            | Keyword::ExclusiveMinimum
            | Keyword::MinLength
            | Keyword::MinItems
            | Keyword::MinProperties,
        ) => stricter(own, value, Ordering::Greater),
        Some(
            Keyword::Maximum
            | Keyword::ExclusiveMaximum
            | Keyword::MaxLength
            | Keyword::MaxItems
            | Keyword::MaxProperties,
        ) => stricter(own, value, Ordering::Less),
        Some(Keyword::UniqueItems) => Some(Tree::Bool(true)),
        Some(Keyword::Items) => Some(both_schemas(own, value, log)),
        _ => None,
    };
    match both {
        Some(both) => drop(base.set(keyword, both)),
        None => lose(base, keyword, log),
    }
}

fn lose(base: &Map, keyword: &str, log: &mut Log) {
    log.wider(
        base,
        "allOf",
        LossKind::AllOf,
        &format!("a second `{keyword}` for one value"),
        "only one was kept",
    );
}

/// A schema that requires both.
fn both_schemas(a: &Tree, b: &Tree, log: &mut Log) -> Tree {
    match (a, b) {
        (Tree::Object(a), Tree::Object(b)) => {
            let mut both = a.clone();
            merge(&mut both, b, log);
            Tree::Object(both)
        }
        (Tree::Bool(true), other) | (other, Tree::Bool(true)) => other.clone(),
        _ => Tree::Bool(false),
    }
}

/// Merges all keywords for object keys together: `additionalProperties` of one schema applies to
/// the keys that only the other declares.
fn keys(base: &mut Map, other: &Map, log: &mut Log) {
    let opens = |map: &Map, from: &Map| {
        let restricts = map
            .get("additionalProperties")
            .is_some_and(|a| *a != Tree::Bool(true))
            || map.has("patternProperties");
        let own = map.map("properties");
        let mut others = from.map("properties").into_iter().flat_map(Map::keys);
        restricts && others.any(|key| own.is_none_or(|own| !own.has(key)))
    };
    let conflict = opens(base, other) || opens(other, base);
    let own_rest = base.take("additionalProperties");
    let rest = match (own_rest, other.get("additionalProperties").cloned()) {
        _ if conflict => None,
        (Some(a), Some(b)) => Some(both_schemas(&a, &b, log)),
        (a, b) => a.or(b),
    };
    if let Some(rest) = rest {
        base.set("additionalProperties", rest);
    }
    patterns(base, other, conflict, log);
    if conflict {
        let lost =
            "rules for unknown keys in one part of `allOf`, which hold for the keys of the others";
        log.wider(
            base,
            "allOf",
            LossKind::UnknownKeys,
            lost,
            "they were left out",
        );
    }
    properties(base, other, log);
    required(base, other);
}

/// Logs that `items` of one schema would apply to `prefixItems` of the other.
fn elements(base: &Map, other: &Map, log: &mut Log) {
    let first = "prefixItems";
    let overlap = |map: &Map, rest: &Map| map.has(first) && rest.has("items");
    if base.get(first) == other.get(first) || !overlap(base, other) && !overlap(other, base) {
        return;
    }
    let lost = "rules for all elements in one part of `allOf`, which hold for the first ones, too";
    let instead = "the first ones keep only their own";
    log.wider(base, "allOf", LossKind::Tuple, lost, instead);
    if base.has(first) && other.has(first) {
        let lost = "tuples of different lengths in the parts of `allOf`";
        log.narrower(
            base,
            "allOf",
            LossKind::Tuple,
            lost,
            "the rest is as in both",
        );
    }
}

fn patterns(base: &mut Map, other: &Map, conflict: bool, log: &mut Log) {
    let key = "patternProperties";
    if conflict {
        base.take(key);
    } else if let Some(theirs) = other.get(key) {
        match base.get(key) {
            None => drop(base.set(key, theirs.clone())),
            Some(own) if own == theirs => {}
            Some(_) => lose(base, key, log),
        }
    }
}

fn properties(base: &mut Map, other: &Map, log: &mut Log) {
    let Some(theirs) = other.map("properties") else {
        return;
    };
    if !base.has("properties") {
        base.set("properties", Tree::Object(Map::at(theirs.place())));
    }
    let Some(own) = base.map_mut("properties") else {
        return;
    };
    for (key, schema) in theirs.iter() {
        let both = match own.get(key) {
            Some(own) => both_schemas(own, schema, log),
            None => schema.clone(),
        };
        own.set(key, both);
    }
}

fn required(base: &mut Map, other: &Map) {
    let Some(theirs) = other.array("required") else {
        return;
    };
    let own: HashSet<&Tree> = base.array("required").into_iter().flatten().collect();
    let new: IndexSet<&Tree> = theirs.iter().filter(|name| !own.contains(name)).collect();
    let new: Vec<Tree> = new.into_iter().cloned().collect();
    match base.get_mut("required").and_then(Tree::as_array_mut) {
        Some(names) => names.extend(new),
        None => drop(base.set("required", Tree::Array(new))),
    }
}

/// The types that are in both lists.
fn both_types(a: &Tree, b: &Tree) -> Option<Tree> {
    let (a, b) = (names(a), names(b));
    let allows = |list: &[&str], name: &str| {
        list.contains(&name) || name == "integer" && list.contains(&"number")
    };
    let mut both: Vec<&str> = a.iter().copied().filter(|name| allows(&b, name)).collect();
    for name in &b {
        if allows(&a, name) && !both.contains(name) {
            both.push(name);
        }
    }
    // `number` includes `integer`.
    if both.contains(&"number") {
        both.retain(|name| *name != "integer");
    }
    match &both[..] {
        [] => None,
        [one] => Some(Tree::string(*one)),
        several => Some(Tree::strings(several.iter().copied())),
    }
}

/// The types that a `type` names.
pub(super) fn names(types: &Tree) -> Vec<&str> {
    match types {
        Tree::Array(list) => list.iter().filter_map(Tree::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

fn both_enums(a: &Tree, b: &Tree) -> Option<Tree> {
    let (a, b) = (a.as_array()?, b.as_array()?);
    let b: HashSet<&Tree> = b.iter().collect();
    let both: Vec<Tree> = a
        .iter()
        .filter(|value| b.contains(value))
        .cloned()
        .collect();
    (!both.is_empty()).then_some(Tree::Array(both))
}

/// The smaller or the larger of two limits, as `first` says.
fn stricter(a: &Tree, b: &Tree, first: Ordering) -> Option<Tree> {
    let (Tree::Number(x), Tree::Number(y)) = (a, b) else {
        return None;
    };
    let (x, y) = (Number::new(x), Number::new(y));
    let order = match (x.whole(), y.whole()) {
        (Whole::Integer(x), Whole::Integer(y)) => x.cmp(&y),
        _ => x.as_f64().total_cmp(&y.as_f64()),
    };
    Some(if order == first { a.clone() } else { b.clone() })
}
