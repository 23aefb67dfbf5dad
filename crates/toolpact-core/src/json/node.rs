use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::index::{Entry, Index, NodeId, Shape};
use super::{Number, Value, string};
use crate::violation::{Pointer, Token};

/// A part of a [`Value`]: cheap to copy, and decoded on access.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    index: &'a Index,
    id: NodeId,
}

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl<'a> Node<'a> {
    pub(crate) fn new(index: &'a Index, id: NodeId) -> Self {
        Self { index, id }
    }

    /// What kind of value this is.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.entry().shape {
            Shape::Null => Kind::Null,
            Shape::Bool => Kind::Bool,
            Shape::Number => Kind::Number,
            Shape::Plain | Shape::Escaped => Kind::String,
            Shape::Array => Kind::Array,
            Shape::Object => Kind::Object,
        }
    }

    /// The JSON text of this part.
    #[must_use]
    pub fn text(self) -> &'a str {
        self.index.text.get(self.span()).unwrap_or_default()
    }

    /// The boolean, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.text() == "true")
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_number(self) -> Option<Number<'a>> {
        (self.kind() == Kind::Number).then(|| Number::new(self.text()))
    }

    /// The string, if it is one.
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        let shape = self.entry().shape;
        let inner = || {
            self.text()
                .get(1..self.text().len().saturating_sub(1))
                .unwrap_or_default()
        };
        match shape {
            Shape::Plain => Some(Cow::Borrowed(inner())),
            Shape::Escaped => Some(string::decode(inner())),
            _ => None,
        }
    }

    /// The elements of an array, none for anything else.
    pub fn items(self) -> impl Iterator<Item = Node<'a>> {
        Children::of(self, Shape::Array)
    }

    /// The members of an object in the order they were written, none for anything else.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Node<'a>)> {
        self.entries()
            .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
    }

    /// The member `key` of an object, by linear search.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'a>> {
        self.entries()
            .find(|(name, _)| name.is_key(key))
            .map(|(_, value)| value)
    }

    /// The part at a pointer.
    #[must_use]
    pub fn at(self, pointer: &Pointer) -> Option<Node<'a>> {
        let mut tokens = pointer.tokens().into_iter();
        tokens.try_fold(self, Node::step)
    }

    /// The part at a pointer, or the smallest part around it that is there.
    pub(crate) fn nearest(self, pointer: &Pointer) -> Node<'a> {
        let tokens = pointer.tokens().into_iter();
        let way = tokens.scan(self, |node, token| {
            *node = node.step(token)?;
            Some(*node)
        });
        way.last().unwrap_or(self)
    }

    fn step(self, token: &Token) -> Option<Node<'a>> {
        match (token, self.kind()) {
            (Token::Index(index), _) => self.items().nth(*index),
            // A pointer that was read does not know what its numbers are.
            (Token::Key(key), Kind::Array) => self.items().nth(key.parse().ok()?),
            (Token::Key(key), _) => self.get(key),
        }
    }

    /// An independent copy of this part.
    #[must_use]
    pub fn to_value(self) -> Value {
        Value::copy_of(self)
    }

    /// Whether this is the string `key`. Most keys have no escapes, and are compared as they are.
    fn is_key(self, key: &str) -> bool {
        let (entry, text) = (self.entry(), self.index.text.as_bytes());
        match entry.shape {
            Shape::Plain => {
                let inner = entry.start as usize + 1..(entry.end as usize).saturating_sub(1);
                text.get(inner) == Some(key.as_bytes())
            }
            _ => self.as_str().is_some_and(|name| name == key),
        }
    }

    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    pub(crate) fn index(self) -> &'a Index {
        self.index
    }

    /// All numbers in it, at any depth.
    pub(crate) fn numbers(self) -> impl Iterator<Item = Number<'a>> {
        let entries = self.id as usize..self.entry().next as usize;
        let entries = self.index.entries.get(entries).unwrap_or_default();
        let numbers = entries.iter().filter(|entry| entry.shape == Shape::Number);
        let text = &self.index.text;
        numbers.filter_map(|entry| {
            text.get(entry.start as usize..entry.end as usize)
                .map(Number::new)
        })
    }

    pub(crate) fn span(self) -> Range<usize> {
        let entry = self.entry();
        entry.start as usize..entry.end as usize
    }

    pub(crate) fn entry(self) -> Entry {
        let entry = self.index.entries.get(self.id as usize);
        entry.copied().unwrap_or(Entry::NULL)
    }

    /// Keys and values of an object, the keys as nodes.
    pub(crate) fn entries(self) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let mut children = Children::of(self, Shape::Object);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }
}

struct Children<'a> {
    index: &'a Index,
    next: NodeId,
    end: NodeId,
}

impl<'a> Children<'a> {
    fn of(node: Node<'a>, shape: Shape) -> Self {
        let entry = node.entry();
        let end = if entry.shape == shape {
            entry.next
        } else {
            node.id + 1
        };
        Self {
            index: node.index,
            next: node.id + 1,
            end,
        }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        if self.next >= self.end {
            return None;
        }
        let node = Node::new(self.index, self.next);
        self.next = node.entry().next;
        Some(node)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A noun with its article, for messages: `a string`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        })
    }
}
