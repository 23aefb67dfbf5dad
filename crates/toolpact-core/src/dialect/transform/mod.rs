//! The steps from JSON Schema to a dialect. Each does one thing, and logs what it loses.

mod all_of;
mod any;
mod booleans;
mod close;
mod complete;
mod consts;
mod enums;
mod exclusive;
mod formats;
mod keys;
mod limits;
mod merge;
mod null;
mod objects;
mod one_of;
mod openapi_3_0;
mod recursion;
mod require;
mod root;
mod tuples;
mod types;
mod unevaluated;
mod union;
mod unsupported;
mod words;

pub(super) use all_of::ALL_OF;
pub(super) use any::ANY_VALUE;
pub(super) use booleans::{BOOLEANS, OBJECT_SCHEMAS, as_object};
pub(super) use close::{CLOSE, OPEN, close};
pub(super) use complete::{SOME_ITEMS, SOME_PROPERTIES, SOME_PROPERTIES_AND_ITEMS};
pub(super) use consts::CONSTS;
pub(super) use enums::{NO_EMPTY_CHOICE, SCALAR_ENUMS, STRING_ENUMS};
pub(super) use exclusive::{EXCLUSIVE, FLOAT_LIMITS};
pub(super) use formats::{FORMATS, STANDARD_FORMATS};
pub(super) use keys::KEY;
pub(super) use keys::KEYS;
pub(super) use limits::{ANTHROPIC_LIMITS, OPENAI_LIMITS};
pub(super) use null::{NO_NULLABLE, NULL_UNIONS, NULLABLE, allow_null};
pub(super) use one_of::ONE_OF;
pub(super) use openapi_3_0::{
    EXACT_CHOICES, EXCLUSIVE_FLAGS, NULL_FLAG, ONE_EXAMPLE, PATTERN_KEYS, SOME_REQUIRED,
};
pub(super) use recursion::NO_RECURSION;
pub(super) use require::{ABSENT, REQUIRE, REQUIRED_ARGUMENTS_NAMED, REQUIRED_NAMED};
pub(super) use root::{NO_ARGUMENTS, OBJECT_ROOT, OBJECT_TYPE, ROOT_REFERENCE, find};
pub(super) use tuples::TUPLES;
pub(super) use types::{ADM_WORDS, LIST_TYPES, NO_EFFECT, ONE_TYPE, UPPER_CASE};
pub(super) use unevaluated::UNEVALUATED;
pub(super) use union::{DISTRIBUTE, FIRST_OF_UNION};
pub(super) use unsupported::{CONDITIONS, ONE_ITEM, UNSUPPORTED, leave_out};

use super::tree::Map;

/// A list of steps, in the order that a dialect runs them.
macro_rules! steps {
    ($($step:ident)*) => {
        &[$($crate::dialect::transform::$step),*]
    };
}
pub(super) use steps;

/// The types that a schema names.
pub(super) fn type_names(map: &Map) -> Vec<Box<str>> {
    let types = map.get("type").map(merge::names).unwrap_or_default();
    types.into_iter().map(Into::into).collect()
}
