//! A mutable JSON tree, for converting schemas.
//!
//! Numbers keep their text, so that none is rounded. Every object keeps its original place in the
//! contract when it is moved or copied. Trees are built from checked schemas, whose depth is
//! bounded, so recursion over them is too.

mod alike;

use indexmap::IndexMap;

use crate::Pointer;
use crate::json::{Kind, Node, Value, Writer};

/// A JSON value.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    /// As it was written.
    Number(Box<str>),
    String(Box<str>),
    Array(Vec<Tree>),
    Object(Map),
}

/// An object with ordered members.
#[derive(Debug, Clone, Default)]
pub(crate) struct Map {
    members: IndexMap<Box<str>, Tree>,
    place: Pointer,
}

impl Tree {
    /// The tree of a value at this place in the contract.
    pub(crate) fn of(node: Node<'_>, place: &Pointer) -> Self {
        match node.kind() {
            Kind::Null => Tree::Null,
            Kind::Bool => Tree::Bool(node.as_bool().unwrap_or_default()),
            Kind::Number => Tree::Number(node.text().into()),
            Kind::String => Tree::String(node.as_str().unwrap_or_default().into()),
            Kind::Array => {
                let items = node.items().enumerate();
                Tree::Array(
                    items
                        .map(|(i, item)| Tree::of(item, &place.index(i)))
                        .collect(),
                )
            }
            Kind::Object => {
                let members = node.members();
                let members = members.map(|(key, value)| {
                    let value = Tree::of(value, &place.key(&key));
                    (key.into_owned().into_boxed_str(), value)
                });
                Tree::Object(Map {
                    members: members.collect(),
                    place: place.clone(),
                })
            }
        }
    }

    pub(crate) fn string(text: impl Into<Box<str>>) -> Self {
        Tree::String(text.into())
    }

    pub(crate) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Tree::Array(texts.into_iter().map(Tree::string).collect())
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Tree::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Tree]> {
        match self {
            Tree::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_array_mut(&mut self) -> Option<&mut Vec<Tree>> {
        match self {
            Tree::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_map(&self) -> Option<&Map> {
        match self {
            Tree::Object(map) => Some(map),
            _ => None,
        }
    }

    pub(crate) fn as_map_mut(&mut self) -> Option<&mut Map> {
        match self {
            Tree::Object(map) => Some(map),
            _ => None,
        }
    }

    /// Serialises the value without whitespace.
    pub(crate) fn to_value(&self) -> Value {
        let mut writer = Writer::default();
        self.write(&mut writer);
        Value::trusted(writer)
    }

    pub(crate) fn to_text(&self) -> String {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.finish()
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        match self {
            Tree::Null => drop(writer.raw("null")),
            Tree::Bool(true) => drop(writer.raw("true")),
            Tree::Bool(false) => drop(writer.raw("false")),
            Tree::Number(text) => drop(writer.raw(text)),
            Tree::String(text) => drop(writer.string(text)),
            Tree::Array(items) => {
                writer.begin_array();
                for item in items {
                    item.write(writer);
                }
                writer.end_array();
            }
            Tree::Object(map) => {
                writer.begin_object();
                for (key, value) in map.iter() {
                    value.write(writer.key(key));
                }
                writer.end_object();
            }
        }
    }
}

impl Map {
    /// An empty object that represents this place.
    pub(crate) fn at(place: &Pointer) -> Self {
        Self {
            members: IndexMap::new(),
            place: place.clone(),
        }
    }

    /// Its original place.
    pub(crate) fn place(&self) -> &Pointer {
        &self.place
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.members.contains_key(key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Tree> {
        self.members.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Tree> {
        self.members.get_mut(key)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    pub(crate) fn map(&self, key: &str) -> Option<&Map> {
        self.get(key)?.as_map()
    }

    pub(crate) fn map_mut(&mut self, key: &str) -> Option<&mut Map> {
        self.get_mut(key)?.as_map_mut()
    }

    pub(crate) fn array(&self, key: &str) -> Option<&[Tree]> {
        self.get(key)?.as_array()
    }

    /// Appends a member, or replaces the existing one.
    pub(crate) fn set(&mut self, key: &str, value: Tree) -> &mut Self {
        self.members.insert(key.into(), value);
        self
    }

    /// Inserts a member before all others, or replaces the existing one.
    pub(crate) fn set_first(&mut self, key: &str, value: Tree) {
        let new = self.members.insert(key.into(), value).is_none();
        if new {
            self.members.move_index(self.members.len() - 1, 0);
        }
    }

    /// Removes a member, keeping the order of the others.
    pub(crate) fn take(&mut self, key: &str) -> Option<Tree> {
        self.members.shift_remove(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tree)> {
        self.members.iter().map(|(key, value)| (&**key, value))
    }

    pub(crate) fn into_members(self) -> impl Iterator<Item = (Box<str>, Tree)> {
        self.members.into_iter()
    }

    /// Removes all members whose key matches, keeping the order of the others.
    pub(crate) fn take_all(&mut self, mut goes: impl FnMut(&str) -> bool) -> Vec<(Box<str>, Tree)> {
        let members = std::mem::take(&mut self.members);
        let (gone, kept) = members.into_iter().partition(|(key, _)| goes(key));
        self.members = kept;
        IndexMap::into_iter(gone).collect()
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Tree> {
        self.members.values_mut()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Tree)> {
        self.members.iter_mut().map(|(key, value)| (&**key, value))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(|key| &**key)
    }

    /// Renames the keys for which `name` returns a new one. Keys must stay unique.
    pub(crate) fn rename(&mut self, mut name: impl FnMut(&str) -> Option<Box<str>>) {
        let members = std::mem::take(&mut self.members);
        self.members = members
            .into_iter()
            .map(|(key, value)| (name(&key).unwrap_or(key), value))
            .collect();
    }
}
