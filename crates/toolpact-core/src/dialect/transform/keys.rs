use std::collections::{HashMap, HashSet};

use super::as_object;
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::names::alias;
use crate::dialect::step::{Log, Step};
use crate::dialect::tree::{Map, Tree};
use crate::dialect::walk::{any, bottom_up};

/// Marks a property with its key in the contract. No real keyword starts with NUL.
pub(in crate::dialect) const KEY: &str = "\0key";

/// Providers restrict the names of keys.
pub(in crate::dialect) const KEYS: Step = Step {
    name: "keys",
    about: "renames keys that are not allowed, and restores their names in calls",
    apply: |tree, log| {
        let Some(rule) = log.profile.keys else { return };
        let bad = |map: &Map| {
            let keys = map.map("properties").into_iter().flat_map(Map::keys);
            keys.into_iter().any(|key| !rule.allows(key))
        };
        if !any(tree, &bad) {
            return;
        }
        let mut names = Names::default();
        bottom_up(tree, &mut |map| {
            let keys = map.map("properties").into_iter().flat_map(Map::keys);
            names.taken.extend(keys.map(Box::from));
        });
        if rule.top_only {
            if let Tree::Object(root) = tree {
                rename(root, &mut names, log);
            }
        } else {
            bottom_up(tree, &mut |map| rename(map, &mut names, log));
        }
    },
};

#[derive(Default)]
struct Names {
    /// By key in the contract.
    new: HashMap<String, Box<str>>,
    /// All keys in the schema, so that no alias is ambiguous.
    taken: HashSet<Box<str>>,
}

/// Renames keys. A key has the same alias in the whole tool, so that it can be reversed.
fn rename(map: &mut Map, names: &mut Names, log: &mut Log) {
    let Some(rule) = log.profile.keys else { return };
    let Some(properties) = map.map_mut("properties") else {
        return;
    };
    let bad: Vec<String> = properties
        .keys()
        .filter(|k| !rule.allows(k))
        .map(str::to_owned)
        .collect();
    if bad.is_empty() {
        return;
    }
    for key in &bad {
        if !names.new.contains_key(key) {
            let name = alias(key, rule.longest, |name| names.taken.contains(name));
            names.taken.insert(name.clone());
            names.new.insert(key.clone(), name);
        }
        let place = properties.place().key(key);
        let Some(schema) = properties.get_mut(key) else {
            continue;
        };
        if let Tree::Bool(allowed) = *schema {
            *schema = Tree::Object(as_object(allowed, &place));
        }
        if let Tree::Object(schema) = schema {
            schema.set(KEY, Tree::string(key.as_str()));
        }
    }
    properties.rename(|key| names.new.get(key).cloned());
    if let Some(required) = map.get_mut("required").and_then(Tree::as_array_mut) {
        rename_all(required, &names.new);
    }
    if rule.top_only {
        mentions(map, &names.new, log);
    }
    note(map, &bad, names, log);
}

fn note(map: &Map, renamed: &[String], names: &Names, log: &mut Log) {
    // The original name is now an additional property.
    let is_open =
        map.get("additionalProperties") != Some(&Tree::Bool(false)) || map.has("patternProperties");
    for key in renamed {
        let place = map.place().key("properties").key(key);
        let (lost, name) = (format!("the name `{key}`"), &names.new[key]);
        let (effect, done) = match is_open {
            true => (
                Effect::Wider,
                format!("it is called `{name}`, and `{key}` can be anything"),
            ),
            false => (Effect::Documentation, format!("it is called `{name}`")),
        };
        log.lose(&place, "", (LossKind::KeyName, effect), lost, done);
    }
}

/// Renames the key in other keywords of the same object.
fn mentions(map: &mut Map, names: &HashMap<String, Box<str>>, log: &mut Log) {
    let new = |name: &str| names.get(name).cloned();
    for keyword in ["properties", "dependentRequired", "dependentSchemas"] {
        let Some(by_key) = map.map_mut(keyword) else {
            continue;
        };
        let is_key = keyword == "properties";
        for (key, value) in by_key
            .iter_mut()
            .filter(|(key, _)| names.contains_key(*key))
        {
            if let Some(schema) = value.as_map_mut().filter(|_| is_key) {
                schema.set(KEY, Tree::string(key));
            }
        }
        by_key.rename(new);
        for list in by_key.values_mut().filter_map(Tree::as_array_mut) {
            rename_all(list, names);
        }
    }
    if let Some(required) = map.get_mut("required").and_then(Tree::as_array_mut) {
        rename_all(required, names);
    }
    let by_name = [
        "patternProperties",
        "propertyNames",
        "const",
        "enum",
        "$ref",
    ];
    for keyword in by_name.into_iter().filter(|keyword| map.has(keyword)) {
        let (lost, instead) = ("a rule that knows keys by their names", "it stays as it is");
        log.wider(map, keyword, LossKind::KeyName, lost, instead);
        log.narrower(map, keyword, LossKind::KeyName, lost, instead);
    }
    for (keyword, value) in map.iter_mut() {
        let same: Vec<&mut Tree> = match (keyword, value) {
            ("allOf" | "anyOf" | "oneOf", Tree::Array(list)) => list.iter_mut().collect(),
            ("dependentSchemas", Tree::Object(all)) => all.values_mut().collect(),
            ("not" | "if" | "then" | "else", one) => vec![one],
            _ => continue,
        };
        for schema in same.into_iter().filter_map(Tree::as_map_mut) {
            mentions(schema, names, log);
        }
    }
}

fn rename_all(list: &mut [Tree], names: &HashMap<String, Box<str>>) {
    for name in list {
        if let Some(new) = name.as_str().and_then(|name| names.get(name)) {
            *name = Tree::String(new.clone());
        }
    }
}
