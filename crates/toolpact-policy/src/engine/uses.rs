//! What policies use of the context of a call.

use std::collections::{BTreeMap, BTreeSet};

use cedar_policy::PolicySet;
use serde_json::Value as Json;

use crate::shape::{Field, Shape};

/// The paths that policies use of the context, such as `input`, `amount`.
#[derive(Debug, Default)]
pub(super) struct Uses(BTreeSet<Path>);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Path {
    names: Vec<String>,
    /// Whether the value there is used, with all that is in it, or only whether there is one.
    is_value: bool,
}

impl Uses {
    pub(super) fn of(policies: &PolicySet) -> Self {
        let mut uses = Self::default();
        for policy in policies.policies() {
            match policy.to_json() {
                Ok(json) => uses.look(&json),
                // What cannot be looked at may use everything.
                Err(_) => uses.add(Vec::new(), true),
            }
        }
        uses
    }

    /// The part of a context that policies use.
    pub(super) fn part_of(&self, context: &Shape) -> Shape {
        self.part(context, &mut Vec::new())
    }

    fn part<'s>(&self, shape: &'s Shape, path: &mut Vec<&'s str>) -> Shape {
        match shape {
            Shape::Record(fields) => {
                let mut used = BTreeMap::new();
                for (name, Field { shape, required }) in fields {
                    path.push(name);
                    if self.touches(path) {
                        let (shape, required) = (self.part(shape, path), *required);
                        used.insert(name.clone(), Field { shape, required });
                    }
                    path.pop();
                }
                Shape::Record(used)
            }
            Shape::Set(items) => Shape::Set(Box::new(self.part(items, path))),
            scalar => scalar.clone(),
        }
    }

    /// Whether a policy uses what is at a path, something inside of it, or something that contains it.
    fn touches(&self, path: &[&str]) -> bool {
        self.0.iter().any(|used| {
            let mut both = used.names.iter().zip(path);
            let is_seen = used.is_value || used.names.len() >= path.len();
            is_seen && both.all(|(used, name)| used == name)
        })
    }

    fn add(&mut self, names: Vec<String>, is_value: bool) {
        self.0.insert(Path { names, is_value });
    }

    fn look(&mut self, json: &Json) {
        if let Some(names) = value_path(json) {
            self.add(names, true);
            return;
        }
        if let Some(names) = tested_path(json) {
            self.add(names, false);
            return;
        }
        match json {
            Json::Array(items) => items.iter().for_each(|item| self.look(item)),
            Json::Object(members) => members.values().for_each(|member| self.look(member)),
            _ => {}
        }
    }
}

/// The path of `context.input.amount`.
fn value_path(json: &Json) -> Option<Vec<String>> {
    let (key, value) = json.as_object()?.iter().next()?;
    match key.as_str() {
        "Var" => (value == "context").then(Vec::new),
        "." => {
            let mut names = value_path(value.get("left")?)?;
            names.push(value.get("attr")?.as_str()?.to_owned());
            Some(names)
        }
        _ => None,
    }
}

/// The path of `context.input has amount`, or of `context.input has address.city`.
fn tested_path(json: &Json) -> Option<Vec<String>> {
    let test = json.get("has")?;
    let mut names = value_path(test.get("left")?)?;
    match test.get("attr")? {
        Json::String(name) => names.push(name.clone()),
        Json::Array(all) => {
            let all: Option<Vec<&str>> = all.iter().map(Json::as_str).collect();
            names.extend(all?.into_iter().map(str::to_owned));
        }
        _ => return None,
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::Uses;

    fn uses(condition: &str) -> Uses {
        let policy = format!("permit(principal, action, resource) when {{ {condition} }};");
        Uses::of(&policy.parse().unwrap())
    }

    #[test]
    fn what_is_used() {
        let one = uses("context.input.amount > 3 && context.input has address.city");
        assert!(one.touches(&["input"]));
        assert!(one.touches(&["input", "amount"]));
        assert!(one.touches(&["input", "amount", "inside"]));
        assert!(one.touches(&["input", "address", "city"]));
        assert!(!one.touches(&["input", "other"]));
        assert!(!one.touches(&["time"]));
        let tested = uses("context.input has address");
        assert!(tested.touches(&["input", "address"]));
        assert!(!tested.touches(&["input", "address", "city"]));
        assert!(!uses("principal.name == \"ada\"").touches(&["input"]));
    }

    #[test]
    fn a_whole_record_is_all_that_is_in_it() {
        for condition in [
            "context.input == {}",
            "[context.input].contains({a: 1})",
            "(if true then context.input else context.input).other == 1",
            "context == {}",
            "{a: context}.a has x",
        ] {
            assert!(uses(condition).touches(&["input", "other"]), "{condition}");
        }
        let inside = uses("context.input.address == {}");
        assert!(inside.touches(&["input", "address", "city"]));
        assert!(!inside.touches(&["input", "other"]));
        assert!(uses("context[\"input\"][\"a b\"] == 1").touches(&["input", "a b"]));
    }
}
