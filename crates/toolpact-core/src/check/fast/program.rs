//! The compiled form of a schema: flat tables of nodes and rules that refer to each other by index.

use std::sync::atomic::{AtomicU8, AtomicUsize};

use super::delegated::Delegated;
use super::literal::Literal;
use super::names::Names;
use super::number::NumberRules;
use super::string::StringRules;
use crate::returns::Role;

/// The index of a node.
pub(super) type NodeId = u32;

/// The node that accepts everything.
pub(super) const ANY: NodeId = 0;

/// No rules of a kind: no constraints beyond the type.
pub(super) const NONE: u32 = u32::MAX;

/// The JSON types as bits. Whole numbers and other numbers, and `true` and `false`, have separate
/// bits, so that the bits alone can express more.
pub(super) mod types {
    pub(crate) const NULL: u8 = 1;
    pub(crate) const TRUE: u8 = 1 << 1;
    pub(crate) const FALSE: u8 = 1 << 2;
    pub(crate) const WHOLE: u8 = 1 << 3;
    pub(crate) const FRACTION: u8 = 1 << 4;
    pub(crate) const STRING: u8 = 1 << 5;
    pub(crate) const ARRAY: u8 = 1 << 6;
    pub(crate) const OBJECT: u8 = 1 << 7;
    pub(crate) const BOOLEAN: u8 = TRUE | FALSE;
    pub(crate) const NUMBER: u8 = WHOLE | FRACTION;
    pub(crate) const ALL: u8 = u8::MAX;
}

/// A compiled schema.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(super) nodes: Vec<Node>,
    pub(super) strings: Vec<StringRules>,
    pub(super) numbers: Vec<NumberRules>,
    pub(super) arrays: Vec<ArrayRules>,
    pub(super) objects: Vec<ObjectRules>,
    pub(super) choices: Vec<Choice>,
    pub(super) root: NodeId,
    /// The number of nodes that have a site.
    pub(super) sites: u32,
    /// The length of the last text that was written.
    pub(super) length: AtomicUsize,
}

/// The constraints on a value at one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The allowed types.
    pub(super) types: u8,
    /// What else is done here, besides checking against the rules below.
    pub(super) extra: Extra,
    pub(super) string: u32,
    pub(super) number: u32,
    pub(super) array: u32,
    pub(super) object: u32,
    /// Where the shapes of objects without rules are kept.
    pub(super) site: u32,
}

/// Extra handling, which most nodes do not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    Nothing,
    /// The value is checked against other nodes instead.
    Choice(u32),
    /// The value is noted for the rules of meaning.
    Role(Role),
}

impl Node {
    pub(super) const ANY: Node = Node::of(types::ALL);

    pub(super) const fn of(types: u8) -> Self {
        Self {
            types,
            extra: Extra::Nothing,
            string: NONE,
            number: NONE,
            array: NONE,
            object: NONE,
            site: NONE,
        }
    }

    /// Whether it accepts objects or arrays without rules.
    fn is_free(&self) -> bool {
        let has = |found: u8, rules: u32| self.types & found != 0 && rules == NONE;
        has(types::OBJECT, self.object) || has(types::ARRAY, self.array)
    }
}

impl Program {
    /// After all nodes are built: assigns sites to the nodes that accept objects or arrays without
    /// rules, and frees unused capacity.
    pub(super) fn finish(&mut self) {
        self.nodes.shrink_to_fit();
        self.strings.shrink_to_fit();
        self.numbers.shrink_to_fit();
        self.arrays.shrink_to_fit();
        self.objects.shrink_to_fit();
        self.choices.shrink_to_fit();
        for node in self.nodes.iter_mut().filter(|node| node.is_free()) {
            node.site = self.sites;
            self.sites += 1;
        }
    }
}

/// Adds rules to their table. Returns their index.
pub(super) fn push<T>(table: &mut Vec<T>, rules: T) -> u32 {
    table.push(rules);
    narrow(table.len() - 1)
}

/// The index of a node or of rules. There are never so many that it does not fit.
pub(super) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(NONE)
}

#[derive(Debug)]
pub(super) struct ArrayRules {
    /// The nodes of the first elements.
    pub(super) prefix: Box<[NodeId]>,
    /// The node of all other elements.
    pub(super) items: NodeId,
    pub(super) min: u32,
    pub(super) max: u32,
    /// Keywords about the array as a whole.
    pub(super) delegated: Option<Box<Delegated>>,
}

#[derive(Debug)]
pub(super) struct ObjectRules {
    /// The keys that have a node of their own.
    pub(super) keys: Box<[Key]>,
    /// The same keys, for lookup by name.
    pub(super) names: Names,
    /// The node of all other keys; `None` if none are allowed.
    pub(super) others: Option<NodeId>,
    /// The required keys, as bits.
    pub(super) required: u64,
    /// Whether there are no other constraints on the keys.
    pub(super) simple: bool,
    pub(super) conditions: Box<[Condition]>,
    pub(super) min: u32,
    pub(super) max: u32,
    /// Keywords about the object as a whole.
    pub(super) delegated: Option<Box<Delegated>>,
    /// The key that is likely to come first. This and the successor of each key are learned from
    /// the texts checked: most are written by the same program.
    pub(super) first: AtomicU8,
}

/// The number of keys of an object that have a bit.
pub(super) const BITS: usize = 64;

#[derive(Debug)]
pub(super) struct Key {
    /// The key with its quotes and colon, in the usual spelling.
    pub(super) literal: Literal,
    pub(super) node: NodeId,
    /// The key that is likely to come next.
    pub(super) next: AtomicU8,
}

impl Key {
    pub(super) fn new(name: &str, node: NodeId, position: usize) -> Self {
        Self {
            literal: Literal::key(name),
            node,
            next: AtomicU8::new(guess(position + 1)),
        }
    }
}

/// A position as a guess. Only keys that have a bit are guessed; for any other key the guess is the
/// first one, which is as good as none.
pub(super) fn guess(position: usize) -> u8 {
    match u8::try_from(position) {
        Ok(guess) if position < BITS => guess,
        _ => 0,
    }
}

/// A condition on the keys that are present.
#[derive(Debug)]
pub(super) enum Condition {
    /// At least one of these sets is present.
    Any(Box<[u64]>),
    /// Exactly one of these sets is present.
    One(Box<[u64]>),
    /// This set is not fully present.
    Not(u64),
    /// If the first set is present, so is the second.
    Implies(u64, u64),
}

impl Condition {
    pub(super) fn holds(&self, seen: u64) -> bool {
        let has = |set: &u64| seen & set == *set;
        match self {
            Condition::Any(sets) => sets.iter().any(has),
            Condition::One(sets) => sets.iter().filter(|set| has(set)).take(2).count() == 1,
            Condition::Not(set) => !has(set),
            Condition::Implies(given, then) => !has(given) || has(then),
        }
    }
}

/// Dispatches a value to other nodes, each of which includes all constraints of this one.
#[derive(Debug)]
pub(super) enum Choice {
    /// At least one of them accepts it: the alternatives for each class of values.
    Any([Box<[NodeId]>; Class::COUNT]),
    /// Exactly one of them accepts it.
    One([Box<[NodeId]>; Class::COUNT]),
    /// The first does not accept it, and the second does.
    Not(NodeId, NodeId),
    /// The second or the third accepts it, depending on the first.
    If(NodeId, NodeId, NodeId),
}

/// The class of a value by its first character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Class {
    pub(super) const COUNT: usize = 6;
    pub(super) const ALL: [Class; Self::COUNT] = [
        Class::Null,
        Class::Boolean,
        Class::Number,
        Class::String,
        Class::Array,
        Class::Object,
    ];

    /// `None` if no value begins with this character.
    pub(super) fn of(first: u8) -> Option<Self> {
        Some(match first {
            b'n' => Class::Null,
            b't' | b'f' => Class::Boolean,
            b'-' | b'0'..=b'9' => Class::Number,
            b'"' => Class::String,
            b'[' => Class::Array,
            b'{' => Class::Object,
            _ => return None,
        })
    }

    pub(super) fn types(self) -> u8 {
        match self {
            Class::Null => types::NULL,
            Class::Boolean => types::BOOLEAN,
            Class::Number => types::NUMBER,
            Class::String => types::STRING,
            Class::Array => types::ARRAY,
            Class::Object => types::OBJECT,
        }
    }
}
