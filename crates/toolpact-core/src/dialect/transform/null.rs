use super::merge::{merge, names};
use super::types::is_of;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::{bottom_up, top_down};

/// In JSON Schema `nullable` is a word without a meaning, and must not get one in dialects where it
/// has.
pub(in crate::dialect) const NO_NULLABLE: Step = Step {
    name: "no-nullable",
    about: "removes `nullable`, which means nothing in JSON Schema",
    apply: |tree, log| {
        top_down(tree, &mut |map| {
            if map.take("nullable").is_some() {
                let what = (LossKind::Annotation, Effect::Documentation);
                let lost = "`nullable`, which is no keyword of JSON Schema";
                log.lose(map.place(), "nullable", what, lost, "it was left out");
            }
        });
    },
};

/// OpenAPI 3.0 has no null type, but a `nullable` flag.
pub(in crate::dialect) const NULLABLE: Step = Step {
    name: "nullable",
    about: "writes null in types, enums and alternatives as `nullable: true`",
    apply: |tree, log| bottom_up(tree, &mut |map| flag(map, log)),
};

/// For dialects that do not support null.
pub(in crate::dialect) const NULL_UNIONS: Step = Step {
    name: "null",
    about: "removes null from types, enums and alternatives",
    apply: |tree, log| {
        bottom_up(tree, &mut |map| {
            if take_null(map, log).is_some() {
                let lost = "the value null";
                log.narrower(map, "", LossKind::Null, lost, "it cannot be sent");
            }
        });
        bottom_up(tree, &mut |map| {
            if only_null(map) || map.text("type") == Some("null") {
                log.refuse("it has a value that can only be null, which cannot be said");
            }
        });
    },
};

fn flag(map: &mut Map, log: &mut Log) {
    if only_null(map) {
        let said = [map.take("const"), map.take("enum")];
        map.set("type", Tree::string("null"));
        if said.iter().any(Option::is_some) {
            log.rewritten(map, "", "null as a choice", "told by the type");
        }
        return;
    }
    let Some(plainly) = take_null(map, log) else {
        return;
    };
    map.set("nullable", Tree::Bool(true));
    if !plainly {
        let lost = "null as an alternative or as the first of the types";
        log.rewritten(map, "", lost, "written as `nullable: true`");
    }
}

/// Removes null from a schema that also allows something else. Returns whether the removed form is
/// the one that an import would restore.
fn take_null(map: &mut Map, log: &mut Log) -> Option<bool> {
    // The type, the enum and the alternatives must all allow it.
    let allowed = may_be_null(map);
    let from_type = null_type(map);
    let from_enum = map.has("enum").then(|| null_value(map));
    let from_union = null_alternative(map, log);
    let found = match (from_type, from_enum, from_union) {
        (None, Some(Some(last)), None) | (Some(last), None | Some(Some(true)), None) => Some(last),
        (None, _, found) => found,
        (Some(_), ..) => Some(false),
    };
    found.filter(|_| allowed)
}

/// Whether the type, the enum and some alternative all allow null.
fn may_be_null(map: &Map) -> bool {
    let typed = map
        .get("type")
        .is_none_or(|types| names(types).contains(&"null"));
    let listed = map
        .array("enum")
        .is_none_or(|values| values.contains(&Tree::Null));
    let alternatives = map.array("anyOf");
    let chosen =
        alternatives.is_none_or(|list| list.iter().any(|one| one.as_map().is_none_or(may_be_null)));
    typed && listed && chosen || map.has("nullable")
}

fn null_type(map: &mut Map) -> Option<bool> {
    let list = map.array("type")?;
    let mut types: Vec<String> = names(map.get("type")?)
        .into_iter()
        .map(str::to_owned)
        .collect();
    let (count, at_end) = (list.len(), types.last()? == "null");
    types.retain(|name| name != "null");
    if types.len() == count || types.is_empty() {
        return None;
    }
    let types = match &types[..] {
        [one] => Tree::string(one.as_str()),
        several => Tree::strings(several.iter().map(String::as_str)),
    };
    map.set("type", types);
    Some(at_end)
}

fn null_value(map: &mut Map) -> Option<bool> {
    let values = map.get_mut("enum")?.as_array_mut()?;
    let (count, last) = (values.len(), values.last() == Some(&Tree::Null));
    if values.iter().all(|value| *value == Tree::Null) {
        return None;
    }
    values.retain(|value| *value != Tree::Null);
    (values.len() < count).then_some(last)
}

fn null_alternative(map: &mut Map, log: &mut Log) -> Option<bool> {
    let list = map.get_mut("anyOf")?.as_array_mut()?;
    let count = list.len();
    let is_null = |one: &Tree| one.as_map().is_some_and(only_null);
    if list.iter().all(is_null) {
        return None;
    }
    list.retain(|one| !is_null(one));
    let nullable = |one: &Tree| one.as_map().is_some_and(|one| one.has("nullable"));
    let found = list.len() < count || list.iter().any(nullable);
    for one in list.iter_mut().filter_map(Tree::as_map_mut) {
        one.take("nullable");
    }
    collapse(map, log);
    found.then_some(false)
}

/// Merges a single alternative into the schema.
pub(super) fn collapse(map: &mut Map, log: &mut Log) {
    if map.array("anyOf").is_some_and(|list| list.len() == 1)
        && let Some(Tree::Array(mut list)) = map.take("anyOf")
        && let Some(Tree::Object(one)) = list.pop()
    {
        log.rewritten(map, "anyOf", "a single alternative", "written in its place");
        merge(map, &one, log);
    }
}

/// Whether a schema allows only null.
pub(super) fn only_null(map: &Map) -> bool {
    let allowed = map
        .get("type")
        .is_none_or(|types| names(types).contains(&"null"));
    let chosen = map.get("const") == Some(&Tree::Null)
        || map
            .array("enum")
            .is_some_and(|values| values.iter().all(|v| is_of(v, "null")));
    map.text("type") == Some("null") && !map.has("const") && !map.has("enum") || allowed && chosen
}

/// Whether a schema certainly allows null.
pub(super) fn allows_null(map: &Map) -> bool {
    let by_type = map
        .get("type")
        .is_none_or(|types| names(types).contains(&"null"));
    let by_enum = map
        .array("enum")
        .is_none_or(|values| values.contains(&Tree::Null));
    let by_const = map.get("const").is_none_or(|value| *value == Tree::Null);
    let alternatives = map.array("anyOf");
    let by_union =
        alternatives.is_none_or(|list| list.iter().filter_map(Tree::as_map).any(allows_null));
    by_type && by_enum && by_const && by_union && !is_ruled_elsewhere(map)
}

/// Whether a schema has rules besides its type and values.
fn is_ruled_elsewhere(map: &Map) -> bool {
    let elsewhere = ["$ref", "allOf", "oneOf", "not", "if"];
    elsewhere.iter().any(|keyword| map.has(keyword))
}

/// Makes a schema allow null as well.
pub(in crate::dialect) fn allow_null(schema: &mut Map) {
    if allows_null(schema) {
        return;
    }
    let plain = schema.has("type")
        && !schema.has("anyOf")
        && !schema.has("const")
        && !is_ruled_elsewhere(schema);
    if plain {
        let mut types: Vec<&str> = schema.get("type").map(names).unwrap_or_default();
        if !types.contains(&"null") {
            types.push("null");
        }
        let types = Tree::strings(types);
        schema.set("type", types);
        if let Some(values) = schema.get_mut("enum").and_then(Tree::as_array_mut)
            && !values.contains(&Tree::Null)
        {
            values.push(Tree::Null);
        }
        return;
    }
    let mut null = Map::at(schema.place());
    null.set("type", Tree::string("null"));
    if schema
        .keys()
        .all(|k| k == "anyOf" || crate::schema::is_annotation(k))
    {
        if let Some(list) = schema.get_mut("anyOf").and_then(Tree::as_array_mut) {
            list.push(Tree::Object(null));
        }
        return;
    }
    // Annotations stay outside, constraints go inside.
    let mut inner = Map::at(schema.place());
    let asked = schema.take_all(|key| !crate::schema::is_annotation(key));
    for (key, value) in asked {
        inner.set(&key, value);
    }
    schema.set(
        "anyOf",
        Tree::Array(vec![Tree::Object(inner), Tree::Object(null)]),
    );
}
