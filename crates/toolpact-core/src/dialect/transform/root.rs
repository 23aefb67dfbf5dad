use std::collections::HashSet;

use super::merge::{merge, names};
use super::objects::{note_silence, union_of_objects};
use super::recursion::references;
use crate::dialect::loss::LossKind;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::any;
use crate::schema::is_annotation;

/// Arguments are always an object, but not every schema says so explicitly.
pub(in crate::dialect) const OBJECT_TYPE: Step = Step {
    name: "object-type",
    about: "adds `type: object` to the arguments if it is missing",
    apply: |tree, log| {
        let recursive = refers_to_root(tree);
        if let Tree::Object(map) = tree {
            object_type(map, recursive, log);
        }
    },
};

/// Providers require the argument keys in the `properties` of the root.
pub(in crate::dialect) const OBJECT_ROOT: Step = Step {
    name: "object-root",
    about: "merges alternatives at the top level of the arguments into one object",
    apply: |tree, log| {
        let (whole, recursive) = (tree.clone(), refers_to_root(tree));
        if let Tree::Object(map) = tree {
            let before = log.losses.len();
            flatten(map, &whole, log);
            if log.losses.len() > before {
                prune(map);
            }
            object_type(map, recursive, log);
        }
    },
};

/// For dialects where a reference has no siblings and the root must have `type: object`.
pub(in crate::dialect) const ROOT_REFERENCE: Step = Step {
    name: "root-reference",
    about: "inlines a reference at the top level of the arguments",
    apply: |tree, log| {
        let whole = tree.clone();
        if let Tree::Object(map) = tree
            && map.has("$ref")
        {
            follow(map, &whole, log);
            prune(map);
        }
    },
};

/// Drops definitions that are no longer used.
fn prune(map: &mut Map) {
    let Some(Tree::Object(mut all)) = map.take("$defs") else {
        return;
    };
    let mut todo = Vec::new();
    map.iter()
        .for_each(|(_, value)| references(value, &mut todo));
    let mut used = HashSet::new();
    while let Some(name) = todo.pop() {
        // A reference into a definition keeps all of it.
        let name = name.split('/').next().unwrap_or(name);
        let name = name.replace("~1", "/").replace("~0", "~");
        if used.insert(name.clone()) {
            let found = all.get(&name).into_iter();
            found.for_each(|one| references(one, &mut todo));
        }
    }
    all.take_all(|name| !used.contains(name));
    if !all.is_empty() {
        map.set("$defs", Tree::Object(all));
    }
}

fn follow(map: &mut Map, whole: &Tree, log: &mut Log) {
    if map.has("$ref") {
        log.rewritten(
            map,
            "$ref",
            "arguments by reference",
            "written in its place",
        );
        *map = resolved(&Tree::Object(std::mem::take(map)), whole, log);
    }
}

/// For dialects where a tool without arguments has no schema.
pub(in crate::dialect) const NO_ARGUMENTS: Step = Step {
    name: "no-arguments",
    about: "leaves out the schema of a tool without arguments",
    apply: |tree, log| {
        let Tree::Object(map) = tree else { return };
        if map
            .map("properties")
            .is_some_and(|properties| !properties.is_empty())
        {
            return;
        }
        let kept = |key: &str| matches!(key, "type" | "properties" | "additionalProperties");
        for (keyword, value) in map.take_all(|key| !kept(key) && !is_annotation(key)) {
            super::leave_out(map, &keyword, &value, log);
        }
        match map.take("additionalProperties") {
            Some(Tree::Bool(false)) => {
                log.rewritten(map, "", "a schema without arguments", "it was left out");
            }
            _ => {
                let lost = "arguments that are not named";
                log.narrower(map, "", LossKind::ClosedObject, lost, "none can be sent");
            }
        }
    },
};

/// Whether a schema refers to its root.
fn refers_to_root(tree: &Tree) -> bool {
    any(tree, &|map| map.text("$ref") == Some("#"))
}

fn object_type(map: &mut Map, recursive: bool, log: &mut Log) {
    if recursive && map.text("type") != Some("object") {
        let lost = "that parts which are like the whole need not be objects";
        log.narrower(map, "type", LossKind::Recursion, lost, "they have to be");
        // Under `not` the effect is reversed.
        log.wider(map, "type", LossKind::Recursion, lost, "they have to be");
    }
    let types = map.get("type").map(names).unwrap_or_default();
    match &types[..] {
        ["object"] if map.text("type").is_some() => {}
        [] => {
            log.rewritten(
                map,
                "",
                "arguments without a type",
                "the type is object, as it always is",
            );
            map.set_first("type", Tree::string("object"));
        }
        several if several.contains(&"object") => {
            log.rewritten(
                map,
                "type",
                "other types for the arguments",
                "arguments are an object",
            );
            map.set("type", Tree::string("object"));
        }
        _ => log.refuse("its arguments cannot be an object, so nobody can call it"),
    }
}

fn flatten(map: &mut Map, whole: &Tree, log: &mut Log) {
    follow(map, whole, log);
    if let Some(parts) = map.take("allOf") {
        log.rewritten(
            map,
            "allOf",
            "`allOf` for the arguments",
            "its parts were made one schema",
        );
        for part in parts.as_array().unwrap_or_default() {
            if *part == Tree::Bool(false) {
                log.refuse("nothing satisfies its arguments");
            }
            let mut part = resolved(part, whole, log);
            super::unevaluated::rename(&mut part, log);
            merge(map, &part, log);
        }
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(list) = map.take(keyword) else {
            continue;
        };
        let branches = branches(&list, whole, log);
        alternatives(map, keyword, &branches, log);
    }
    for keyword in ["not", "enum", "const", "if", "then", "else"] {
        if map.take(keyword).is_some() {
            let lost = format!("`{keyword}` for the arguments as a whole");
            log.wider(map, keyword, LossKind::Condition, &lost, "it was left out");
        }
    }
}

fn alternatives(map: &mut Map, keyword: &str, branches: &[Map], log: &mut Log) {
    match branches {
        [] => log.refuse("none of the alternatives for its arguments is an object"),
        [one] => {
            log.rewritten(map, keyword, "a single alternative", "written in its place");
            merge(map, one, log);
        }
        several => {
            let lost = "that only certain keys go together";
            let instead = "the alternatives were made one object";
            log.wider(map, keyword, LossKind::RootUnion, lost, instead);
            tell(map, several);
            note_silence(map, keyword, several, log);
            let union = union_of_objects(several, map.place());
            merge(map, &union, log);
        }
    }
}

/// The alternatives that an object can match, with references to `$defs` resolved.
fn branches(list: &Tree, whole: &Tree, log: &mut Log) -> Vec<Map> {
    let list = list.as_array().unwrap_or_default().iter();
    let can_be = |map: &Map| {
        map.get("type")
            .is_none_or(|types| names(types).contains(&"object"))
    };
    list.filter(|one| **one != Tree::Bool(false))
        .map(|one| resolved(one, whole, log))
        .filter(can_be)
        .collect()
}

fn resolved(one: &Tree, whole: &Tree, log: &mut Log) -> Map {
    let Tree::Object(map) = one else {
        return Map::default();
    };
    let mut map = map.clone();
    // A definition may be a reference itself, but circular schemas are refused.
    for _ in 0..16 {
        let Some(reference) = map.take("$ref") else {
            break;
        };
        let target = reference.as_str().and_then(|r| find(whole, r));
        let Some(Tree::Object(target)) = target else {
            let lost = "a reference to the whole";
            log.wider(&map, "$ref", LossKind::Recursion, lost, "it was left out");
            break;
        };
        let mut both = target.clone();
        merge(&mut both, &map, log);
        // Annotations beside the reference override those of the target.
        for (key, value) in map.iter().filter(|(key, _)| is_annotation(key)) {
            both.set(key, value.clone());
        }
        map = both;
    }
    map
}

/// The target of a reference that is a pointer.
pub(in crate::dialect) fn find<'t>(whole: &'t Tree, reference: &str) -> Option<&'t Tree> {
    let pointer = reference.strip_prefix("#/")?;
    pointer.split('/').try_fold(whole, |tree, token| {
        let token = token.replace("~1", "/").replace("~0", "~");
        match tree {
            Tree::Object(map) => map.get(&token),
            Tree::Array(items) => items.get(token.parse::<usize>().ok()?),
            _ => None,
        }
    })
}

/// Describes for the model which keys go together.
fn tell(map: &mut Map, branches: &[Map]) {
    let sets = branches.iter().map(|branch| {
        let names = branch.array("required").unwrap_or_default();
        let names: Vec<&str> = names.iter().filter_map(Tree::as_str).collect();
        if names.is_empty() {
            "none of them".to_owned()
        } else {
            names.join(", ")
        }
    });
    let told = format!(
        "Needs one of these sets of keys: {}.",
        sets.collect::<Vec<_>>().join("; ")
    );
    super::words::append(map, &told);
}
