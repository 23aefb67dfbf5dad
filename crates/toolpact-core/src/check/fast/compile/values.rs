//! `const` and `enum`: which types they leave.

use indexmap::IndexSet;

use super::super::program::types;
use super::constraints::Constraints;
use super::{Supported, unsupported};
use crate::json::{Kind, Node as Json};

/// Removes the types that no allowed value has.
pub(super) fn narrow(constraints: &mut Constraints<'_>) -> Supported<()> {
    for (at, values) in &constraints.values {
        let mut mask = 0;
        for value in values {
            mask |= match type_of(*value) {
                Some(found) => found,
                None => {
                    return Err(unsupported(
                        *at,
                        "a list or an object among the allowed values",
                    ));
                }
            };
        }
        constraints.types &= mask;
    }
    Ok(())
}

/// The type bits of a scalar. A number may be spelled in several ways.
fn type_of(value: Json<'_>) -> Option<u8> {
    Some(match value.kind() {
        Kind::Null => types::NULL,
        Kind::Bool if value.as_bool() == Some(true) => types::TRUE,
        Kind::Bool => types::FALSE,
        Kind::Number => types::NUMBER,
        Kind::String => types::STRING,
        Kind::Array | Kind::Object => return None,
    })
}

/// The strings that are in all lists, each once; `None` if there is no list.
pub(super) fn strings(constraints: &Constraints<'_>) -> Option<Vec<Box<str>>> {
    let strings = |values: &[Json<'_>]| -> IndexSet<Box<str>> {
        let strings = values.iter().filter_map(|value| value.as_str());
        strings.map(Box::from).collect()
    };
    let mut lists = constraints.values.iter().map(|(_, values)| strings(values));
    let mut first = lists.next()?;
    for list in lists {
        first.retain(|value| list.contains(value));
    }
    Some(first.into_iter().collect())
}
