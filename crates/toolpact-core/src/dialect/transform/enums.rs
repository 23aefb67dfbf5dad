use std::collections::HashSet;

use super::merge::names;
use super::types::is_of;
use super::unsupported::leave_out;
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::bottom_up;

/// For dialects where `enum` is limited to strings.
pub(in crate::dialect) const STRING_ENUMS: Step = Step {
    name: "string-enums",
    about: "keeps the strings of an `enum`, and describes other values to the model",
    apply: |tree, log| {
        let text = |value: &Tree| matches!(value, Tree::String(_));
        bottom_up(tree, &mut |map| choose(map, &text, log));
    },
};

/// One provider refuses the empty string in `enum`.
pub(in crate::dialect) const NO_EMPTY_CHOICE: Step = Step {
    name: "empty-choice",
    about: "removes the empty string from an `enum`",
    apply: |tree, log| bottom_up(tree, &mut |map| no_empty_choice(map, log)),
};

/// For dialects where `enum` is limited to scalars.
pub(in crate::dialect) const SCALAR_ENUMS: Step = Step {
    name: "scalar-enums",
    about: "keeps the strings, numbers, booleans and null of an `enum`, and describes other values to the model",
    apply: |tree, log| {
        let scalar = |value: &Tree| !matches!(value, Tree::Array(_) | Tree::Object(_));
        bottom_up(tree, &mut |map| choose(map, &scalar, log));
    },
};

fn choose(map: &mut Map, can_be_said: &dyn Fn(&Tree) -> bool, log: &mut Log) {
    for keyword in ["enum", "const"] {
        let Some(value) = map.take(keyword) else {
            continue;
        };
        let values = match (keyword, &value) {
            ("enum", Tree::Array(values)) => distinct(map, values, log),
            (_, one) => vec![one.clone()],
        };
        type_of(map, &values, log);
        let types = map.get("type").map(names).unwrap_or_default();
        let fits = |v: &Tree| types.is_empty() || types.iter().any(|name| is_of(v, name));
        if values.iter().all(|v| can_be_said(v) && fits(v)) && !values.is_empty() {
            let said = match keyword {
                "enum" => Tree::Array(values),
                _ => value,
            };
            map.set(keyword, said);
        } else {
            leave_out(map, keyword, &value, log);
        }
    }
}

/// Drops duplicate choices, which some providers refuse.
fn distinct(map: &Map, values: &[Tree], log: &mut Log) -> Vec<Tree> {
    let mut seen = HashSet::new();
    let kept: Vec<Tree> = values
        .iter()
        .filter(|value| seen.insert(*value))
        .cloned()
        .collect();
    if kept.len() < values.len() {
        let lost = "a choice that is there twice";
        log.rewritten(map, "enum", lost, "it is there once");
    }
    kept
}

/// Adds the types of the values to an `enum` without a `type`.
fn type_of(map: &mut Map, values: &[Tree], log: &mut Log) {
    if map.has("type") || map.has("$ref") {
        return;
    }
    let all = [
        "string", "integer", "number", "boolean", "null", "array", "object",
    ];
    let mut types: Vec<&str> = Vec::new();
    for value in values {
        let name = all
            .into_iter()
            .find(|name| is_of(value, name))
            .unwrap_or("string");
        if !types.contains(&name) {
            types.push(name);
        }
    }
    if types.contains(&"number") {
        types.retain(|name| *name != "integer");
    }
    let types = match &types[..] {
        [one] => Tree::string(*one),
        _ => Tree::strings(types),
    };
    map.set_first("type", types);
    log.rewritten(map, "", "choices without a type", "their type is written");
}

fn no_empty_choice(map: &mut Map, log: &mut Log) {
    let Some(values) = map.get_mut("enum").and_then(Tree::as_array_mut) else {
        return;
    };
    let before = values.len();
    values.retain(|value| value.as_str() != Some(""));
    if values.len() == before {
        return;
    }
    let lost = "the choice of an empty text";
    if values.is_empty() {
        map.take("enum");
        log.wider(map, "enum", LossKind::Enum, lost, "any text can be sent");
    } else {
        log.narrower(map, "enum", LossKind::Enum, lost, "it cannot be sent");
    }
}
