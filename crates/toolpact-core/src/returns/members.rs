use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use crate::json::{Node, Value};

/// The members of an object of any content, in the order they were given.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Members(IndexMap<Box<str>, Value>);

impl Members {
    /// The members of an object, none of anything else.
    pub(super) fn of(node: Node<'_>) -> Self {
        let members = node.members();
        Self(members.map(|(k, v)| (k.into(), v.to_value())).collect())
    }

    pub(super) fn insert(&mut self, key: &str, value: Value) {
        self.0.insert(key.into(), value);
    }

    pub(super) fn remove(&mut self, key: &str) -> Option<Value> {
        self.0.shift_remove(key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
