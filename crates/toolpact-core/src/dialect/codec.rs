//! Converts between the arguments that the model sends and those of the contract.
//!
//! Two export steps change how arguments are written: keys are renamed, and keys that cannot be
//! omitted are null. Both leave marks in the exported schema. This module collects the marks and
//! converts arguments only where the schema has one.

mod shape;

use std::collections::HashMap;

use crate::Pointer;
use crate::json::Value;

use super::transform::{ABSENT, KEY};
use super::tree::{Map, Tree};
use shape::{ROOT, Shape, Shapes};

/// How arguments are converted; `None` for most tools, which need no conversion.
#[derive(Debug, Clone, Default)]
pub(super) struct Codec(Option<Shapes>);

/// Deeper values are left unchanged: no schema that can be exported describes them.
const DEEPEST: usize = 128;

impl Codec {
    /// Collects the marks of a schema.
    pub(super) fn of(schema: &Tree) -> Self {
        let marked = super::walk::any(schema, &|map| map.has(ABSENT) || map.has(KEY));
        Self(marked.then(|| Shapes::of(schema)))
    }

    pub(super) fn read(&self, sent: &Value) -> Value {
        self.change(sent, |shapes, tree| read(tree, &[ROOT], shapes))
    }

    pub(super) fn write(&self, args: &Value) -> Value {
        self.change(args, |shapes, tree| write(tree, &[ROOT], shapes))
    }

    fn change(&self, value: &Value, change: impl Fn(&Shapes, &mut Tree)) -> Value {
        let Some(shapes) = &self.0 else {
            return value.clone();
        };
        if crate::schema::depth(value.root()) > DEEPEST {
            return value.clone();
        }
        let mut tree = Tree::of(value.root(), &Pointer::root());
        change(shapes, &mut tree);
        tree.to_value()
    }
}

/// Removes the marks from a schema.
pub(super) fn unmarked(mut schema: Tree) -> Tree {
    super::walk::top_down(&mut schema, &mut |map| {
        map.take(ABSENT);
        map.take(KEY);
    });
    schema
}

fn read(value: &mut Tree, here: &[usize], shapes: &Shapes) {
    let all = shapes.those_sent(here, value);
    match value {
        Tree::Array(items) => {
            let inner: Vec<usize> = all.iter().filter_map(|shape| shape.items).collect();
            for item in items {
                read(item, &inner, shapes);
            }
        }
        Tree::Object(map) => read_object(map, &all, shapes),
        _ => {}
    }
}

fn read_object(map: &mut Map, all: &[&Shape], shapes: &Shapes) {
    let absent = |key: &str, value: &Tree| {
        let mut known = all
            .iter()
            .filter_map(|shape| shape.properties.get(key))
            .peekable();
        *value == Tree::Null && known.peek().is_some() && known.all(|property| property.absent)
    };
    let gone = map.iter().filter(|(key, value)| absent(key, value));
    let gone: Vec<String> = gone.map(|(key, _)| key.to_owned()).collect();
    for key in gone {
        map.take(&key);
    }
    for (key, value) in map.iter_mut() {
        read(value, &inner(key, all), shapes);
    }
    let names: Vec<(Box<str>, Box<str>)> = all
        .iter()
        .flat_map(|shape| &shape.properties)
        .map(|(wire, property)| (wire.clone(), property.key.clone()))
        .collect();
    rename(map, &names);
}

fn write(value: &mut Tree, here: &[usize], shapes: &Shapes) {
    let all = shapes.those_that_fit(here, value);
    match value {
        Tree::Array(items) => {
            let inner: Vec<usize> = all.iter().filter_map(|shape| shape.items).collect();
            for item in items {
                write(item, &inner, shapes);
            }
        }
        Tree::Object(map) => {
            let properties = || all.iter().flat_map(|shape| &shape.properties);
            let names: Vec<(Box<str>, Box<str>)> = properties()
                .map(|(wire, property)| (property.key.clone(), wire.clone()))
                .collect();
            rename(map, &names);
            for (wire, property) in properties() {
                if property.optional && !map.has(wire) {
                    map.set(wire, Tree::Null);
                }
            }
            for (key, value) in map.iter_mut() {
                write(value, &inner(key, &all), shapes);
            }
        }
        _ => {}
    }
}

/// The shapes of a property's value, looked up by its exported key.
fn inner(key: &str, all: &[&Shape]) -> Vec<usize> {
    let of = |shape: &&Shape| match shape.properties.get(key) {
        Some(property) => Some(property.shape),
        None => shape.rest,
    };
    all.iter().filter_map(of).collect()
}

/// Renames keys, unless two would get the same name.
fn rename(map: &mut Map, names: &[(Box<str>, Box<str>)]) {
    let names: HashMap<&str, &Box<str>> = names
        .iter()
        .filter(|(from, to)| from != to)
        .map(|(from, to)| (&**from, to))
        .collect();
    let find = |key: &str| names.get(key).map(|to| (*to).clone());
    let clash = map
        .keys()
        .any(|key| find(key).is_some_and(|to| map.has(&to)));
    if !clash {
        map.rename(find);
    }
}
