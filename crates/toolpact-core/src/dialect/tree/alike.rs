//! Equality and hashing of values.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::json::{Number, Whole};

use super::Tree;

/// JSON equality: ignores the order of members, the spelling of numbers, and places.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Tree::Null, Tree::Null) => true,
            (Tree::Bool(a), Tree::Bool(b)) => a == b,
            (Tree::String(a), Tree::String(b)) => a == b,
            (Tree::Number(a), Tree::Number(b)) => a == b || same_number(a, b),
            (Tree::Array(a), Tree::Array(b)) => a == b,
            (Tree::Object(a), Tree::Object(b)) => a.members == b.members,
            _ => false,
        }
    }
}

fn same_number(a: &str, b: &str) -> bool {
    let (a, b) = (Number::new(a), Number::new(b));
    match (a.whole(), b.whole()) {
        (Whole::Integer(a), Whole::Integer(b)) => a == b,
        (Whole::Integer(_), _) | (_, Whole::Integer(_)) => false,
        _ => a.as_f64().total_cmp(&b.as_f64()).is_eq(),
    }
}

impl Eq for Tree {}

impl Hash for Tree {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Tree::Null => {}
            Tree::Bool(flag) => flag.hash(state),
            Tree::String(text) => text.hash(state),
            // Equal numbers have the same float, except for the sign of zero.
            Tree::Number(text) => (Number::new(text).as_f64() + 0.0).to_bits().hash(state),
            Tree::Array(items) => items.hash(state),
            Tree::Object(map) => {
                let of = |member| {
                    let mut own = DefaultHasher::new();
                    Hash::hash(&member, &mut own);
                    own.finish()
                };
                let all = map.members.iter().map(of);
                all.fold(0, u64::wrapping_add).hash(state);
            }
        }
    }
}
