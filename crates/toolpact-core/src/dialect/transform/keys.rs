use std::collections::HashMap;

use super::as_object;
use crate::dialect::draft::{Log, Step, any, bottom_up};
use crate::dialect::loss::{Effect, LossKind};
use crate::dialect::names::alias;
use crate::dialect::tree::{Map, Tree};

/// Marks a property with the name that it has in the contract. No keyword begins like this.
pub(in crate::dialect) const KEY: &str = "\0key";

/// Providers have rules for the names of keys.
pub(in crate::dialect) const KEYS: Step = Step {
    name: "keys",
    about: "gives keys with names that are not allowed other names, which are turned back in calls",
    apply: |tree, log| {
        let Some(rule) = log.profile.keys else { return };
        let bad = |map: &Map| {
            let keys = map.map("properties").into_iter().flat_map(Map::keys);
            keys.into_iter().any(|key| !rule.allows(key))
        };
        if !any(tree, &bad) {
            return;
        }
        let mut names = HashMap::new();
        if rule.top_only {
            if let Tree::Object(root) = tree {
                rename(root, &mut names, log);
            }
        } else {
            bottom_up(tree, &mut |map| rename(map, &mut names, log));
        }
    },
};

/// One name for a key in the whole tool, so that there is one way back.
fn rename(map: &mut Map, names: &mut HashMap<String, Box<str>>, log: &mut Log) {
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
        let taken = |name: &str| properties.has(name) || names.values().any(|n| **n == *name);
        if !names.contains_key(key) {
            let name = alias(key, rule.longest, taken);
            names.insert(key.clone(), name);
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
    properties.rename(|key| names.get(key).cloned());
    if let Some(required) = map.get_mut("required").and_then(Tree::as_array_mut) {
        for name in required {
            if let Some(new) = name.as_str().and_then(|name| names.get(name)) {
                *name = Tree::String(new.clone());
            }
        }
    }
    for key in bad {
        let what = (LossKind::KeyName, Effect::Documentation);
        let place = map.place().key("properties").key(&key);
        let name = &names[&key];
        log.lose(
            &place,
            "",
            what,
            format!("the name `{key}`"),
            format!("it is called `{name}`"),
        );
    }
}
