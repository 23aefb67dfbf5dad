//! Where two contracts differ.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Contract;
use crate::Pointer;
use crate::json::{Kind, Node, Value};

impl Contract {
    /// Where two contracts promise something else, as places in their canonical forms: `/description`,
    /// `/parameters/properties/b`.
    #[must_use]
    pub fn differing_places(&self, other: &Self) -> Vec<Pointer> {
        let canonical = |contract: &Self| Value::from_json(contract.to_canonical());
        match (canonical(self), canonical(other)) {
            (Ok(one), Ok(other)) => places(&one, &other),
            _ => Vec::new(),
        }
    }
}

/// Objects are compared key by key, everything else as a whole.
fn places(one: &Value, other: &Value) -> Vec<Pointer> {
    let (mut found, mut open) = (
        Vec::new(),
        vec![(Pointer::root(), one.root(), other.root())],
    );
    while let Some((place, one, other)) = open.pop() {
        if one.kind() != Kind::Object || other.kind() != Kind::Object {
            if one.text() != other.text() {
                found.push(place);
            }
            continue;
        }
        let mut rest: HashMap<Cow<'_, str>, Node<'_>> = other.members().collect();
        for (key, value) in one.members() {
            match rest.remove(&key) {
                Some(same) => open.push((place.key(&key), value, same)),
                None => found.push(place.key(&key)),
            }
        }
        found.extend(rest.keys().map(|key| place.key(key)));
    }
    found.sort_by_cached_key(Pointer::to_string);
    found
}
