//! Compiles ADM schemas to a program.

use std::sync::atomic::AtomicU8;

use super::names::Names;
use super::number::NumberRules;
use super::program::{
    ANY, ArrayRules, BITS, Key, Node, NodeId, ObjectRules, Program, narrow, push, types,
};
use super::string::{Only, StringRules, Values};
use crate::model::SchemaType;
use crate::model::schema::{Schema, SchemaRef};

impl Program {
    /// Adds the arguments of a function: an object, which has no members if there are no
    /// properties. `None` if a limit of the program is exceeded.
    pub(crate) fn add_arguments(&mut self, schema: &Schema) -> Option<u32> {
        if self.nodes.is_empty() {
            self.nodes.push(Node::ANY);
        }
        let first = narrow(self.nodes.len());
        // The parts are flat and refer to each other by index, as the nodes do.
        let node = |part: SchemaRef<'_>| first + part.id();
        for part in schema.parts() {
            let closed = part.id() == 0;
            let built = self.adm_node(part, closed, node)?;
            self.nodes.push(built);
        }
        Some(first)
    }

    fn adm_node(
        &mut self,
        part: SchemaRef<'_>,
        closed: bool,
        node: impl Fn(SchemaRef<'_>) -> NodeId,
    ) -> Option<Node> {
        Some(match part.schema_type() {
            SchemaType::String => {
                let mut built = Node::of(types::STRING);
                if let Some(values) = part.values() {
                    built.string = push(
                        &mut self.strings,
                        string_rules(values.map(Box::from).collect())?,
                    );
                }
                built
            }
            SchemaType::Number => Node::of(types::NUMBER),
            SchemaType::Integer => {
                let mut built = Node::of(types::WHOLE);
                built.number = push(&mut self.numbers, NumberRules::adm_integer());
                built
            }
            SchemaType::Boolean => Node::of(types::BOOLEAN),
            SchemaType::Array => {
                let mut built = Node::of(types::ARRAY);
                let rules = ArrayRules {
                    prefix: Box::default(),
                    items: part.items().map_or(ANY, node),
                    min: 0,
                    max: u32::MAX,
                    delegated: None,
                };
                built.array = push(&mut self.arrays, rules);
                built
            }
            SchemaType::Object => {
                let mut built = Node::of(types::OBJECT);
                if closed || part.properties().len() > 0 {
                    built.object = push(&mut self.objects, object_rules(part, node)?);
                }
                built
            }
        })
    }
}

fn string_rules(values: Vec<Box<str>>) -> Option<StringRules> {
    Some(StringRules {
        min: 0,
        max: u32::MAX,
        values: Some(Values::new(values)?),
        only: Only::Values,
        formats: Box::default(),
        delegated: None,
    })
}

fn object_rules(
    part: SchemaRef<'_>,
    node: impl Fn(SchemaRef<'_>) -> NodeId,
) -> Option<ObjectRules> {
    let mut properties: Vec<_> = part.properties().collect();
    let required = |name: &str| part.lookup(name).is_some_and(|(_, required)| required);
    if properties.len() > BITS {
        // Required keys need a bit.
        properties.sort_by_key(|(name, _)| !required(name));
    }
    let mut mask = 0_u64;
    for (position, _) in properties
        .iter()
        .enumerate()
        .filter(|(_, (name, _))| required(name))
    {
        mask |= 1_u64.checked_shl(u32::try_from(position).ok()?)?;
    }
    let keys = properties
        .iter()
        .zip(0..)
        .map(|((name, property), position)| Key::new(name, node(*property), position));
    Some(ObjectRules {
        keys: keys.collect(),
        names: Names::new(
            properties
                .iter()
                .map(|(name, _)| Box::from(*name))
                .collect(),
        )?,
        others: None,
        required: mask,
        simple: true,
        conditions: Box::default(),
        min: 0,
        max: u32::MAX,
        delegated: None,
        first: AtomicU8::new(0),
    })
}
