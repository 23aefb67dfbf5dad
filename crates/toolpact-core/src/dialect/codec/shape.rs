//! The parts of a schema that are needed to convert arguments.

use std::cell::Cell;
use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};

use super::super::transform::{ABSENT, KEY};
use super::super::tree::{Map, Tree};

/// Most alternatives that are tried for one value.
const MOST: usize = 10_000;

/// The index of the root shape.
pub(super) const ROOT: usize = 0;

/// The shapes of a schema and all its subschemas, which refer to each other by index.
#[derive(Debug, Clone)]
pub(super) struct Shapes(Vec<Shape>);

/// What is known about a value in one position.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// By exported key.
    pub(super) properties: IndexMap<Box<str>, Property>,
    pub(super) items: Option<usize>,
    /// For additional properties.
    pub(super) rest: Option<usize>,
    /// Shapes that also apply to the same value.
    here: Vec<usize>,
    /// Alternatives, one of which applies to the same value.
    one_of: Vec<usize>,
    /// Types and values for a quick check of whether a value matches.
    types: Vec<Box<str>>,
    choices: Option<Vec<Tree>>,
}

#[derive(Debug, Clone)]
pub(super) struct Property {
    /// The key in the contract.
    pub(super) key: Box<str>,
    /// Whether null is written when the property is absent.
    pub(super) optional: bool,
    /// Whether null always means that the property is absent.
    pub(super) absent: bool,
    pub(super) shape: usize,
}

impl Shapes {
    pub(super) fn of(schema: &Tree) -> Self {
        let mut builder = Builder::default();
        let definitions = schema.as_map().and_then(|map| map.map("$defs"));
        builder.shapes.push(Shape::default());
        builder.names.insert("#".to_owned(), 0);
        for (name, _) in definitions.into_iter().flat_map(Map::iter) {
            builder
                .names
                .insert(format!("#/$defs/{name}"), builder.shapes.len());
            builder.shapes.push(Shape::default());
        }
        builder.fill(0, schema);
        for (name, schema) in definitions.into_iter().flat_map(Map::iter) {
            let number = builder.names[&format!("#/$defs/{name}")];
            builder.fill(number, schema);
        }
        Self(builder.shapes)
    }

    /// These shapes and all others that apply to a value sent by the model. Of alternatives, those
    /// that match the value, or all if none does.
    pub(super) fn those_sent(&self, here: &[usize], value: &Tree) -> Vec<&Shape> {
        let look = Look::at(Keys::Sent);
        self.collect(here, &|alternatives| {
            let fitting: Vec<usize> = self.fitting(alternatives, value, &look);
            match fitting.is_empty() {
                true => alternatives.to_vec(),
                false => fitting,
            }
        })
    }

    /// The same for a value of the contract. Alternatives that do not match are skipped.
    pub(super) fn those_that_fit(&self, here: &[usize], value: &Tree) -> Vec<&Shape> {
        let look = Look::at(Keys::Contract);
        self.collect(here, &|alternatives| {
            self.fitting(alternatives, value, &look)
        })
    }

    fn fitting(&self, alternatives: &[usize], value: &Tree, look: &Look) -> Vec<usize> {
        let fits = |number: &usize| self.fits(*number, value, look);
        alternatives.iter().copied().filter(fits).collect()
    }

    fn collect(&self, here: &[usize], choose: &dyn Fn(&[usize]) -> Vec<usize>) -> Vec<&Shape> {
        let (mut seen, mut todo) = (IndexSet::new(), here.to_vec());
        while let Some(number) = todo.pop() {
            if !seen.insert(number) {
                continue;
            }
            let shape = &self.0[number];
            todo.extend(&shape.here);
            todo.extend(choose(&shape.one_of));
        }
        seen.into_iter().map(|number| &self.0[number]).collect()
    }

    /// Whether a value may match a shape. Returns true when the step limit is reached.
    fn fits(&self, number: usize, value: &Tree, look: &Look) -> bool {
        let Some(fewer) = look.left.get().checked_sub(1) else {
            return true;
        };
        look.left.set(fewer);
        let shape = &self.0[number];
        let kind = match value {
            Tree::Null => "null",
            Tree::Bool(_) => "boolean",
            Tree::Number(_) => "number",
            Tree::String(_) => "string",
            Tree::Array(_) => "array",
            Tree::Object(_) => "object",
        };
        let typed = shape.types.is_empty()
            || shape
                .types
                .iter()
                .any(|t| **t == *kind || &**t == "integer" && kind == "number");
        let chosen = shape
            .choices
            .as_ref()
            .is_none_or(|list| list.contains(value));
        if !typed || !chosen {
            return false;
        }
        let keys = match value {
            Tree::Object(map) if !shape.properties.is_empty() => self.keys_fit(shape, map, look),
            _ => true,
        };
        let others = shape.here.iter().all(|n| self.fits(*n, value, look));
        let some =
            shape.one_of.is_empty() || shape.one_of.iter().any(|n| self.fits(*n, value, look));
        keys && others && some
    }

    fn keys_fit(&self, shape: &Shape, map: &Map, look: &Look) -> bool {
        let properties = || {
            let properties = shape.properties.iter();
            properties.map(|(wire, property)| (look.keys.name(wire, property), property))
        };
        let fit =
            map.iter().all(
                |(key, value)| match properties().find(|(name, _)| *name == key) {
                    Some((_, property)) => {
                        let absent =
                            look.keys == Keys::Sent && property.optional && *value == Tree::Null;
                        absent || self.fits(property.shape, value, look)
                    }
                    None => shape.rest.is_some(),
                },
            );
        let there = |(name, property): (&str, &Property)| {
            let null = &Tree::Null;
            property.optional || map.has(name) || self.fits(property.shape, null, look)
        };
        fit && properties().all(there)
    }
}

/// Whether the keys of a value are the exported ones or those of the contract.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Sent,
    Contract,
}

impl Keys {
    fn name<'n>(self, wire: &'n str, property: &'n Property) -> &'n str {
        match self {
            Keys::Sent => wire,
            Keys::Contract => &property.key,
        }
    }
}

/// The state of matching one value.
struct Look {
    keys: Keys,
    /// How many more alternatives may be tried.
    left: Cell<usize>,
}

impl Look {
    fn at(keys: Keys) -> Self {
        let left = Cell::new(MOST);
        Self { keys, left }
    }
}

#[derive(Default)]
struct Builder {
    shapes: Vec<Shape>,
    names: HashMap<String, usize>,
}

impl Builder {
    fn add(&mut self, schema: &Tree) -> usize {
        let number = self.shapes.len();
        self.shapes.push(Shape::default());
        self.fill(number, schema);
        number
    }

    fn fill(&mut self, number: usize, schema: &Tree) {
        let Tree::Object(map) = schema else { return };
        let constant = || map.get("const").map(|value| vec![value.clone()]);
        let mut shape = Shape {
            types: super::super::transform::type_names(map),
            choices: map.array("enum").map(<[Tree]>::to_vec).or_else(constant),
            ..Shape::default()
        };
        for (wire, schema) in map.map("properties").into_iter().flat_map(Map::iter) {
            let marks = schema.as_map();
            let property = Property {
                key: marks.and_then(|m| m.text(KEY)).unwrap_or(wire).into(),
                optional: marks.is_some_and(|m| m.has(ABSENT)),
                absent: marks.is_some_and(|m| m.get(ABSENT) == Some(&Tree::Bool(true))),
                shape: self.add(schema),
            };
            shape.properties.insert(wire.into(), property);
        }
        shape.items = map.get("items").map(|items| self.add(items));
        let rest = map
            .get("additionalProperties")
            .filter(|rest| **rest != Tree::Bool(false));
        shape.rest = rest.map(|rest| self.add(rest));
        if !map.has("additionalProperties") {
            // Open: additional properties may be anything.
            shape.rest = Some(self.add(&Tree::Bool(true)));
        }
        for part in map.array("allOf").unwrap_or_default() {
            shape.here.push(self.add(part));
        }
        if let Some(target) = map.text("$ref").and_then(|name| self.names.get(name)) {
            shape.here.push(*target);
        }
        for keyword in ["anyOf", "oneOf"] {
            for one in map.array(keyword).unwrap_or_default() {
                shape.one_of.push(self.add(one));
            }
        }
        self.shapes[number] = shape;
    }
}
